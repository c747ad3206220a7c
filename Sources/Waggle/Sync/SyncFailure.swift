import JSON
import SyncProtocol

/// The reason why a sync or a login failed. Unsent changes are kept, and the next sync sends them.
public enum SyncFailure: Error, Hashable, Sendable {
    /// Nobody is logged in.
    case notLoggedIn
    /// No answer came; the text has the reason.
    case unreachable(String)
    /// Login and password do not go together.
    case wrongCredentials
    /// A sign-in with a provider was refused.
    case signIn(SignInRefusal)
    /// The user's group has no role on this device category.
    case roleUnknown(String)
    /// The session has ended, log in again.
    case sessionEnded
    /// The server asks to wait, in seconds.
    case busy(retryAfterSeconds: Int)
    /// The server answered with an error: its status, its code, or an empty one, and its message.
    case server(status: Int, code: String, message: String)
    /// The answer is no valid message.
    case unexpectedAnswer(String)
    /// A conflict handler stopped it, or the task that it ran in was cancelled.
    case cancelled
    /// The database on this device failed.
    case database(DatabaseError)
}

extension SyncFailure: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .notLoggedIn: "nobody is logged in, log in first"
        case .unreachable(let reason): "the server cannot be reached: \(reason)"
        case .wrongCredentials: "login and password do not go together"
        case .signIn(let refusal): refusal.description
        case .roleUnknown(let text): text
        case .sessionEnded: "the session has ended, log in again"
        case .busy(let seconds): "the server is busy, try again in \(seconds) s"
        case .server(let status, _, let message): "the server refuses (\(status)): \(message)"
        case .unexpectedAnswer(let text): "the server's answer cannot be read: \(text)"
        case .cancelled: "the sync was stopped"
        case .database(let error): error.description
        }
    }

    /// Whether a later attempt may succeed without anybody doing anything.
    public var isTemporary: Bool {
        switch self {
        case .unreachable, .busy: true
        case .signIn(let refusal): refusal.isTemporary
        case .server(let status, let code, _):
            status >= 500 || status == 408 || code == "bodyBroken"
        case .notLoggedIn, .wrongCredentials, .roleUnknown, .sessionEnded, .unexpectedAnswer,
            .cancelled, .database:
            false
        }
    }
}

extension SyncFailure {
    init(_ failure: WireFailure) {
        self = .unreachable(failure.reason)
    }

    init(_ answer: WireAnswer) {
        guard let error = try? decodeMessage(ErrorMessage.self, from: answer.body) else {
            // The answer of a proxy before the server.
            let place = answer.headers["location"]
            self = .server(
                status: answer.status, code: "",
                message: place.map { "it points to '\($0)': call the server itself" }
                    ?? "the answer has no reason")
            return
        }
        self.init(error, answer)
    }

    private init(_ error: ErrorMessage, _ answer: WireAnswer) {
        switch error.code {
        case "wrongCredentials": self = .wrongCredentials
        case "tokenUnknown", "tokenMissing": self = .sessionEnded
        case "roleUnknown": self = .roleUnknown(error.message)
        case "busy", "databaseUnavailable", "overloaded", "tooManyAttempts", "tooManySignIns":
            self = .busy(retryAfterSeconds: answer.retryAfter ?? 1)
        case _:
            self =
                SignInRefusal(rawValue: error.code).map { .signIn($0) }
                ?? .server(status: answer.status, code: error.code, message: error.message)
        }
    }

    /// From the code with which a browser returned from a sign-in.
    init(ofCode code: String) {
        self.init(
            ErrorMessage(
                code: code, message: "the sign-in ended with '\(code)'", help: "begin again"),
            WireAnswer(status: 303, body: []))
    }

    /// From the error of a sign-in: of the server, of the way to it, or of this device.
    init(ofSignIn error: any Error) {
        switch error {
        case let failure as SyncFailure: self = failure
        case let failure as WireFailure: self.init(failure)
        case let error as DecodingError: self = .unexpectedAnswer("\(error)")
        default: self = .database(DatabaseError(error))
        }
    }
}
