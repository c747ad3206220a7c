import Synchronization

/// Tells when the stored outcomes of a user are to be counted.
///
/// To count them with every push would cost more than the push. They are counted once for a
/// tenth of what a device may have, so a limit may be exceeded by as much in each process.
final class OutcomeGauge: Sendable {
    private static let mostUsers = 10_000

    private let step: Int
    /// Outcomes that were written since they were counted, by login.
    private let written = Mutex<[String: Int]>([:])

    init(maxOfDevice: Int) { step = max(1, maxOfDevice / 10) }

    /// Whether to count them before `count` further ones are written.
    func isDue(writing count: Int, by login: String) -> Bool {
        guard count < step else { return true }
        return written.withLock { written in
            let sum = written[login, default: 0] + count
            if written.count >= Self.mostUsers { written.removeAll(keepingCapacity: true) }
            written[login] = sum
            return sum >= step
        }
    }

    /// Notes that they were counted, and that there was room.
    func restart(for login: String) { written.withLock { $0[login] = nil } }
}
