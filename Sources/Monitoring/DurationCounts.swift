/// Durations counted in buckets, as a histogram of Prometheus has them.
package struct DurationCounts: Hashable, Sendable {
    /// The upper bounds in seconds, ascending. Longer durations are in `count` only.
    package static let standardBounds = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30,
    ]

    package let bounds: [Double]
    /// The number of durations up to each bound that are above the one before.
    private var buckets: [Int]
    package private(set) var count = 0
    package private(set) var seconds = 0.0

    package init(bounds: [Double] = Self.standardBounds) {
        self.bounds = bounds
        buckets = bounds.map { _ in 0 }
    }

    package mutating func add(seconds duration: Double) {
        count += 1
        seconds += duration
        if let index = bounds.firstIndex(where: { duration <= $0 }) { buckets[index] += 1 }
    }

    /// The number of durations up to each bound.
    package var cumulative: [Int] {
        var sum = 0
        return buckets.map { bucket in
            sum += bucket
            return sum
        }
    }
}
