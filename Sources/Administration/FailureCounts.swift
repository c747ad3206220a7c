package import SyncEngine

/// The failed sign-ins of operators in one process: by name and address, by address alone, and by
/// name alone, from all browsers that the operator has not signed in with before.
///
/// An attempt counts as failed until it has ended well: otherwise as many as arrive at the same
/// moment would all be free.
///
/// The first failures of a source are free; each further one doubles the time that the source must
/// wait, except for the strangers at a name, who wait equally long each time. Sources that failed
/// longest ago are forgotten.
package struct FailureCounts: Sendable {
    /// A source of failures.
    package struct Source: Hashable, Sendable {
        /// Nil for all names.
        package let name: String?
        /// Nil for all addresses.
        package let address: String?

        package init(name: String?, address: String?) {
            self.name = name
            self.address = address
        }
    }

    private struct Failed: Sendable {
        var count: Int
        var last: Instant
        /// The failure before the last one.
        var before: Instant?
    }

    private var failed: [Source: Failed] = [:]
    private let most: Int

    /// Keeps the failures of `most` sources.
    package init(most: Int = 10_000) { self.most = most }

    /// When the failures of a source make it wait.
    private struct Backoff {
        /// The number of failures that are free.
        let free: Int
        let firstWaitSeconds: Int64
        let longestWaitSeconds: Int64
    }

    private static let keptSeconds: Int64 = 3600

    /// Returns how many seconds an attempt has to wait; 0 if it is admitted.
    ///
    /// - Parameter isKnown: Whether the browser has signed in with this name before.
    package func waitSeconds(
        name: String, address: String, isKnown: Bool, at now: Instant
    ) -> Int64 {
        Self.sources(name, address, isKnown).map { source, patience -> Int64 in
            guard let failure = failed[source], failure.count >= patience.free else { return 0 }
            let doublings = min(failure.count - patience.free, 20)
            let wait = min(patience.firstWaitSeconds << doublings, patience.longestWaitSeconds)
            return max(0, min(wait, failure.last.adding(seconds: wait).seconds(since: now)))
        }.max() ?? 0
    }

    /// Counts an attempt as failed if it need not wait. Returns how many seconds it has to wait; 0
    /// if it is admitted, and then `succeed` or `withdraw` may follow.
    package mutating func begin(
        name: String, address: String, isKnown: Bool, at now: Instant
    ) -> Int64 {
        let wait = waitSeconds(name: name, address: address, isKnown: isKnown, at: now)
        if wait == 0 { fail(name: name, address: address, isKnown: isKnown, at: now) }
        return wait
    }

    package mutating func fail(
        name: String, address: String, isKnown: Bool, at now: Instant
    ) {
        for (source, _) in Self.sources(name, address, isKnown) {
            let former = failed[source].flatMap { former in
                now.seconds(since: former.last) < Self.keptSeconds ? former : nil
            }
            failed[source] = Failed(
                count: (former?.count ?? 0) + 1, last: now, before: former?.last)
        }
        guard failed.count > most else { return }
        let oldest = failed.sorted { $0.value.last < $1.value.last }.prefix(most / 4)
        for (source, _) in oldest { failed[source] = nil }
    }

    /// Forgets the failures of a name at an address after an attempt that was right.
    package mutating func succeed(name: String, address: String, isKnown: Bool) {
        withdraw(name: name, address: address, isKnown: isKnown)
        failed[Source(name: name, address: address)] = nil
    }

    /// Takes an attempt back whose password was not looked at.
    package mutating func withdraw(name: String, address: String, isKnown: Bool) {
        for (source, _) in Self.sources(name, address, isKnown) { takeBack(source) }
    }

    private mutating func takeBack(_ source: Source) {
        guard var failure = failed[source] else { return }
        failure.count -= 1
        failure.last = failure.before ?? failure.last
        failed[source] = failure.count > 0 ? failure : nil
    }

    private static func sources(
        _ name: String, _ address: String, _ isKnown: Bool
    ) -> [(Source, Backoff)] {
        let sources = [
            (
                Source(name: name, address: address),
                Backoff(free: 5, firstWaitSeconds: 1, longestWaitSeconds: 900)
            ),
            (
                Source(name: nil, address: address),
                Backoff(free: 20, firstWaitSeconds: 1, longestWaitSeconds: 900)
            ),
        ]
        guard !isKnown else { return sources }
        let strangers = Backoff(free: 100, firstWaitSeconds: 10, longestWaitSeconds: 10)
        return sources + [(Source(name: name, address: nil), strangers)]
    }
}
