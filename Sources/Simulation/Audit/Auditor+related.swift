import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// The last effective change of a record.
struct LastEffect: Hashable, Sendable {
    let revision: Int64
    /// A sequence before the change.
    let after: Int64
}

extension ModelRules {
    /// The other modes apply a change whatever happened to related records: two records share no
    /// field.
    fileprivate var disputesRelated: Bool {
        switch model.conflictMode {
        case .manual, .discard: true
        case .overwrite, .merge: false
        }
    }
}

extension Auditor {
    /// The records that a change's record belongs to by relations with `analyzeConflict`, as they
    /// were before the request. One that is named by a field which its author may not read does
    /// not count: the outcome would tell of it.
    func relatedRecords(
        of settled: SettledChange, in before: [String: AuditedRecord], by asker: Asker
    ) -> [AuditedRecord] {
        guard let record = before[settled.message.guid],
            let model = rules.model(named: settled.message.model)
        else { return [] }
        return model.model.fields.compactMap { field in
            guard case .belongsTo(let relation) = field.type, relation.analyzesConflict,
                asker.may(
                    .read, .field(field.name, of: record.stored.model),
                    of: record.stored.ownership, rules),
                case .string(let guid)? = record.fields[field.name],
                let target = before[guid], target.stored.model == relation.model
            else { return nil }
            return target
        }
    }

    /// A change is accepted only if its device had received every change of other devices to the
    /// records that its record belongs to.
    func checkRelated(
        _ settled: SettledChange, _ related: [AuditedRecord], at cursor: String?, from asker: Asker
    ) throws(InvariantViolation) {
        guard settled.outcome.outcome == .accepted, settled.message.base != nil,
            rules.model(named: settled.message.model)?.disputesRelated ?? false,
            let position = position(of: cursor),
            let own = timelines[settled.message.guid]?.entries(of: settled.name).first,
            own.tookEffect, own.written.kind == .updated || own.written.kind == .deleted
        else { return }
        for record in related {
            let target = record.stored
            guard let effect = effects[target.guid], effect.revision == target.revision,
                position <= effect.after,
                asker.may(.read, .model(target.model), of: target.ownership, rules),
                let entry = timelines[target.guid]?.entries.last(where: {
                    $0.tookEffect && $0.written.revision == effect.revision
                }), !entry.isOfSameDevice(as: own)
            else { continue }
            throw settled.violation(
                .nobodyOverwritesTheUnseen,
                "did not know \(entry.summary) of a record that it belongs to")
        }
    }

    /// The sequence up to which a client has read; nil if it is unreadable.
    private func position(of cursor: String?) -> Int64? {
        guard let cursor else { return 0 }
        guard let json = try? parseJSON(Array(cursor.utf8)),
            let read = Cursor(wellFormed: json)
        else { return nil }
        return switch read.phase {
        case .following, .starting: read.position
        case .changing(_, _, let until): max(read.position, until)
        }
    }
}
