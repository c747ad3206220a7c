import AccessPolicy
import ChangeRules
import DefinitionModel

extension BatchState {
    /// Whether the author may know that a record exists: who sees it, owns it, or may change or
    /// delete it.
    func isKnown(_ record: OwnedRecord) -> Bool {
        let (asker, ownership) = (author.asker, record.ownership)
        return view(of: record) != .nothing || asker.login.hasSameBytes(as: ownership.owner)
            || [.update, .delete].contains {
                rules.book.allows($0, of: record.model, on: ownership, by: asker)
            }
    }

    func view(of record: OwnedRecord) -> FieldVisibility {
        rules.policy.readPolicy(of: record.model, for: author.asker.role)
            .view(of: record.ownership, for: author.asker)
    }

    /// Whether the author sees the values of every side of a conflict. Otherwise, its size would
    /// tell the length of hidden ones.
    func sees(
        _ conflict: RecordConflict, of record: WorkingRecord, in model: ModelRules
    ) -> Bool {
        let view = view(of: OwnedRecord(of: record.stored))
        let fields = Set(model.model.fields.map(\.name))
        return [conflict.base, conflict.mine, conflict.theirs].allSatisfy { side in
            side.fields.keys.allSatisfy { fields.contains($0) && view.shows(field: $0) }
        }
    }

    /// Whether a guid belongs to a record that the author may not know of, or that was purged.
    func isHidden(_ guid: String) -> Bool {
        guard let owner = facts.records[guid].map(OwnedRecord.init(of:)) ?? facts.owners[guid]
        else { return facts.purgedGuids.contains(guid) }
        return !isKnown(owner)
    }
}
