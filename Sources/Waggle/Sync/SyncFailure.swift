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
        switch error.code {
        case "wrongCredentials": self = .wrongCredentials
        case "tokenUnknown", "tokenMissing": self = .sessionEnded
        case "roleUnknown": self = .roleUnknown(error.message)
        case "busy", "databaseUnavailable", "overloaded", "tooManyAttempts":
            self = .busy(retryAfterSeconds: answer.retryAfter ?? 1)
        case _:
            self = .server(status: answer.status, code: error.code, message: error.message)
        }
    }
}
