import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import VersionTranslation
import WholeRecordSync

extension FullRecord {
    /// Translates a line to the current definition. Unknown models and fields keep the client's
    /// name; the engine then refuses them.
    init(_ line: RecordLine, through mapping: SchemaMapping, id: String) {
        let model = mapping.model(calledByClient: line.model)
        var fields: [String: GivenValue] = [:]
        var unreadable: [String: JSONValue] = [:]
        var placeholders: Set<String> = []
        var standing: Set<String> = []
        for (name, json) in line.fields {
            let field = model?.field(calledByClient: name)
            guard !(model?.saysNothing(json, in: name) ?? (json == .null)) else { continue }
            let value =
                field.map { field in
                    let given = GivenValue(fromWire: json, of: field.client.type.name)
                    return field.servedValue(mapping.library.meant(given))
                } ?? .unreadable
            let known = field?.served.name ?? name
            fields[known] = value
            if value == .unreadable { unreadable[known] = json }
            let isPlaceholder = model?.placeholders[name] == json.onWire
            if isPlaceholder { placeholders.insert(known) }
            if field?.isOfWholeNumbers ?? false, isPlaceholder || json == .null {
                standing.insert(known)
            }
        }
        self.init(
            id: id, model: model?.name ?? line.model, guid: line.guid, isDeleted: line.isDeleted,
            resolves: line.resolvesConflict, fields: fields, unreadable: unreadable,
            placeholders: placeholders, standingForFractions: standing,
            emptyFiles: mapping.library.leavesOutEmptyFiles
                ? model?.files(leftOutOf: line.fields) ?? [] : [],
            precision: mapping.library.precision, filled: model?.filled(leftOpenBy: fields) ?? [:])
    }

    /// Guids of the records that this record belongs to.
    var targets: [String] {
        fields.values.compactMap { value in
            if case .value(.reference(let guid)) = value { guid } else { nil }
        }
    }
}
