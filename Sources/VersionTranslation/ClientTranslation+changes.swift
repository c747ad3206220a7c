package import ChangeRules
import DefinitionModel

/// Changes and names of a client, in the words of the served definition.
extension ClientTranslation {
    /// A model that is not served gets a name that no definition has: the served definition may
    /// have another model of that name, which the client does not know.
    package func servedModel(_ name: String) -> String {
        model(calledByClient: name)?.served.name ?? "~\(name)"
    }

    package func served(_ change: Change) -> Change {
        Change(
            id: change.id, action: change.action, model: servedModel(change.model),
            guid: change.guid, baseRevision: change.baseRevision,
            fields: model(calledByClient: change.model)?
                .servedFields(change.fields, isNew: change.action == .create) ?? change.fields,
            isRefusedIfStale: change.isRefusedIfStale, isOfWholeRecord: change.isOfWholeRecord,
            followsPresent: change.followsPresent, onlyAsks: change.onlyAsks,
            partOf: change.partOf, name: change.name, filled: change.filled,
            isOfDeleted: change.isOfDeleted)
    }

    /// The fields of an answer. The client's fields that are not served are left out.
    package func servedFields(_ fields: [String]?, ofModel name: String) -> [String]? {
        guard let fields, let model = model(calledByClient: name) else { return fields }
        return fields.compactMap { field in
            if let known = model.field(calledByClient: field) { return known.served.name }
            return model.unserved.contains { $0.name == field } ? nil : field
        }
    }

    /// Values by the names of fields. Those of fields that are not served are left out.
    package func servedNames<Value>(
        _ values: [String: Value], ofModel name: String?
    ) -> [String: Value] {
        guard let name, let model = model(calledByClient: name) else { return values }
        let served = values.compactMap { field, value in
            model.field(calledByClient: field).map { ($0.served.name, value) }
        }
        return Dictionary(served, uniquingKeysWith: { first, _ in first })
    }
}
