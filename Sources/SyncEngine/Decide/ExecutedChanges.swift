import ChangeRules
import DefinitionModel

/// The changes of the author's device that the histories of records contain.
///
/// An acknowledged outcome is no longer stored. A copy of its change that arrives afterwards is
/// recognised by the history, which has the change's id. Each history is searched once for all
/// changes of its record.
struct ExecutedChanges {
    /// By guid and change id.
    private var entries: [String: [String: HistoryEntry]] = [:]

    /// `history` is the history of the change's record.
    mutating func entry(
        of change: Change, in history: [HistoryEntry], by author: Author
    ) -> HistoryEntry? {
        if let known = entries[change.guid] { return known[change.id] }
        var own: [String: HistoryEntry] = [:]
        for entry in history where author.made(entry) { own[entry.changeID] = entry }
        entries[change.guid] = own
        return own[change.id]
    }
}

extension BatchState {
    /// Returns the outcome of a change that is in its record's history.
    ///
    /// The entry of a change comes after the change's base, so only the history that the batch
    /// reads anyway can contain it. The conflict mode is the present one: after a deployment of
    /// another mode, a merged change may be reported as accepted.
    mutating func outcome(ofExecuted change: Change) -> Outcome? {
        guard let history = facts.history[change.guid],
            let entry = executedChanges.entry(of: change, in: history, by: author)
        else { return nil }
        return switch entry.kind {
        case .created, .updated, .deleted, .resolved: accepted(change, by: entry)
        case .conflicted: outcome(of: change, .conflicted, by: entry)
        case .discarded: outcome(of: change, .discarded, by: entry)
        case .reassigned, .filled: nil
        }
    }

    private mutating func accepted(_ change: Change, by entry: HistoryEntry) -> Outcome {
        var outcome = outcome(of: change, .accepted, by: entry)
        guard let base = base(of: change),
            let unseen = unseenHistory(of: change.guid)?.firstEffect(after: base),
            unseen.revision < entry.revision
        else { return outcome }
        switch rules.model(named: outcome.model)?.model.conflictMode {
        case .merge: outcome.kind = .merged
        case .overwrite: outcome.overwrote = entry.revision - 1
        case .manual, .discard, nil: break
        }
        return outcome
    }

    /// The model may have been renamed since.
    private func outcome(
        of change: Change, _ kind: Outcome.Kind, by entry: HistoryEntry
    ) -> Outcome {
        Outcome(
            changeID: change.id, kind: kind,
            model: facts.records[change.guid]?.model ?? change.model, guid: change.guid,
            revision: entry.revision)
    }
}
