package import ChangeRules
import DefinitionModel
import JSON

/// A value of a unique field. At most one undeleted record of the model in an environment holds it.
package struct UniqueValue: Sendable {
    package let model: String
    package let field: String
    /// The value's `canonicalText`. The definition limits its length.
    package let text: String

    package init(model: String, field: String, text: String) {
        self.model = model
        self.field = field
        self.text = text
    }
}

extension UniqueValue: Hashable {
    package static func == (left: UniqueValue, right: UniqueValue) -> Bool {
        left.model == right.model && left.field == right.field
            && left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(model)
        hasher.combine(field)
        hasher.combine(text)
    }
}

/// A unique value and the guid of its holder.
package struct UniqueHolding: Hashable, Sendable {
    package let value: UniqueValue
    package let guid: String

    package init(value: UniqueValue, guid: String) {
        self.value = value
        self.guid = guid
    }
}

extension Model {
    /// Returns the unique values of a record. Null counts as no value.
    func uniqueValues(in fields: [String: JSONValue]) -> [UniqueValue] {
        self.fields.filter(\.isUnique).compactMap { field in
            let value = fields[field.name].flatMap { FieldValue($0, of: field.type.name) }
            return value?.canonicalText.map {
                UniqueValue(model: name, field: field.name, text: $0)
            }
        }
    }
}

/// Returns the unique values that a batch may give to records: those that it sets, the defaults of
/// new records, and all values of a deleted record, since a change may restore it.
package func uniqueValues(
    of batch: [Change], on records: [String: StoredRecord], by rules: Rules
) throws(StoreError) -> Set<UniqueValue> {
    var values: Set<UniqueValue> = []
    for change in batch {
        guard let model = rules.model(named: change.model), model.hasUniqueFields else { continue }
        values.formUnion(model.model.uniqueValues(in: change.values.mapValues(\.json)))
        if change.action == .create {
            values.formUnion(
                model.model.uniqueValues(in: model.defaults.mapValues { JSONValue($0) }))
        }
        if let record = records[change.guid], record.isDeleted {
            let stored = try JSONText.fields(record.fieldsText)
            let filled = rules.fills.completion(of: stored, ofModel: record.model).values
            values.formUnion(
                model.model.uniqueValues(in: stored.merging(filled) { _, filled in filled }))
        }
    }
    return values
}
