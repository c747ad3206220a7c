package import ChangeRules

extension OutcomeMessage {
    package init(_ outcome: Outcome) {
        self.init(
            id: outcome.changeID, outcome: Kind(outcome.kind), model: outcome.model,
            guid: outcome.guid, revision: outcome.revision, overwrote: outcome.overwrote,
            causes: outcome.kind == .refused ? outcome.causes.map(CauseMessage.init) : nil)
    }
}

extension OutcomeMessage.Kind {
    fileprivate init(_ kind: Outcome.Kind) {
        switch kind {
        case .accepted: self = .accepted
        case .merged: self = .merged
        case .conflicted: self = .conflicted
        case .discarded: self = .discarded
        case .refused: self = .refused
        }
    }
}
