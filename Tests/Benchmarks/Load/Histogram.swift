/// A histogram of durations with a relative error below 1%: 128 buckets per power of two, and one
/// bucket per microsecond below that.
struct Histogram {
    private static let bits = 7
    private var counts: [Int] = []
    private(set) var count = 0
    private(set) var total: UInt64 = 0
    private(set) var max: UInt64 = 0

    mutating func add(_ microseconds: UInt64) {
        let bucket = Self.bucket(of: microseconds)
        if bucket >= counts.count {
            counts += Array(repeating: 0, count: bucket + 1 - counts.count)
        }
        counts[bucket] += 1
        count += 1
        total += microseconds
        max = Swift.max(max, microseconds)
    }

    /// The upper bound and the count of each non-empty bucket.
    var buckets: [(upTo: UInt64, count: Int)] {
        counts.enumerated().filter { $0.element > 0 }.map {
            (upTo: Self.firstValue(of: $0.offset + 1) - 1, count: $0.element)
        }
    }

    private static func bucket(of value: UInt64) -> Int {
        let shift = Swift.max(0, UInt64.bitWidth - value.leadingZeroBitCount - bits - 1)
        return (shift << bits) + Int(value >> UInt64(shift))
    }

    private static func firstValue(of bucket: Int) -> UInt64 {
        let shift = Swift.max(0, (bucket >> bits) - 1)
        return UInt64(bucket - (shift << bits)) << UInt64(shift)
    }
}
