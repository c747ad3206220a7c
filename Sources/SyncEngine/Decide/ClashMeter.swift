package import ChangeRules
import Synchronization

/// Limits how often a user learns from refusals that a record exists which the user may not see.
///
/// A guid and a unique value belong to one record in the whole environment, so a change that takes
/// one of a hidden record must be refused, and the refusal tells of the record. Each counts. A user
/// has a number of them free; further ones are forgiven at a fixed rate. While a user has used up
/// what is free, changes that could clash are not decided at all: those without a clash would tell
/// as much.
///
/// Each process counts by itself, and forgets its counts when it ends or when a definition is
/// deployed.
package final class ClashMeter: Sendable {
    /// The clashes of one user that are not forgiven yet, as the time until they are.
    private struct Open {
        var milliseconds: Int64
        /// The last time, by the clock, at which it was that much.
        var at: Instant

        /// Nothing is forgiven while the clock was set back, and nothing becomes more.
        mutating func pass(until now: Instant) {
            milliseconds -= min(milliseconds, max(0, now.milliseconds - at.milliseconds))
            at = now
        }
    }

    private static let mostUsers = 10_000

    /// The number that is free.
    private let free: Int64
    /// The time after which one is forgiven.
    private let interval: Int64
    /// By login.
    private let users = Mutex<[String: Open]>([:])

    init(free: Int, perHour: Int) {
        self.free = Int64(max(1, free))
        interval = max(1, 3_600_000 / Int64(max(1, perHour)))
    }

    /// Notes the clashes of a decision, in place of those of an earlier one of the same push, whose
    /// transaction is repeated.
    package func note(
        _ count: Int, of push: PushClashes, by login: String, at now: Instant
    ) {
        retract(push, by: login)
        guard count > 0 else { return }
        push.noted.store(count, ordering: .relaxed)
        users.withLock { users in
            if users[login] == nil, users.count >= Self.mostUsers {
                users = users.filter { $0.value.milliseconds > interval }
                if users.count >= Self.mostUsers { users.removeAll() }
            }
            var open = users[login] ?? Open(milliseconds: 0, at: now)
            open.pass(until: now)
            open.milliseconds += Int64(count) * interval
            users[login] = open
        }
    }

    /// Takes back what was noted of a push.
    package func retract(_ push: PushClashes, by login: String) {
        let count = push.noted.exchange(0, ordering: .relaxed)
        guard count > 0 else { return }
        users.withLock { users in
            let open = users[login]?.milliseconds ?? 0
            users[login]?.milliseconds -= min(open, Int64(count) * interval)
        }
    }

    /// The seconds until the user may make changes that could clash; 0 for now.
    package func waitSeconds(for login: String, at now: Instant) -> Int64 {
        let open: Int64 = users.withLock { users in
            guard !users.isEmpty else { return 0 }
            users[login]?.pass(until: now)
            return users[login]?.milliseconds ?? 0
        }
        return max(0, (open - (free - 1) * interval + 999) / 1000)
    }
}

/// The clashes of a push, which may be decided several times.
package final class PushClashes: Sendable {
    /// The number that the meter has noted of the last decision.
    fileprivate let noted = Atomic(0)

    package init() {}
}

extension Engine {
    /// Throws if the author has to wait before changes that could clash with hidden records are
    /// decided.
    package func checkMayClash(
        _ batch: [Change], by login: String, at now: Instant
    ) throws(SyncError) {
        let seconds = clashMeter.waitSeconds(for: login, at: now)
        guard seconds > 0, batch.contains(where: rules.mayClash) else { return }
        throw .tooManyHiddenClashes(retryAfterSeconds: seconds)
    }
}

extension Rules {
    /// Whether a change takes a guid, or may give its record a unique value.
    fileprivate func mayClash(_ change: Change) -> Bool {
        // It is not known yet whether a whole record is a new one.
        guard !change.isOfWholeRecord else { return true }
        return switch change.action {
        case .create: true
        case .update, .resolve, .restore: model(named: change.model)?.hasUniqueFields ?? false
        case .delete: false
        }
    }
}
