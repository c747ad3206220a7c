/// The number of rows that are read at once.
///
/// The first batch is small, since it may suffice. Later ones double, and shrink while rows are
/// large.
struct BatchSize {
    private static let maxCount = 512
    /// A batch of more bytes halves the next one.
    private static let maxBytes = 4 << 20

    private(set) var count = 32

    /// Sets the next count, after a batch of `bytes` bytes was read.
    mutating func adjust(after bytes: Int) {
        count = bytes > Self.maxBytes ? max(1, count / 2) : min(Self.maxCount, count * 2)
    }
}

extension [FoundRecord] {
    /// The size of the fields, in bytes.
    var fieldBytes: Int { reduce(0) { $0 + $1.record.fieldsText.utf8.count } }
}
