import GRDB
import SyncProtocol

/// A conflict with the change and the record that it is about.
private struct Dispute: Sendable {
    let change: LocalChange
    let record: LocalRecord
    let conflict: Conflict<RecordValues>
}

extension SyncRun {
    /// Calls the handlers for the disputed changes, one after the other. A record that a handler
    /// cannot read does not hold up the others.
    func settleConflicts() async throws(SyncFailure) {
        try await stored { db in try store.releaseDisputesWithoutRecord(db) }
        var unreadable: RecordError?
        for dispute in try await disputes() {
            guard let handler = handlers.handler(of: dispute.change.model) else {
                try await settle(dispute, .later)
                continue
            }
            let decision: ConflictDecision<RecordValues>
            do {
                decision = try await handler.decide(dispute.conflict)
            } catch {
                unreadable = error
                try await settle(dispute, .later)
                continue
            }
            try await settle(dispute, decision)
            guard case .cancel = decision else { continue }
            throw .cancelled
        }
        if let unreadable { throw .database(.unreadable(unreadable)) }
    }

    private func disputes() async throws(SyncFailure) -> [Dispute] {
        do {
            return try await store.read { db in
                try store.changes(in: [.disputed], db).compactMap { change in
                    try store.record(change.guid, db).map { Dispute(change, $0, by: rules) }
                }
            }
        } catch {
            throw .database(error)
        }
    }

    private func settle(
        _ dispute: Dispute, _ decision: ConflictDecision<RecordValues>
    ) async throws(SyncFailure) {
        do {
            try await store.write { db in
                try store.settle(dispute, decision, by: rules, db)
            }
        } catch {
            throw .database(error)
        }
    }
}

extension Dispute {
    init(_ change: LocalChange, _ record: LocalRecord, by rules: LocalRules) {
        self.change = change
        self.record = record
        let base = record.values(change.before ?? [:], by: rules)
        let client = record.values(
            (change.before ?? [:]).merging(change.fields) { _, own in own }, by: rules)
        conflict = Conflict(
            model: change.model, guid: change.guid,
            client: change.action == .delete ? nil : client,
            server: record.isDeleted ? nil : record.values(record.server ?? [:], by: rules),
            base: base)
    }
}

extension DeviceStore {
    /// Queues the changes again whose conflicts a handler put off or an interrupted sync left.
    func requeueDisputed(_ db: GRDB.Database) throws {
        try db.execute(
            sql: "UPDATE changes SET state = 'waiting' WHERE state IN ('disputed', 'postponed')")
    }

    /// Leaves those changes to the conflict mode whose record is gone from the device, so that no
    /// handler can be asked: the server told every record again, and this one had been removed.
    func releaseDisputesWithoutRecord(_ db: GRDB.Database) throws {
        try db.execute(
            sql: """
                UPDATE changes SET state = 'waiting', settles_by_mode = 1
                WHERE state = 'disputed'
                    AND NOT EXISTS (SELECT 1 FROM records WHERE guid = changes.guid)
                """)
    }

    /// The first changes that can be sent now. Changes that follow a disputed one have to wait.
    func sendableChanges(limit: Int, _ db: GRDB.Database) throws -> [LocalChange] {
        let statement = try db.cachedStatement(
            sql: """
                SELECT * FROM changes NOT INDEXED
                WHERE state IN ('waiting', 'sent') AND NOT EXISTS (
                    SELECT 1 FROM changes held
                    WHERE held.guid = changes.guid AND held.state IN ('disputed', 'postponed'))
                ORDER BY number LIMIT ?
                """)
        return try LocalChange.fetchAll(statement, arguments: [limit])
    }

    func waitingCreation(of guid: String, _ db: GRDB.Database) throws -> LocalChange? {
        let statement = try db.cachedStatement(
            sql: """
                SELECT * FROM changes
                WHERE guid = ? AND action = 'create' AND state IN ('waiting', 'sent')
                """)
        return try LocalChange.fetchOne(statement, arguments: [guid])
    }

    /// Whether there are changes to send now.
    func hasWork(_ db: GRDB.Database) throws -> Bool { try !sendableChanges(limit: 1, db).isEmpty }

    fileprivate func settle(
        _ dispute: Dispute, _ decision: ConflictDecision<RecordValues>, by rules: LocalRules,
        _ db: GRDB.Database
    ) throws {
        // The change may have been taken back while the handler decided.
        guard var change = try change(dispute.change.id, db), change.state == .disputed,
            let record = try record(change.guid, db)
        else { return }
        switch decision {
        case .later, .cancel: change.state = .postponed
        // A change edited meanwhile needs a new decision.
        case .useServer, .useClient, .useMerged:
            guard change == dispute.change else {
                change.state = .waiting
                return try replace(change, db)
            }
            return try carryOut(decision, on: change, against: record, by: rules, db)
        }
        try replace(change, db)
        try show(record, guid: change.guid, by: rules, db)
    }

    private func carryOut(
        _ decision: ConflictDecision<RecordValues>, on change: LocalChange,
        against record: LocalRecord, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        var change = change
        switch decision {
        case .later, .cancel: return
        case .useServer: return try giveUp(change, by: rules, db)
        case .useClient where record.isDeleted:
            change.state = .waiting
            change.settlesByMode = true
        case .useClient: try rebase(&change, on: record, db)
        // The update keeps its base: a removed record has no later fields to change.
        case .useMerged(let merged) where record.isDeleted:
            change.action = .update
            change.fields = rules.differences(
                of: merged.fields, from: change.before ?? [:], in: record)
            if change.fields.isEmpty, let model = rules.model(named: change.model) {
                change.fields = try restoring(record, of: model, with: merged.fields, rules, db)
            }
            change.state = .waiting
            change.settlesByMode = true
        case .useMerged(let merged):
            change.fields = rules.differences(
                of: merged.fields, from: record.server ?? [:], in: record)
            guard !change.fields.isEmpty else { return try giveUp(change, by: rules, db) }
            change.action = .update
            try rebase(&change, on: record, db)
        }
        try replace(change, db)
        try show(record, guid: change.guid, by: rules, db)
    }

    /// Bases a change on the record's current revision. The change that follows it keeps the old
    /// base, since its author did not know that revision.
    private func rebase(
        _ change: inout LocalChange, on record: LocalRecord, _ db: GRDB.Database
    ) throws {
        try passOnBase(of: change, db)
        change.base = record.revision
        change.before = record.server
        change.state = .waiting
    }

    private func giveUp(
        _ change: LocalChange, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        try removeChange(change.number, db)
        try passOnBase(of: change, db)
        let record = try record(change.guid, db).flatMap { $0.server == nil ? nil : $0 }
        try show(record, guid: change.guid, by: rules, db)
    }
}
