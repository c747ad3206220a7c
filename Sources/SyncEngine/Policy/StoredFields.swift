import JSON

/// The visible fields of a record in the JSON text that is stored. Answers of many records copy
/// their values from it: to parse them took most of the time of a page.
package struct StoredFields: Hashable, Sendable {
    private let text: String
    package let selection: FieldSelection

    package init(of record: StoredRecord, showing selection: FieldSelection) {
        text = record.fieldsText
        self.selection = selection
    }

    private init(text: String, showing selection: FieldSelection) {
        self.text = text
        self.selection = selection
    }

    /// The same without the text of hidden fields.
    package func withoutHiddenFields() throws(StoreError) -> StoredFields {
        var writer = JSONWriter()
        try withText { utf8 throws(StoreError) in try selection.write(utf8, to: &writer) }
        return StoredFields(
            text: String(decoding: writer.bytes, as: UTF8.self), showing: selection)
    }

    /// An upper bound of `bytes`, which takes no time.
    package var storedBytes: Int { text.utf8.count }

    /// The size of the visible fields as a JSON object.
    package func bytes() throws(StoreError) -> Int {
        try withText { utf8 throws(StoreError) in try selection.storedBytes(in: utf8) }
    }

    /// Calls `use` with the values, by the names of the selection. They are valid until it returns.
    package func withValues(_ use: (StoredValues) -> Void) throws(StoreError) {
        try withText { utf8 throws(StoreError) in try selection.withValues(in: utf8, use) }
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
