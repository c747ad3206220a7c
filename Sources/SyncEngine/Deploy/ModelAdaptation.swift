import ChangeRules
import DefinitionModel
import JSON

/// The changes to the records that are stored under a model name.
struct ModelAdaptation: Hashable, Sendable {
    /// The new model name, which may be the same.
    let model: String
    /// Only renamed fields; others keep their names.
    let renamedFields: [FieldRenaming]
    /// The new names of the fields whose stored integers become decimals.
    let widenedFields: Set<String>

    var changesFields: Bool { !renamedFields.isEmpty || !widenedFields.isEmpty }

    /// Returns the names under which the value of a field may be stored.
    func sources(of field: String) -> [String] {
        renamedFields.first { $0.name == field }?.sources ?? [field]
    }

    /// Renames the fields. If several sources of a field have values, `choose` selects one; it gets
    /// at least one value, in the order of the sources.
    func renamed<Value>(
        _ stored: [String: Value], choosing choose: ([Value]) -> Value
    ) -> [String: Value] {
        renamedFields.reduce(into: stored) { result, field in
            let found = field.sources.compactMap { stored[$0] }
            for name in field.sources { result[name] = nil }
            result[field.name] = found.isEmpty ? nil : choose(found)
        }
    }

    /// Stored values by the new names, and of the new types.
    func adapted(_ stored: [String: JSONValue]) -> [String: JSONValue] {
        var values = renamed(stored) { $0[0] }
        for name in widenedFields {
            guard case .integer(let number)? = values[name] else { continue }
            values[name] = JSONValue(.decimal(DecimalNumber(number)))
        }
        return values
    }
}

/// The renaming of a field in a record and its history.
struct FieldRenaming: Hashable, Sendable {
    /// The new name.
    let name: String
    /// The earlier names, newest first. The first one that is present has the value; values under
    /// the others are dropped. A value under the new name is dropped as well unless the new name is
    /// a source, because it belongs to another field that once had that name.
    let sources: [String]
}
