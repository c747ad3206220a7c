import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine

// Changes of clients of other wires: what they leave is told by the records before and after.

extension Auditor {
    func audit(
        _ push: ForeignPush, of changes: [Change], _ outcomes: [Outcome],
        since before: [String: AuditedRecord], by asker: Asker
    ) throws(InvariantViolation) {
        guard outcomes.count == changes.count else {
            throw InvariantViolation(
                .everyRequestIsAnswered, "\(changes.count) changes got \(outcomes.count) outcomes")
        }
        if outcomes.contains(where: { $0.kind == .refused }) {
            guard records == before else {
                throw InvariantViolation(
                    push.isWhole ? .wholeBatchesAreWhole : .nothingAcknowledgedIsLost,
                    "a refused push of another wire left something")
            }
            return
        }
        try checkUniqueValues(of: changes.map(\.guid))
        switch push {
        case .restoration(let guid, _):
            try checkRestoration(of: guid, from: before[guid], by: asker)
        case .addition(let guid, _, let field, let amount):
            try checkAddition(of: amount, to: field, of: guid, from: before[guid], by: asker)
        case .element(let element, let guid, _, let field):
            try checkElement(element, in: field, of: guid, from: before[guid], by: asker)
        case .wholeBatch(let drafts): try checkBatch(of: drafts, by: asker)
        }
    }

    private func checkRestoration(
        of guid: String, from before: AuditedRecord?, by asker: Asker
    ) throws(InvariantViolation) {
        let (before, after) = try pair(before, records[guid])
        // A deployment requires values that the record did not have when it was deleted.
        let added = after.fields.filter { name, _ in
            isRefused(name, of: before)
                && rules.model(named: after.stored.model)?.field(named: name)?.isRequired ?? false
        }
        let kept = after.fields.filter { added[$0.key] == nil }
        guard !after.stored.isDeleted, kept == before.fields.filter({ added[$0.key] == nil })
        else {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost, "\(after.summary) did not come back as it was")
        }
        for operation in [Operation.update, .delete] where before.stored.isDeleted {
            try check(operation, .model(after.stored.model), of: after, by: asker)
        }
    }

    private func checkAddition(
        of amount: Int64, to field: String, of guid: String, from before: AuditedRecord?,
        by asker: Asker
    ) throws(InvariantViolation) {
        let (before, after) = try pair(before, records[guid])
        guard after.number(field) == before.number(field) + amount, !after.stored.isDeleted else {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost,
                "'\(field)' of \(after.summary) was \(before.number(field)), and is "
                    + "\(after.number(field)) after \(amount) was added")
        }
        guard amount != 0 else { return }
        try check(.update, .field(field, of: after.stored.model), of: after, by: asker)
        let field = rules.model(named: after.stored.model)?.field(named: field)
        guard case .integer(let limits)? = field?.type,
            (limits.minValue...limits.maxValue).contains(after.number(field?.name ?? ""))
        else {
            throw InvariantViolation(.limitsAreKept, "a sum in \(after.summary) is too large")
        }
    }

    private func checkElement(
        _ element: Int64, in field: String, of guid: String, from before: AuditedRecord?,
        by asker: Asker
    ) throws(InvariantViolation) {
        let (before, after) = try pair(before, records[guid])
        guard let elements = before.elements(field), !after.stored.isDeleted,
            after.elements(field) == elements + [.integer(element)]
        else {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost,
                "\(element) is not at the end of '\(field)' of \(after.summary)")
        }
        try check(.update, .field(field, of: after.stored.model), of: after, by: asker)
    }

    /// The last of several values of a field stands.
    private func checkBatch(
        of drafts: [Draft], by asker: Asker
    ) throws(InvariantViolation) {
        var values: [String: [String: JSONValue]] = [:]
        for draft in drafts {
            values[draft.guid, default: [:]].merge(draft.fields) { _, later in later }
        }
        for (guid, fields) in values.sorted(by: { $0.key < $1.key }) {
            let after = try pair(records[guid], records[guid]).after
            for (name, value) in fields where after.fields[name] ?? .null != value {
                throw InvariantViolation(
                    .nothingAcknowledgedIsLost,
                    "'\(name)' of \(after.summary) is not what another wire wrote")
            }
        }
    }

    private func pair(
        _ before: AuditedRecord?, _ after: AuditedRecord?
    ) throws(InvariantViolation) -> (before: AuditedRecord, after: AuditedRecord) {
        guard let before, let after else {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost, "a record that another wire changed is not there")
        }
        return (before, after)
    }

    func check(
        _ operation: Operation, _ subject: Subject, of record: AuditedRecord, by asker: Asker
    ) throws(InvariantViolation) {
        guard asker.may(operation, subject, of: record.stored.ownership, rules) else {
            throw InvariantViolation(
                .rightsAreKept,
                "\(asker.login) needs the right to \(operation) \(record.summary)")
        }
    }
}

extension AuditedRecord {
    /// Null counts as 0.
    fileprivate func number(_ field: String) -> Int64 {
        guard case .integer(let number)? = fields[field] else { return 0 }
        return number
    }

    /// Null counts as an empty array; nil for what is no text of an array.
    fileprivate func elements(_ field: String) -> [JSONValue]? {
        guard case .string(let text)? = fields[field] else { return [] }
        guard case .array(let elements)? = JSONValue(formatted: text) else { return nil }
        return elements
    }
}
