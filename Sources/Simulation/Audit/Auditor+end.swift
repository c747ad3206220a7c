import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

extension Auditor {
    /// Audits everything that is stored, after the end of a history.
    mutating func auditStore() async throws(InvariantViolation) {
        let known = records
        try await reading { auditor async throws(StoreError) in
            auditor.forget()
            _ = try await auditor.readOn()
            try await auditor.readTimelines(of: Set(auditor.records.keys).union(known.keys))
        }
        for guid in known.keys.sorted() where records[guid] != known[guid] {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost,
                "\(known[guid]?.summary ?? guid) is not what it was after its last change")
        }
        for guid in records.keys.sorted() {
            guard let record = records[guid], let timeline = timelines[guid] else { continue }
            try checkRevisions(of: record, timeline)
            try checkConflicts(of: record, timeline)
        }
    }

    /// Every revision was made by exactly one entry of the history.
    private func checkRevisions(
        of record: AuditedRecord, _ timeline: RecordTimeline
    ) throws(InvariantViolation) {
        let made = timeline.entries.filter { $0.written.kind != .discarded }.map(\.written.revision)
        guard made.elementsEqual(1...max(1, record.stored.revision)) else {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost,
                "\(record.summary) has the revision \(record.stored.revision), and its history "
                    + "the revisions \(made)")
        }
        let names = timeline.entries.filter { !$0.written.changeID.isEmpty }
            .map { ChangeName($0.written) }
        guard Set(names).count == names.count else {
            throw InvariantViolation(
                .changesTakeEffectOnce,
                "a change is more than once in the history of \(record.summary)")
        }
    }

    /// The open conflicts are those that were opened since the last resolution.
    private func checkConflicts(
        of record: AuditedRecord, _ timeline: RecordTimeline
    ) throws(InvariantViolation) {
        let start = (timeline.entries.lastIndex { $0.written.kind == .resolved } ?? -1) + 1
        let expected = timeline.entries[start...].filter { $0.written.kind == .conflicted }
            .map(\.written.revision)
        guard record.conflicts.map(\.revision) == expected,
            record.stored.isConflicted == !expected.isEmpty
        else {
            throw InvariantViolation(
                .nothingAcknowledgedIsLost,
                "\(record.summary) has the open conflicts \(record.conflicts.map(\.revision)), "
                    + "and should have \(expected)")
        }
    }

    /// A step of filling in changes nothing but values that the definition refuses.
    ///
    /// - Parameter filled: The fields that are filled in, by model.
    func audit(
        filled: [String: Set<String>], since before: [String: AuditedRecord]
    ) throws(InvariantViolation) {
        for guid in records.keys.sorted() {
            guard let now = records[guid], let then = before[guid],
                now.stored.revision != then.stored.revision
            else { continue }
            let changed = Set(now.fields.keys).union(then.fields.keys).filter {
                now.fields[$0] != then.fields[$0]
            }
            let isRight = changed.allSatisfy {
                filled[now.stored.model]?.contains($0) ?? false && isRefused($0, of: then)
            }
            guard isRight, !changed.isEmpty, !then.stored.isDeleted else {
                throw InvariantViolation(
                    .deploymentsFillWhatIsMissing, "\(now.summary) was replaced")
            }
        }
    }

    /// Whether the definition would refuse the value of a field.
    func isRefused(_ field: String, of record: AuditedRecord) -> Bool {
        guard let model = rules.model(named: record.stored.model) else { return false }
        let value = given([field: record.fields[field] ?? .null], in: model)
        return !model.validator.causes(of: value, creating: false).isEmpty
    }

    /// Every record has the values that deployments require.
    func audit(filled: [String: Set<String>]) throws(InvariantViolation) {
        for guid in records.keys.sorted() {
            guard let record = records[guid], !record.stored.isDeleted,
                let model = rules.model(named: record.stored.model)
            else { continue }
            for name in (filled[record.stored.model] ?? []).sorted()
            where model.field(named: name)?.isRequired ?? false {
                guard record.fields[name] ?? .null == .null else { continue }
                throw InvariantViolation(
                    .deploymentsFillWhatIsMissing, "\(record.summary) lacks '\(name)'")
            }
        }
    }

    /// Audits a sweep: each removed record was deleted before the moment and had no open conflict.
    mutating func auditSweep(before moment: Instant) async throws(InvariantViolation) {
        let known = records
        try await reading { auditor async throws(StoreError) in
            auditor.forget()
            _ = try await auditor.readOn()
        }
        for (guid, record) in known where records[guid] == nil {
            let last = timelines[guid]?.entries.last { $0.written.kind != .discarded }?.written
            let isOld = last.map { $0.revision < record.stored.revision || $0.at < moment } ?? true
            guard record.stored.isDeleted, !record.stored.isConflicted, isOld else {
                throw InvariantViolation(
                    .nothingAcknowledgedIsLost,
                    "\(record.summary) was swept away too early")
            }
            forget(guid)
            counts.purged += 1
        }
    }

    /// A record as the device reads it, without the fields that are not served: a device that
    /// holds a null there is not told that the version of its app would not show it any more.
    private func served(_ record: RecordMessage?) -> RecordMessage? {
        guard let app, var record else { return record }
        let model = record.model
        record.fields = record.fields.map { fields in
            app.readable(fields, of: model).filter {
                app.has($0.key, of: model, inCommonWith: rules)
            }
        }
        return record
    }

    /// Compares the records of a device with those of a fresh one, and with those that the asker
    /// may see.
    func compare(_ old: Client, with fresh: Client, for asker: Asker) throws(InvariantViolation) {
        for guid in Set(old.records.keys).union(records.keys).sorted() {
            let message = message(of: guid, for: asker)
            let isGone = message.map { $0.deleted && !$0.conflicted } ?? true
            let expected = isGone ? nil : message
            guard fresh.records[guid] == expected else {
                throw InvariantViolation(
                    .everybodyGetsWhatIsStored,
                    "a fresh device of '\(asker.login)' has \(fresh.summary(guid)), and there is "
                        + (expected?.summary ?? "nothing for it"))
            }
            guard served(old.records[guid]) == served(expected) else {
                throw InvariantViolation(
                    .oldAndFreshAgree,
                    "\(old.summary) has \(old.summary(guid)), and a fresh one "
                        + (expected?.summary ?? "nothing"))
            }
        }
    }
}
