import AccessPolicy
import DefinitionModel
import SyncEngine
import SyncProtocol

extension Ledger {
    /// Looks at everything that is stored, when nothing is left to do.
    mutating func auditStore() async throws(BrokenPromise) {
        let known = records
        try await reading { ledger async throws(StoreError) in
            ledger.forget()
            _ = try await ledger.readOn()
            try await ledger.readPasts(of: Set(ledger.records.keys).union(known.keys))
        }
        for guid in known.keys.sorted() where records[guid] != known[guid] {
            throw BrokenPromise(
                .nothingAcknowledgedIsLost,
                "\(known[guid]?.inWords ?? guid) is not what it was after its last change")
        }
        for guid in records.keys.sorted() {
            guard let record = records[guid], let past = pasts[guid] else { continue }
            try checkRevisions(of: record, past)
            try checkConflicts(of: record, past)
        }
    }

    /// Every revision was made by one entry of the history.
    private func checkRevisions(
        of record: AuditedRecord, _ past: Past
    ) throws(BrokenPromise) {
        let made = past.entries.filter { $0.written.kind != .discarded }.map(\.written.revision)
        guard made.elementsEqual(1...max(1, record.stored.revision)) else {
            throw BrokenPromise(
                .nothingAcknowledgedIsLost,
                "\(record.inWords) has the revision \(record.stored.revision), and its history "
                    + "the revisions \(made)")
        }
        let names = past.entries.filter { $0.written.kind != .reassigned }
            .map { ChangeName($0.written) }
        guard Set(names).count == names.count else {
            throw BrokenPromise(
                .changesTakeEffectOnce,
                "a change is more than once in the history of \(record.inWords)")
        }
    }

    /// Open are the conflicts that were opened since the last resolution.
    private func checkConflicts(
        of record: AuditedRecord, _ past: Past
    ) throws(BrokenPromise) {
        let start = (past.entries.lastIndex { $0.written.kind == .resolved } ?? -1) + 1
        let expected = past.entries[start...].filter { $0.written.kind == .conflicted }
            .map(\.written.revision)
        guard record.conflicts.map(\.revision) == expected,
            record.stored.isConflicted == !expected.isEmpty
        else {
            throw BrokenPromise(
                .nothingAcknowledgedIsLost,
                "\(record.inWords) has the open conflicts \(record.conflicts.map(\.revision)), "
                    + "and should have \(expected)")
        }
    }

    /// Looks at what was swept away: it must have been deleted, so long ago, and undisputed.
    mutating func auditSweep(before moment: Instant) async throws(BrokenPromise) {
        let known = records
        try await reading { ledger async throws(StoreError) in
            ledger.forget()
            _ = try await ledger.readOn()
        }
        for (guid, record) in known where records[guid] == nil {
            let last = pasts[guid]?.entries.last { $0.written.kind != .discarded }?.written
            let isOld = last.map { $0.revision < record.stored.revision || $0.at < moment } ?? true
            guard record.stored.isDeleted, !record.stored.isConflicted, isOld else {
                throw BrokenPromise(
                    .nothingAcknowledgedIsLost, "\(record.inWords) was swept away too early")
            }
            forget(guid)
            tally.swept += 1
        }
    }

    /// Compares what a device holds with what a fresh one got, and that with what there is to get.
    func compare(_ old: Client, with fresh: Client, for asker: Asker) throws(BrokenPromise) {
        for guid in Set(old.records.keys).union(records.keys).sorted() {
            let message = message(of: guid, for: asker)
            let isGone = message.map { $0.deleted && !$0.conflicted } ?? true
            let expected = isGone ? nil : message
            guard fresh.records[guid] == expected else {
                throw BrokenPromise(
                    .everybodyGetsWhatIsStored,
                    "a fresh device of '\(asker.login)' has \(fresh.inWords(guid)), and there is "
                        + (expected?.inWords ?? "nothing for it"))
            }
            guard old.records[guid] == expected else {
                throw BrokenPromise(
                    .oldAndFreshAgree,
                    "\(old.inWords) has \(old.inWords(guid)), and a fresh one "
                        + (expected?.inWords ?? "nothing"))
            }
        }
    }
}
