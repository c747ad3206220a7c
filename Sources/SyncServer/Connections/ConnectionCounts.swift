import NIOConcurrencyHelpers

/// Counts the connections of each address, so that one address cannot take all of them.
final class ConnectionCounts: Sendable {
    let maxOfOne: Int
    private let counts = NIOLockedValueBox<[IPAddress: Int]>([:])

    init(maxOfOne: Int) { self.maxOfOne = maxOfOne }

    /// Returns false if the address has as many connections as it may. Otherwise call `leave`
    /// afterwards.
    func enter(_ address: IPAddress) -> Bool {
        counts.withLockedValue { counts in
            let count = counts[address, default: 0]
            guard count < maxOfOne else { return false }
            counts[address] = count + 1
            return true
        }
    }

    func leave(_ address: IPAddress) {
        counts.withLockedValue { counts in
            let others = counts[address, default: 1] - 1
            counts[address] = others == 0 ? nil : others
        }
    }
}
