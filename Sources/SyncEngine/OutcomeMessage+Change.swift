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
            id: change.id, outcome: .refused, model: change.model.shortenedName,
            guid: change.guid.shortenedName,
            causes: causes.prefix(maxCauses).map(CauseMessage.init))
    }
}

/// Told of one change. No definition has rules for so many mistakes in one record, but a client may
/// name any number of fields that there are not.
private let maxCauses = 100
