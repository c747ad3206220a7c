package import JSON

/// A record with its fields decoded.
package struct WorkingRecord {
    package internal(set) var stored: StoredRecord
    /// A missing field is null.
    package internal(set) var fields: [String: JSONValue] { didSet { text = nil } }
    /// The fields as stored JSON text; nil if not encoded yet.
    private(set) var text: String?
    /// Whether the batch has changed the record.
    var isTouched = false

    /// `fields` are the decoded fields of `stored`.
    package init(stored: StoredRecord, fields: [String: JSONValue]) {
        self.stored = stored
        self.fields = fields
    }

    init(stored: StoredRecord, _ start: StartingFields) {
        self.stored = stored
        fields = start.values
        text = start.text
    }

    func value(of field: String) -> JSONValue { fields[field] ?? .null }
}
