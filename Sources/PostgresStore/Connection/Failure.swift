import SyncEngine

/// What can go wrong with a statement.
enum Failure: Error, Hashable {
    /// The connection is gone, and with it whatever it had not committed.
    case lost(String)
    /// The server refused it.
    case refused(code: String, message: String)
    /// The server cannot be reached, or lets nobody in.
    case unreachable(String)
}

extension Failure {
    /// Whether the same may go well when it is done again: others were in the way, or came first.
    /// Codes are those of the appendix 'PostgreSQL Error Codes' of its manual.
    var isPassing: Bool {
        switch self {
        case .lost, .unreachable: true
        case .refused(let code, _): Self.passing.contains(code) || isOfStop || isOfStall
        }
    }

    /// Other connections will have the same.
    var isOfConnection: Bool {
        switch self {
        case .lost, .unreachable: true
        case .refused: isOfStop || isOfStall
        }
    }

    /// The server is being stopped, or does not write any more, or not yet.
    var isOfStop: Bool {
        guard case .refused(let code, _) = self else { return false }
        return ["57P01", "57P02", "57P03", "57P05", "25006"].contains(code)
    }

    /// Whoever stalls in a transaction loses it, and the connection with it.
    private var isOfStall: Bool {
        guard case .refused("25P03", _) = self else { return false }
        return true
    }

    /// Of whoever has the lock nobody else can have taken a key a moment before.
    var isOfTakenKey: Bool {
        guard case .refused(Self.takenKey, _) = self else { return false }
        return true
    }

    private static let takenKey = "23505"

    /// Serialization failure, deadlock, and a key that somebody else took a moment before.
    private static let passing: Set<String> = ["40001", "40P01", takenKey]
}

extension StoreError {
    init(_ error: any Error) {
        switch error {
        case let error as StoreError: self = error
        case let error as Failure: self.init(error)
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
        // Lock not available, a statement or a pause that took too long, and what is in the way for
        // too long.
        case "55P03", "57014", "25P03", "40001", "40P01": self = .busy
        // Disk full, and out of memory for it.
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
