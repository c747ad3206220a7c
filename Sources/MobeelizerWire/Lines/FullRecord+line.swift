import ChangeRules
import DefinitionModel
import SyncEngine
import WholeRecordSync

extension FullRecord {
    /// Translates a line to the current definition. Unknown models and fields keep the client's
    /// name; the engine then refuses them.
    init(_ line: RecordLine, through mapping: SchemaMapping, id: String) {
        let model = mapping.model(calledByClient: line.model)
        let fields = line.fields.map { name, json in
            let field = model?.field(calledByClient: name)
            return (
                field?.name ?? name,
                field.map { GivenValue(fromWire: json, of: $0.type.name) } ?? .unreadable
            )
        }
        self.init(
            id: id, model: model?.name ?? line.model, guid: line.guid, isDeleted: line.isDeleted,
            resolves: line.resolvesConflict,
            fields: Dictionary(fields, uniquingKeysWith: { first, _ in first }))
    }

    /// Guids of the records that this record belongs to.
    var targets: [String] {
        fields.values.compactMap { value in
            if case .value(.reference(let guid)) = value { guid } else { nil }
        }
    }

    /// Guids of the files in its fields.
    var files: [String] {
        fields.values.compactMap { value in
            if case .value(.file(let file)) = value { file.guid } else { nil }
        }
    }
}
