import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import WholeRecordSync

extension FullRecord {
    /// Translates a line to the current definition. Unknown models and fields keep the client's
    /// name; the engine then refuses them.
    init(_ line: RecordLine, through mapping: SchemaMapping, id: String) {
        let model = mapping.model(calledByClient: line.model)
        var fields: [String: GivenValue] = [:]
        var unreadable: [String: JSONValue] = [:]
        var placeholders: Set<String> = []
        for (name, json) in line.fields {
            let field = model?.field(calledByClient: name)
            // A null in a field that the definition has no longer says nothing.
            guard field != nil || json != .null else { continue }
            let value = field.map { GivenValue(fromWire: json, of: $0.type.name) } ?? .unreadable
            let known = field?.name ?? name
            fields[known] = value
            if value == .unreadable { unreadable[known] = json }
            if model?.placeholders[name] == json.onWire { placeholders.insert(known) }
        }
        self.init(
            id: id, model: model?.name ?? line.model, guid: line.guid, isDeleted: line.isDeleted,
            resolves: line.resolvesConflict, fields: fields, unreadable: unreadable,
            placeholders: placeholders, filled: model?.filled(leftOpenBy: fields) ?? [:])
    }

    /// Guids of the records that this record belongs to.
    var targets: [String] {
        fields.values.compactMap { value in
            if case .value(.reference(let guid)) = value { guid } else { nil }
        }
    }
}
