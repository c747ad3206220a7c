import AccessPolicy
import GRDB
import Secrets
import SyncProtocol

/// Stores an answer in one transaction. Where the transaction does not complete, the same request
/// is sent again, and has the same outcomes.
extension DeviceStore {
    func receive(
        _ response: SyncResponse, to request: SyncRequest, by rules: LocalRules,
        _ db: GRDB.Database
    ) throws -> SyncSummary {
        var summary = SyncSummary()
        if response.resync || request.cursor == nil { try markEverything(db) }
        try store(response.records, by: rules, db)
        summary.received += response.records.count
        for dropped in response.dropped {
            try show(nil, guid: dropped.guid, by: rules, db)
            summary.dropped += 1
        }
        try set(.cursor, to: response.cursor, db)
        if !response.more { summary.dropped += try dropMarked(by: rules, db) }
        for id in request.acknowledged {
            try db.cachedStatement(sql: "DELETE FROM settled WHERE id = ?").execute(
                arguments: [id])
        }
        for outcome in response.outcomes {
            try settle(outcome, mayComeLater: response.more, by: rules, into: &summary, db)
        }
        return summary
    }

    /// Stores the records of a page. Records of models that only another version of the definition
    /// has are stored too: the server does not send them again when the app has that version.
    private func store(
        _ messages: [RecordMessage], by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        let changed = try changedGuids(db)
        let statement = try RecordStatement(clearsMarks: true, db)
        for message in messages {
            if changed.contains(message.guid) {
                try clearMark(of: message.guid, db)
                try show(LocalRecord(message), guid: message.guid, by: rules, db)
            } else if let record = LocalRecord(message).showing([], start: [:]) {
                try statement.store(record)
            } else {
                try forget(message.guid, db)
            }
        }
    }

    private func clearMark(of guid: String, _ db: GRDB.Database) throws {
        try db.cachedStatement(
            sql: "UPDATE records SET is_marked = 0 WHERE guid = ? AND is_marked"
        ).execute(arguments: [guid])
    }
}

// MARK: - Beginning anew

extension DeviceStore {
    private func markEverything(_ db: GRDB.Database) throws {
        try db.execute(sql: "UPDATE records SET is_marked = 1 WHERE server IS NOT NULL")
    }

    /// Deletes the records that a resync did not send again: the user may not see them any more.
    /// Waiting changes are kept.
    private func dropMarked(by rules: LocalRules, _ db: GRDB.Database) throws -> Int {
        let guids = try String.fetchAll(db, sql: "SELECT guid FROM records WHERE is_marked")
        for guid in guids {
            try clearMark(of: guid, db)
            try show(nil, guid: guid, by: rules, db)
        }
        return guids.count
    }
}

// MARK: - Outcomes

extension DeviceStore {
    private func settle(
        _ outcome: OutcomeMessage, mayComeLater: Bool, by rules: LocalRules,
        into summary: inout SyncSummary, _ db: GRDB.Database
    ) throws {
        guard let change = try change(outcome.id, db) else { return }
        try noteSettled(change, db)
        // Otherwise it was refused together with the creation that it follows.
        guard change.state == .sent else { return }
        switch outcome.outcome {
        case .accepted, .merged, .conflicted, .discarded:
            try removeChange(change.number, db)
            try passOnBase(of: change, db)
            summary.count(outcome.outcome)
        case .refused:
            try refuse(change, outcome.causes ?? [], into: &summary, db)
        }
        let known = try record(change.guid, db).flatMap { $0.server == nil ? nil : $0 }
        let next = mayComeLater ? change.anticipated(on: known, outcome, by: rules) : nil
        try show(next ?? known, guid: change.guid, by: rules, db)
        // An anticipated record is deleted again if no later page has it.
        if known == nil, next != nil {
            try db.execute(
                sql: "UPDATE records SET is_marked = 1 WHERE guid = ?", arguments: [change.guid])
        }
    }

    /// Notes an outcome to acknowledge. A copy of a change that was sent more than once may still
    /// be in transit: the server recognises it by the record's history.
    private func noteSettled(_ change: LocalChange, _ db: GRDB.Database) throws {
        try db.cachedStatement(sql: "INSERT OR IGNORE INTO settled (id) VALUES (?)").execute(
            arguments: [change.id])
    }

    /// Passes the base of a settled change to the change that follows it.
    func passOnBase(of change: LocalChange, _ db: GRDB.Database) throws {
        guard
            var follower = try changes(of: change.guid, db).first(where: {
                $0.state.isPending && $0.base == nil && $0.action != .create
            })
        else { return }
        follower.base = change.action == .create ? 1 : change.base
        try replace(follower, db)
    }

    /// Refuses a change that the server will never accept.
    func refuse(
        _ id: String, _ causes: [CauseMessage], by rules: LocalRules, _ db: GRDB.Database
    ) throws -> SyncSummary {
        var summary = SyncSummary()
        guard let change = try change(id, db), change.state == .sent else { return SyncSummary() }
        try refuse(change, causes, into: &summary, db)
        let known = try record(change.guid, db).flatMap { $0.server == nil ? nil : $0 }
        try show(known, guid: change.guid, by: rules, db)
        return summary
    }

    private func refuse(
        _ change: LocalChange, _ causes: [CauseMessage], into summary: inout SyncSummary,
        _ db: GRDB.Database
    ) throws {
        var change = change
        if causes.contains(where: { $0.code == "stale" }) {
            // The change is sent again under another id, or not at all. Only the first change of a
            // record is disputed: the next one is decided on when it is sent again.
            let isFirst = try !changes(of: change.guid, db).contains {
                $0.state == .disputed && $0.number < change.number
            }
            change.id = freshGuid()
            change.attempts = 0
            change.state = isFirst ? .disputed : .waiting
        } else {
            change.state = .refused
            change.causes = causes
            summary.count(.refused)
            try passOnBase(of: change, db)
        }
        try replace(change, db)
        guard change.action == .create else { return }
        // The changes that follow it have no record to change.
        for var follower in try changes(of: change.guid, db)
        where follower.state.isPending && follower.number > change.number {
            follower.state = .refused
            follower.causes = [
                CauseMessage(
                    code: "dependsOnRefused", message: "the record's creation was refused",
                    argument: change.id)
            ]
            try replace(follower, db)
        }
    }
}

extension LocalChange {
    /// The server's record as a later page will have it. Nil if the change has no effect on it.
    fileprivate func anticipated(
        on known: LocalRecord?, _ outcome: OutcomeMessage, by rules: LocalRules
    ) -> LocalRecord? {
        guard let revision = outcome.revision, outcome.outcome.tookEffect else { return nil }
        var record =
            known
            ?? LocalRecord(
                guid: guid, model: model, owner: rules.own.owner, group: rules.own.group)
        guard record.revision < revision, known != nil || action == .create else { return nil }
        let start = known?.server ?? rules.startingFields(of: model)
        record.server = start.merging(fields) { _, own in own }
        record.revision = max(record.revision, action == .create ? 1 : record.revision)
        record.isDeleted = action == .delete
        return record
    }
}

extension OutcomeMessage.Kind {
    fileprivate var tookEffect: Bool {
        switch self {
        case .accepted, .merged: true
        case .conflicted, .discarded, .refused: false
        }
    }
}
