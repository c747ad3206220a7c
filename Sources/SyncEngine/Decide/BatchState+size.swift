import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

// The size of records.

extension BatchState {
    /// Why a creation makes too large a record.
    func sizeCauses(creating start: StartingFields) -> [Cause] {
        start.text.utf8.count > author.limits.recordBytes ? [tooLarge] : []
    }

    /// Why values make a record larger than records may be. Only fields count that the author sees,
    /// or sets: the refusal would tell the size of others. A record that is larger already may
    /// become smaller.
    func sizeCauses(
        setting fields: [String: JSONValue], of record: WorkingRecord, in model: ModelRules
    ) -> [Cause] {
        let max = author.limits.recordBytes
        guard record.fields.mostBytes + fields.mostBytes > max else { return [] }
        let view = view(of: OwnedRecord(of: record.stored))
        let seen = record.fields.filter { view.shows(field: $0.key) }
        let bytes = seen.merging(fields) { _, given in given }.storedBytes(in: model)
        return bytes > max && bytes > seen.storedBytes(in: model) ? [tooLarge] : []
    }

    private var tooLarge: Cause {
        Cause(.change(.recordTooLarge(maxBytes: author.limits.recordBytes)))
    }
}

extension [String: JSONValue] {
    fileprivate func storedBytes(in model: ModelRules) -> Int {
        JSONText.text(ofValuesIn: self, by: model).utf8.count
    }

    /// At least the size of the values as stored text, for which nothing is encoded.
    fileprivate var mostBytes: Int {
        reduce(2) { $0 + $1.key.utf8.count + 4 + $1.value.mostBytes }
    }
}

extension JSONValue {
    /// A character may need six bytes for each of its own.
    fileprivate var mostBytes: Int {
        switch self {
        case .null, .boolean, .unrepresentable: 5
        case .integer: 20
        case .decimal(let text), .string(let text): 6 * text.utf8.count + 2
        case .array(let elements): elements.reduce(2) { $0 + $1.mostBytes + 1 }
        case .object(let members): members.mostBytes
        }
    }
}
