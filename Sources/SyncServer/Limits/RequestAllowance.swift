import NIOConcurrencyHelpers
package import SyncEngine

/// Counts the requests of clients to this process, by network address or another name.
package final class RequestAllowance: Sendable {
    private struct Window {
        let start: Instant
        var count = 0
    }

    private let windows = NIOLockedValueBox<[String: Window]>([:])
    private let max: Int
    private let seconds: Int64
    private let maxAddresses: Int

    /// Each address may ask `max` times in `seconds`.
    package init(max: Int = 10, seconds: Int64 = 600, maxAddresses: Int = 10_000) {
        self.max = max
        self.seconds = seconds
        self.maxAddresses = maxAddresses
    }

    /// Returns the seconds until the address may ask again; 0 if it may ask now.
    package func wait(of address: String, at now: Instant) -> Int64 {
        windows.withLockedValue { windows in
            let window = windows[address].flatMap { isOpen($0, at: now) ? $0 : nil }
            var current = window ?? Window(start: now)
            guard current.count < max else {
                return Swift.max(1, current.start.adding(seconds: seconds).seconds(since: now))
            }
            current.count += 1
            windows[address] = current
            if windows.count > maxAddresses { forget(&windows, at: now) }
            return 0
        }
    }

    private func isOpen(_ window: Window, at now: Instant) -> Bool {
        now < window.start.adding(seconds: seconds) && window.start <= now
    }

    /// Forgets the addresses that may ask again, and then those that began first.
    private func forget(_ windows: inout [String: Window], at now: Instant) {
        windows = windows.filter { isOpen($0.value, at: now) }
        guard windows.count > maxAddresses else { return }
        let first = windows.sorted { $0.value.start < $1.value.start }.prefix(maxAddresses / 4)
        for (address, _) in first { windows[address] = nil }
    }
}
