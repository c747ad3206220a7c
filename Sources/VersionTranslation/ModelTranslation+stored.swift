import DefinitionModel
package import JSON

/// For values that a client has stored, once it is updated to the other version.
extension ModelTranslation {
    /// Whether records look different in the other version: another name or type, or more fields.
    package var changesStoredRecords: Bool {
        client.name != served.name
            || served.fields.contains { field in
                self.field(servedAs: field.name).map {
                    $0.client.name != field.name || $0.client.type.name != field.type.name
                } ?? true
            }
    }

    /// Whether unsent changes look different in the other version, also by having fewer fields.
    package var changesUnsentEdits: Bool { changesStoredRecords || !unserved.isEmpty }

    /// The fields of an unsent change by the names and types of the other version, without those
    /// that say nothing there, as in `servedFields(_:isNew:)`. A relation to another model stays,
    /// and is refused. So does a value from before this version, which lacks its field: it is
    /// understood again where the other one has the field.
    package func adaptedChange(
        _ fields: [String: JSONValue], isNew: Bool
    ) -> [String: JSONValue] {
        let said = fields.filter { name, value in
            guard let gone = unserved.first(where: { $0.name == name }) else { return true }
            return !Self.saysNothing(value, in: gone, isNew: isNew)
        }
        let relations = unserved.filter { field in
            field.type.targetModel != nil
                && served.fields.contains {
                    $0.name == field.name && $0.type.targetModel != nil
                }
        }
        var result = adapted(said)
        for field in relations where result[field.name] == nil {
            result[field.name] = said[field.name]
        }
        let own = Set(client.fields.map(\.name))
        return result.merging(said.filter { !own.contains($0.key) }) { present, _ in present }
    }

    /// Stored fields by the names and types of the other version. A field that it does not have
    /// stays as it is, unless another one has its name there.
    package func adapted(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        let names = Set(served.fields.map(\.name))
        var result: [String: JSONValue] = [:]
        for (name, value) in fields {
            if let field = field(calledByClient: name) {
                result[field.served.name] = field.storedValue(value)
            } else if !names.contains(name) {
                result[name] = value
            }
        }
        return result
    }
}
