import ChangeRules
import DefinitionModel
import SyncEngine

extension WholeRecord {
    /// A line of a client in the present definition's words. What that has not stays under the
    /// client's name, to be refused by it.
    init(_ line: RecordLine, through lens: VersionLens, id: String) {
        let model = lens.model(calledByClient: line.model)
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

    /// Guids of the records that it belongs to.
    var targets: [String] {
        fields.values.compactMap { value in
            if case .value(.reference(let guid)) = value { guid } else { nil }
        }
    }

    /// Guids of the files that it names.
    var files: [String] {
        fields.values.compactMap { value in
            if case .value(.file(let file)) = value { file.guid } else { nil }
        }
    }
}
