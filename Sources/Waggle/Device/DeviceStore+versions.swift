import AccessPolicy
import ChangeRules
import DefinitionModel
import GRDB
import JSON
import SyncProtocol
import VersionTranslation

/// The update of an app: what is stored gets the names of the definition that the app has now.
extension DeviceStore {
    /// Adapts what is stored to the definition of the app, if another one was used before, in one
    /// transaction. Nothing is downloaded: the next sync receives the records of models with fields
    /// that the earlier version did not know.
    func adopt(_ rules: LocalRules) throws(DatabaseError) {
        do {
            let fingerprint = rules.definition.fingerprint
            guard try pool.read({ try value(of: .fingerprint, $0) }) != fingerprint else { return }
            try pool.write { db in
                // Another process of the app may have been faster.
                guard try value(of: .fingerprint, db) != fingerprint else { return }
                if let text = try value(of: .definition, db) {
                    let compiled = try decodeMessage(
                        CompiledDefinition.self, from: Array(text.utf8))
                    let former = try compiled.definition()
                    try Adoption(from: former, by: rules, in: self).run(db)
                }
                let compiled = CompiledDefinition(rules.definition)
                try set(.definition, to: compiled.compactJSON(), db)
                try set(.fingerprint, to: fingerprint, db)
            }
        } catch {
            throw DatabaseError(error)
        }
    }
}

/// Adapts records and changes, model by model.
private struct Adoption {
    private let translation: ClientTranslation
    private let rules: LocalRules
    private let store: DeviceStore

    private static let batchRecords = 500

    init(from former: Definition, by rules: LocalRules, in store: DeviceStore) {
        translation = ClientTranslation(
            of: former, along: VersionPath(from: former, to: rules.definition))
        self.rules = rules
        self.store = store
    }

    func run(_ db: GRDB.Database) throws {
        for model in translation.client.models {
            guard let words = translation.model(calledByClient: model.name) else { continue }
            if words.changesUnsentEdits { try adaptChanges(of: words, db) }
            if words.changesStoredRecords { try adaptRecords(of: words, db) }
        }
    }

    private func adaptChanges(of words: ModelTranslation, _ db: GRDB.Database) throws {
        let changes = try LocalChange.fetchAll(
            db, sql: "SELECT * FROM changes WHERE model = ? ORDER BY number",
            arguments: [words.client.name])
        for var change in changes {
            change.model = words.served.name
            change.fields = words.adaptedChange(change.fields, isNew: change.action == .create)
            change.before = try change.before.map { before in
                guard let record = try store.record(change.guid, db) else {
                    return words.adapted(before)
                }
                return completed(words.adapted(before), of: record, words)
            }
            try store.replace(change, db)
            try db.execute(
                sql: "UPDATE changes SET model = ? WHERE number = ?",
                arguments: [change.model, change.number])
        }
    }

    private func adaptRecords(of words: ModelTranslation, _ db: GRDB.Database) throws {
        var last: Int64 = 0
        while true {
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT rowid AS number, * FROM records
                    WHERE model = ? AND rowid > ? ORDER BY rowid LIMIT ?
                    """,
                arguments: [words.client.name, last, Self.batchRecords])
            for row in rows {
                try adapt(try LocalRecord(row: row), words, db)
                last = try row.decode(Int64.self, forColumn: "number")
            }
            guard rows.count == Self.batchRecords else { return }
        }
    }

    private func adapt(
        _ record: LocalRecord, _ words: ModelTranslation, _ db: GRDB.Database
    ) throws {
        var adapted = LocalRecord(
            guid: record.guid, model: words.served.name, owner: record.owner, group: record.group,
            revision: record.revision, isDeleted: record.isDeleted,
            isConflicted: record.isConflicted,
            conflicts: record.conflicts.map { $0.adapted(by: words) })
        adapted.server = record.server.map { completed(words.adapted($0), of: adapted, words) }
        guard record.isModified || record.server == nil else {
            adapted.shown = record.shown == nil ? nil : adapted.server
            return try store.store(adapted, db)
        }
        try store.show(record.server == nil ? nil : adapted, guid: record.guid, by: rules, db)
    }

    /// The fields with those that the former version did not know, until a sync has their values:
    /// null, or the default or a placeholder if a value is required. A field that the user may not
    /// read stays absent.
    private func completed(
        _ fields: [String: JSONValue], of record: LocalRecord, _ words: ModelTranslation
    ) -> [String: JSONValue] {
        guard !record.isDeleted else { return fields }
        var fields = fields
        let view = rules.book.policy.readPolicy(of: words.served.name, for: rules.asker.role)
            .view(of: record.ownership, for: rules.asker)
        for field in words.served.fields
        where fields[field.name] == nil && words.field(servedAs: field.name) == nil
            && view.shows(field: field.name)
        {
            fields[field.name] = field.valueIfUnserved
        }
        return fields
    }
}

extension ConflictMessage {
    fileprivate func adapted(by words: ModelTranslation) -> ConflictMessage {
        var conflict = self
        conflict.base.fields = words.adapted(base.fields)
        conflict.mine.fields = words.adapted(mine.fields)
        conflict.theirs.fields = words.adapted(theirs.fields)
        return conflict
    }
}
