import SyncEngine

/// An error of a statement or connection.
enum Failure: Error, Hashable {
    /// The connection was lost, and its uncommitted work with it.
    case lost(String)
    /// The server refused the statement.
    case refused(code: String, message: String)
    /// The server is unreachable, or refuses connections.
    case unreachable(String)
}

extension Failure {
    /// Whether a retry may succeed, because the cause is a concurrent transaction or a lost
    /// connection. The codes are those of the appendix "PostgreSQL Error Codes" of its manual.
    var isPassing: Bool {
        switch self {
        case .lost, .unreachable: true
        case .refused(let code, _): Self.passing.contains(code) || isOfStop || isOfStall
        }
    }

    /// Whether the other connections are affected too.
    var isOfConnection: Bool {
        switch self {
        case .lost, .unreachable: true
        case .refused: isOfStop || isOfStall
        }
    }

    /// Whether the server is shutting down, or is read-only or starting up.
    var isOfStop: Bool {
        guard case .refused(let code, _) = self else { return false }
        return ["57P01", "57P02", "57P03", "57P05", "25006"].contains(code)
    }

    /// Whether the server closed an idle transaction, and its connection.
    private var isOfStall: Bool {
        guard case .refused("25P03", _) = self else { return false }
        return true
    }

    /// Whether a unique key was violated. Under the environment's lock, no concurrent transaction
    /// can be the cause.
    var isOfTakenKey: Bool {
        guard case .refused(Self.takenKey, _) = self else { return false }
        return true
    }

    private static let takenKey = "23505"

    /// Serialization failure, deadlock, and a key that a concurrent transaction has taken.
    private static let passing: Set<String> = ["40001", "40P01", takenKey]
}

extension StoreError {
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as Failure: self.init(error)
        case is CancellationError: self = .cancelled
        default: self = .failed("\(error)")
        }
    }

    private init(_ failure: Failure) {
        switch failure {
        case .lost(let text): self = .unavailable("the connection was lost: \(text)")
        case .unreachable(let text): self = .unavailable(text)
        case .refused(let code, let message) where failure.isOfStop:
            self = .unavailable("\(message) (\(code))")
        case .refused(let code, let message): self.init(code: code, message)
        }
    }

    private init(code: String, _ message: String) {
        switch code {
        // Lock timeout, statement timeout, idle timeout, and conflicts that persist after retries.
        case "55P03", "57014", "25P03", "40001", "40P01": self = .busy
        // The disk is full.
        case "53100": self = .outOfSpace
        case "53300": self = .unavailable("\(message) (\(code))")
        // Data or an index is corrupted.
        case "XX001", "XX002":
            self = .unreadable("the database is damaged: \(message)", remedy: .backup)
        case "42501": self = .unreadable(message, remedy: .databasePermission)
        default: self = .failed("\(message) (\(code))")
        }
    }
}
