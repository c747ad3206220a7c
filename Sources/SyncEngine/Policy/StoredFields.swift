/// The visible fields of a record in the JSON text that is stored. Answers of many records copy
/// their values from it: to parse them took most of the time of a page.
package struct StoredFields: Hashable, Sendable {
    private let text: String
    package let selection: FieldSelection

    package init(of record: StoredRecord, showing selection: FieldSelection) {
        text = record.fieldsText
        self.selection = selection
    }

    /// An upper bound of `bytes`, which takes no time.
    package var storedBytes: Int { text.utf8.count }

    /// The size of the visible fields as a JSON object.
    package func bytes() throws(StoreError) -> Int {
        try withText { utf8 throws(StoreError) in try selection.storedBytes(in: utf8) }
    }

    /// Calls `take` with the index of each name of the selection, in order, and the JSON of its
    /// value; nil where the record has none. The bytes are valid until `take` returns.
    package func forEachValue(
        _ take: (_ index: Int, _ value: UnsafeBufferPointer<UInt8>?) -> Void
    ) throws(StoreError) {
        try withText { utf8 throws(StoreError) in
            try selection.forEachValue(in: utf8) { index, value in
                take(index, value.map { UnsafeBufferPointer(rebasing: utf8[$0]) })
            }
        }
    }

    private func withText<Value>(
        _ use: (UnsafeBufferPointer<UInt8>) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        var text = text
        let result = text.withUTF8 { utf8 -> Result<Value, StoreError> in
            do throws(StoreError) {
                return .success(try use(utf8))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }
}
