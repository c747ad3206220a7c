/// The number of rows that are read at once.
///
/// The first batch is small, since it may suffice. Later ones double, and shrink while rows are
/// large.
package struct BatchSize: Sendable {
    package static let maxCount = 512
    /// A batch ends with the row that reaches these bytes. Where it is read to its end, more bytes
    /// halve the next one.
    package static let maxBytes = 4 << 20

    package private(set) var count = 32

    package init() {}

    package var limit: ReadLimit { ReadLimit(rows: count, bytes: Self.maxBytes) }

    /// Sets the next count, after a batch of `bytes` bytes was read.
    package mutating func adjust(after bytes: Int) {
        count = bytes > Self.maxBytes ? max(1, count / 2) : min(Self.maxCount, count * 2)
    }
}
