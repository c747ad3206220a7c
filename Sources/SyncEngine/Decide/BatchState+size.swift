import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

// The size of records.

extension BatchState {
    /// Why a creation makes too large a record. The cause names the largest field that it sets.
    func sizeCauses(creating start: StartingFields, from given: [String: JSONValue]) -> [Cause] {
        start.text.utf8.count > author.limits.recordBytes
            ? [tooLarge(because: given.mapValues(\.mostBytes))] : []
    }

    /// Why values make a record larger than records may be. The cause names the field that grows
    /// most.
    ///
    /// Only fields count that the change sets, or that its author sees and may update: the refusal
    /// would tell the size of others, and its author could not shorten them. A record that is
    /// larger already may become smaller, and take small changes.
    mutating func sizeCauses(
        setting fields: [String: JSONValue], of record: WorkingRecord, in model: ModelRules
    ) -> [Cause] {
        let limits = author.limits
        let most = fields.mostBytes
        guard most > limits.smallChangeBytes, record.mostBytes + most > limits.recordBytes
        else { return [] }
        let given = fields.reduce(into: [:]) { bytes, field in
            bytes[field.key] = field.value.storedBytes(named: field.key)
        }
        let givenBytes = given.values.reduce(0, +)
        guard givenBytes > limits.smallChangeBytes else { return [] }

        let view = view(of: OwnedRecord(of: record.stored))
        var sizes = takeSizes(of: record, in: model, seenThrough: view)
        defer { keep(sizes, of: record) }
        var growth = given
        for name in given.keys where view.shows(field: name) {
            growth[name, default: 0] -= sizes.bytes(of: name, record.value(of: name))
        }
        guard growth.values.reduce(0, +) > 0 else { return [] }
        var bytes = givenBytes
        for name in sizes.counted where given[name] == nil {
            bytes += sizes.bytes(of: name, record.value(of: name))
        }
        return bytes > limits.recordBytes ? [tooLarge(because: growth)] : []
    }

    private mutating func takeSizes(
        of record: WorkingRecord, in model: ModelRules, seenThrough view: FieldVisibility
    ) -> RecordSizes {
        if let known = sizes.removeValue(forKey: record.stored.guid) { return known }
        let counted = model.model.fields.map(\.name).filter { name in
            view.shows(field: name)
                && rules.book.allows(
                    .update, field: name, of: model.model.name, on: record.stored.ownership,
                    by: author.asker)
        }
        return RecordSizes(counted: Set(counted))
    }

    private mutating func keep(_ known: RecordSizes, of record: WorkingRecord) {
        sizes[record.stored.guid] = known
    }

    private func tooLarge(because growth: [String: Int]) -> Cause {
        let field = growth.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        return Cause(
            .change(.recordTooLarge(maxBytes: author.limits.recordBytes)), field: field)
    }
}

extension WorkingRecord {
    /// At least the size of the fields as they are stored, for which nothing is encoded.
    fileprivate var mostBytes: Int {
        if let text { return text.utf8.count }
        return isTouched ? fields.mostBytes : stored.fieldsText.utf8.count
    }
}

extension [String: JSONValue] {
    /// At least the size of the values as stored text, for which nothing is encoded.
    fileprivate var mostBytes: Int {
        reduce(2) { $0 + $1.key.storedNameBytes + $1.value.mostBytes }
    }
}

extension JSONValue {
    fileprivate func storedBytes(named name: String) -> Int {
        self == .null ? 0 : name.storedNameBytes + JSONText.bytes(of: self)
    }

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
