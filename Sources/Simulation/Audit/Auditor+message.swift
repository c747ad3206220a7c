import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Auditor {
    /// The record as the asker may see it; nil if invisible. Evaluates one question at a time,
    /// where the engine has a faster way.
    func message(of guid: String, for asker: Asker) -> RecordMessage? {
        guard let record = records[guid],
            let model = rules.model(named: record.stored.model)?.model,
            app.map({ $0.rules.model(named: model.name) != nil }) ?? true,
            asker.may(.read, .model(model.name), of: record.stored.ownership, rules)
        else { return nil }
        let names = Set(
            model.fields.map(\.name).filter {
                asker.may(
                    .read, .field($0, of: model.name), of: record.stored.ownership, rules)
                    && app?.has($0, of: model.name, inCommonWith: rules) ?? true
            })
        let stored = record.stored
        let isGone = stored.isDeleted && !stored.isConflicted
        let values = Dictionary(
            uniqueKeysWithValues: names.map { ($0, record.fields[$0] ?? .null) })
        let fields =
            app?.fields(
                values, of: model.name, ownedBy: stored.ownership, for: asker, servedBy: rules)
            ?? values
        return RecordMessage(
            model: stored.model, guid: stored.guid, revision: stored.revision,
            owner: stored.owner, group: stored.group, deleted: stored.isDeleted,
            conflicted: stored.isConflicted,
            fields: isGone ? nil : fields,
            conflicts: stored.isConflicted
                ? record.conflicts.map { read($0.showing(names), of: model.name) } : nil)
    }
}

extension Auditor {
    /// A conflict with the values that the app of the audited device reads.
    private func read(_ conflict: ConflictMessage, of model: String) -> ConflictMessage {
        guard let app else { return conflict }
        var conflict = conflict
        conflict.base.fields = app.known(conflict.base.fields, of: model, servedBy: rules)
        conflict.mine.fields = app.known(conflict.mine.fields, of: model, servedBy: rules)
        conflict.theirs.fields = app.known(conflict.theirs.fields, of: model, servedBy: rules)
        return conflict
    }
}

extension ConflictMessage {
    fileprivate func showing(_ names: Set<String>) -> ConflictMessage {
        var message = self
        message.base.fields = base.fields.filter { names.contains($0.key) }
        message.mine.fields = mine.fields.filter { names.contains($0.key) }
        message.theirs.fields = theirs.fields.filter { names.contains($0.key) }
        let isUntouched = message.mine.fields.keys.allSatisfy {
            message.base.fields[$0] == message.theirs.fields[$0]
        }
        let isParallel =
            isUntouched && !message.mine.fields.isEmpty && !mine.deleted && !theirs.deleted
        message.parallel = isParallel ? true : nil
        return message
    }
}

// MARK: - Former visibility

extension Auditor {
    /// Whether the user may have seen the record at any time, in any role they had.
    func wasEverSeen(_ guid: String, model: String, by asker: Asker) -> Bool {
        let roles = askers.filter { $0.login == asker.login }
        return roles.contains { former in
            versions.contains { rules in
                (owners[guid] ?? []).contains {
                    former.may(.read, .model(model), of: $0.ownership, rules)
                }
            }
        }
    }

    /// The ownership of a record after a revision. Several changes in one request are audited by
    /// their result only, so the first owner also counts for the time before.
    func ownership(of guid: String, at revision: Int64) -> Ownership? {
        let owners = owners[guid] ?? []
        return (owners.last { $0.revision <= revision } ?? owners.first)?.ownership
    }
}
