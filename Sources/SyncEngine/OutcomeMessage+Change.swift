import DefinitionModel
import Records
import SyncProtocol

extension OutcomeMessage {
    init(_ change: Change, _ outcome: Kind, revision: Int64) {
        self.init(
            id: change.id, outcome: outcome, model: change.model, guid: change.guid,
            revision: revision)
    }

    init(refusing change: Change, _ causes: [Cause]) {
        self.init(
            id: change.id, outcome: .refused, model: change.model, guid: change.guid,
            causes: causes.map(CauseMessage.init))
    }
}
