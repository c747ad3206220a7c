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

    /// Whether to count them before `count` further ones are written. One of the pushes that are
    /// under way at the same time counts for all.
    func isDue(writing count: Int, by login: String) -> Bool {
        written.withLock { written in
            let sum = written[login, default: 0] + count
            if written.count >= Self.mostUsers { written.removeAll(keepingCapacity: true) }
            written[login] = sum < step ? sum : nil
            return sum >= step
        }
    }

    /// Notes that there was no room, so that the next push counts them again.
    func stayDue(for login: String) { written.withLock { $0[login] = step } }
}
