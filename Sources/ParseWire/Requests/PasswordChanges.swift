import SyncEngine
import Synchronization

/// The changes of passwords that can be repeated with the id of their request, although the first
/// has ended the session. Each process remembers its own.
final class PasswordChanges: Sendable {
    private struct Entry {
        let login: String
        let at: Instant
    }

    /// By environment and key of the request.
    private let entries = Mutex<[String: Entry]>([:])
    private let max: Int
    private let seconds: Int64

    init(max: Int = 1000, seconds: Int64 = 3600) {
        self.max = max
        self.seconds = seconds
    }

    /// Forgets the oldest change when there are too many.
    func note(_ key: String, of login: String, at now: Instant) {
        entries.withLock { entries in
            entries[key] = Entry(login: login, at: now)
            guard entries.count > max, let first = entries.min(by: { $0.value.at < $1.value.at })
            else { return }
            entries[first.key] = nil
        }
    }

    /// Nil for a change that is not known any more.
    func login(of key: String, at now: Instant) -> String? {
        entries.withLock { entries in
            entries[key].flatMap { now < $0.at.adding(seconds: seconds) ? $0.login : nil }
        }
    }
}
