import GRDB
import JSON
import SyncProtocol

/// A conflict with what is needed to settle it.
private struct Dispute: Sendable {
    let change: LocalChange
    let record: LocalRecord
    let conflict: Conflict<RecordValues>
}

extension SyncRun {
    /// Asks about each change that met something newer, one after the other. One that cannot be
    /// shown to whoever is asked holds up no other.
    func settleConflicts() async throws(SyncFailure) {
        var unreadable: RecordError?
        for dispute in try await disputes() {
            guard let handler = handlers.handler(of: dispute.change.model) else {
                try await settle(dispute, .later)
                continue
            }
            let decision: ConflictDecision<RecordValues>
            do {
                decision = try await handler(dispute.conflict)
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
                    try store.record(change.guid, db).map { Dispute(change, $0) }
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
    init(_ change: LocalChange, _ record: LocalRecord) {
        self.change = change
        self.record = record
        let base = record.values(change.before ?? [:])
        let client = record.values(
            (change.before ?? [:]).merging(change.fields) { _, own in own })
        conflict = Conflict(
            model: change.model, guid: change.guid,
            client: change.action == .delete ? nil : client,
            server: record.isDeleted ? nil : record.values(record.server ?? [:]), base: base)
    }
}

extension LocalRecord {
    fileprivate func values(_ fields: [String: JSONValue]) -> RecordValues {
        RecordValues(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: fields)
    }
}

extension DeviceStore {
    /// What was put off is tried again, and what an interrupted sync left.
    func takeUpSettling(_ db: GRDB.Database) throws {
        try db.execute(
            sql: "UPDATE changes SET state = 'waiting' WHERE state IN ('disputed', 'postponed')")
    }

    /// The first changes that can go out now. What follows a change that is being settled stays.
    func goingChanges(limit: Int, _ db: GRDB.Database) throws -> [LocalChange] {
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

    /// Whether there is something to send at once.
    func hasWork(_ db: GRDB.Database) throws -> Bool { try !goingChanges(limit: 1, db).isEmpty }

    fileprivate func settle(
        _ dispute: Dispute, _ decision: ConflictDecision<RecordValues>, by rules: LocalRules,
        _ db: GRDB.Database
    ) throws {
        // Someone may have taken back the change while others thought about it.
        guard var change = try change(dispute.change.id, db), change.state == .disputed,
            let record = try record(change.guid, db)
        else { return }
        switch decision {
        case .later, .cancel: change.state = .postponed
        // Or edited: what was decided was decided about something else, so it is asked again.
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
        // From what it was: nothing can be changed in what is no longer there.
        case .useMerged(let merged) where record.isDeleted:
            change.action = .update
            change.fields = merged.fields.filter { $0.value != change.before?[$0.key] ?? .null }
            change.state = .waiting
            change.settlesByMode = true
        case .useMerged(let merged):
            change.fields = merged.fields.filter {
                $0.value != record.server?[$0.key] ?? .null
            }
            guard !change.fields.isEmpty else { return try giveUp(change, by: rules, db) }
            change.action = .update
            try rebase(&change, on: record, db)
        }
        try replace(change, db)
        try show(record, guid: change.guid, by: rules, db)
    }

    /// What followed it was made without knowing the record, and nobody was asked about it: it
    /// keeps the revision that it was made from.
    private func rebase(
        _ change: inout LocalChange, on record: LocalRecord, _ db: GRDB.Database
    ) throws {
        try handOnBase(of: change, db)
        change.base = record.revision
        change.before = record.server
        change.state = .waiting
    }

    private func giveUp(
        _ change: LocalChange, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        try removeChange(change.number, db)
        try handOnBase(of: change, db)
        let record = try record(change.guid, db).flatMap { $0.server == nil ? nil : $0 }
        try show(record, guid: change.guid, by: rules, db)
    }
}
