/// The values of one record in its stored JSON, by the names of a selection. They point into the
/// text, and are valid as long as it is.
package struct StoredValues {
    private let text: UnsafeBufferPointer<UInt8>
    /// By the index of the name; empty if the record has no value.
    private let places: UnsafeBufferPointer<Range<Int>>
    /// Whether the text has the selected members only, all of them and in order. Members that
    /// follow each other can then be copied together: see `members`.
    package let isWhole: Bool

    init(
        text: UnsafeBufferPointer<UInt8>, places: UnsafeBufferPointer<Range<Int>>, isWhole: Bool
    ) {
        self.text = text
        self.places = places
        self.isWhole = isWhole
    }

    /// The JSON of the value; nil if the record has none.
    package subscript(index: Int) -> UnsafeBufferPointer<UInt8>? {
        let place = places[index]
        return place.isEmpty ? nil : UnsafeBufferPointer(rebasing: text[place])
    }

    /// The members of a whole text with their names, and a comma between two.
    package func members(_ indexes: Range<Int>) -> UnsafeBufferPointer<UInt8> {
        let start = indexes.lowerBound == 0 ? 1 : places[indexes.lowerBound - 1].upperBound + 1
        let end = places[indexes.upperBound - 1].upperBound
        return UnsafeBufferPointer(rebasing: text[start..<end])
    }
}

extension FieldSelection {
    /// Calls `use` with the values of the stored fields.
    package func withValues(
        in utf8: UnsafeBufferPointer<UInt8>, _ use: (StoredValues) -> Void
    ) throws(StoreError) {
        let isObject = withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: names.count) {
            places in
            places.initialize(repeating: 0..<0)
            let isWhole = isWhole(utf8, placing: places)
            guard isWhole || find(utf8, placing: places) else { return false }
            use(StoredValues(text: utf8, places: UnsafeBufferPointer(places), isWhole: isWhole))
            return true
        }
        guard isObject else { throw .unreadable("stored fields are no JSON object") }
    }
}
