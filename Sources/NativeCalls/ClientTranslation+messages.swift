import DefinitionModel
import SyncProtocol
import VersionTranslation

/// The requests of a client of another version, in the words of the served one.
extension ClientTranslation {
    func served(_ request: SyncRequest) -> SyncRequest {
        var served = request
        served.changes = request.changes.map(self.served)
        return served
    }

    private func served(_ change: ChangeMessage) -> ChangeMessage {
        var served = change
        served.model = servedModel(change.model)
        if let model = model(calledByClient: change.model) {
            served.fields = model.servedFields(change.fields)
        }
        return served
    }

    /// A model that is not served gets a name that no definition has: the served definition may
    /// have another model of that name, which the client does not know.
    func servedModel(_ name: String) -> String {
        model(calledByClient: name)?.served.name ?? "~\(name)"
    }

    /// The fields of an answer. The client's fields that are not served are left out.
    func servedFields(_ fields: [String]?, ofModel name: String) -> [String]? {
        guard let fields, let model = model(calledByClient: name) else { return fields }
        return fields.compactMap { field in
            if let known = model.field(calledByClient: field) { return known.served.name }
            return model.unserved.contains { $0.name == field } ? nil : field
        }
    }

    /// Values by the names of fields. Those of fields that are not served are left out.
    func servedNames<Value>(
        _ values: [String: Value], ofModel name: String?
    ) -> [String: Value] {
        guard let name, let model = model(calledByClient: name) else { return values }
        let served = values.compactMap { field, value in
            model.field(calledByClient: field).map { ($0.served.name, value) }
        }
        return Dictionary(served, uniquingKeysWith: { first, _ in first })
    }
}
