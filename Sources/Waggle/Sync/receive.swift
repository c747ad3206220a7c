import AccessPolicy
import GRDB
import Secrets
import SyncProtocol

/// Stores an answer, all of it in one transaction: where it is cut off, the same request is sent
/// again, and has the same outcomes.
extension DeviceStore {
    func receive(
        _ response: SyncResponse, to request: SyncRequest, by rules: LocalRules,
        _ db: GRDB.Database
    ) throws -> SyncSummary {
        var summary = SyncSummary()
        if response.resync || request.cursor == nil { try markEverything(db) }
        for message in response.records {
            // Also those of a model that only another version of the definition has: they do not
            // come again when the app has that version.
            try store(message, by: rules, db)
            summary.received += 1
        }
        for dropped in response.dropped {
            try show(nil, guid: dropped.guid, by: rules, db)
            summary.dropped += 1
        }
        try set(.cursor, to: response.cursor, db)
        if !response.more { summary.dropped += try dropMarked(by: rules, db) }
        for id in request.acknowledged {
            try db.execute(sql: "DELETE FROM settled WHERE id = ?", arguments: [id])
        }
        for outcome in response.outcomes {
            try settle(outcome, mayComeLater: response.more, by: rules, into: &summary, db)
        }
        return summary
    }

    private func store(
        _ message: RecordMessage, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        try db.cachedStatement(
            sql: "UPDATE records SET is_marked = 0 WHERE guid = ? AND is_marked"
        ).execute(arguments: [message.guid])
        try show(LocalRecord(message), guid: message.guid, by: rules, db)
    }
}

// MARK: - Beginning anew

extension DeviceStore {
    private func markEverything(_ db: GRDB.Database) throws {
        try db.execute(sql: "UPDATE records SET is_marked = 1 WHERE server IS NOT NULL")
    }

    /// What did not come again is not this user's any more. Changes that wait are kept.
    private func dropMarked(by rules: LocalRules, _ db: GRDB.Database) throws -> Int {
        let guids = try String.fetchAll(db, sql: "SELECT guid FROM records WHERE is_marked")
        for guid in guids {
            try db.execute(
                sql: "UPDATE records SET is_marked = 0 WHERE guid = ?", arguments: [guid])
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
        // Refused together with the creation that it follows.
        guard change.state == .sent else { return }
        switch outcome.outcome {
        case .accepted, .merged, .conflicted, .discarded:
            try removeChange(change.number, db)
            try handOnBase(of: change, db)
            summary.count(outcome.outcome)
        case .refused:
            try refuse(change, outcome.causes ?? [], into: &summary, db)
        }
        let known = try record(change.guid, db).flatMap { $0.server == nil ? nil : $0 }
        let next = mayComeLater ? change.anticipated(on: known, outcome, by: rules) : nil
        try show(next ?? known, guid: change.guid, by: rules, db)
        // What is only expected goes again where it does not come.
        if known == nil, next != nil {
            try db.execute(
                sql: "UPDATE records SET is_marked = 1 WHERE guid = ?", arguments: [change.guid])
        }
    }

    /// A change that was sent more than once may still be on its way, and would then be taken for a
    /// new one: the server keeps its outcome.
    private func noteSettled(_ change: LocalChange, _ db: GRDB.Database) throws {
        guard change.attempts <= 1 else { return }
        try db.execute(sql: "INSERT OR IGNORE INTO settled (id) VALUES (?)", arguments: [change.id])
    }

    /// What followed a change that is done was made from what that was made from.
    func handOnBase(of change: LocalChange, _ db: GRDB.Database) throws {
        guard
            var follower = try changes(of: change.guid, db).first(where: {
                $0.state.isPending && $0.base == nil && $0.action != .create
            })
        else { return }
        follower.base = change.action == .create ? 1 : change.base
        try replace(follower, db)
    }

    /// What the server will never take.
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
            // It goes out again under another id, or not at all. What is decided about one of a
            // record matters for the next one, which is asked about when it goes out again.
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
            try handOnBase(of: change, db)
        }
        try replace(change, db)
        guard change.action == .create else { return }
        // What followed it has nothing to change.
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
    /// The server's record as it will be, until it comes with a later page. Nil where this change
    /// made nothing of it.
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
