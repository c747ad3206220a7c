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
            served.fields = model.servedFields(change.fields, isNew: change.action == .create)
        }
        return served
    }
}
