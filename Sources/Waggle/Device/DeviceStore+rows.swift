import AccessPolicy
import Foundation
import GRDB
import JSON
import SyncProtocol

/// JSON as the device keeps it.
enum StoredJSON {
    static func encode(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    /// The bytes that an encoder would write, at a tenth of its cost.
    static func encode(_ fields: [String: JSONValue]) -> String {
        var writer = JSONWriter(expecting: expectedFieldBytes)
        writer.object(fields)
        return writer.text
    }

    static func encode<Message: Encodable>(list: [Message]) throws -> String {
        list.isEmpty ? emptyList : try encode(list)
    }

    private static let emptyList = "[]"
    private static let expectedFieldBytes = 512

    static func fields(_ text: String) throws -> [String: JSONValue] {
        guard case .object(let fields) = try parseJSON(Array(text.utf8)) else {
            throw DatabaseError.failed("stored fields are no JSON object")
        }
        return fields
    }

    static func list<Message: Decodable>(
        _ text: String, of type: Message.Type
    ) throws -> [Message] {
        text == emptyList ? [] : try decodeMessage([Message].self, from: Array(text.utf8))
    }
}

// MARK: - Records

extension LocalRecord: FetchableRecord {
    init(row: Row) throws {
        guid = try row.decode(String.self, forColumn: "guid")
        model = try row.decode(String.self, forColumn: "model")
        owner = try row.decode(String.self, forColumn: "owner")
        group = try row.decode(String.self, forColumn: "group_name")
        revision = try row.decode(Int64.self, forColumn: "revision")
        isDeleted = try row.decode(Bool.self, forColumn: "is_deleted")
        isConflicted = try row.decode(Bool.self, forColumn: "is_conflicted")
        server = try row.decode(String?.self, forColumn: "server").map(StoredJSON.fields)
        conflicts = try StoredJSON.list(
            row.decode(String.self, forColumn: "conflicts"), of: ConflictMessage.self)
        shown = try row.decode(String?.self, forColumn: "shown").map(StoredJSON.fields)
        isModified = try row.decode(Bool.self, forColumn: "is_modified")
    }
}

extension DeviceStore {
    func record(_ guid: String, _ db: GRDB.Database) throws -> LocalRecord? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM records WHERE guid = ?")
        return try LocalRecord.fetchOne(statement, arguments: [guid])
    }

    func store(_ record: LocalRecord, _ db: GRDB.Database) throws {
        try RecordStatement(db).store(record)
    }

    func forget(_ guid: String, _ db: GRDB.Database) throws {
        try db.cachedStatement(sql: "DELETE FROM records WHERE guid = ?").execute(
            arguments: [guid])
    }

    /// Stores a record with its waiting changes on top, or deletes it if nothing is left.
    /// `fresh` is the record without the changes; nil if the server has not sent it.
    func show(
        _ fresh: LocalRecord?, guid: String, by rules: LocalRules, _ db: GRDB.Database
    ) throws {
        let changes = try changes(of: guid, db)
        let creation = changes.first { $0.state.isPending && $0.action == .create }
        let made = creation.map { change in
            LocalRecord(
                guid: guid, model: change.model, owner: rules.own.owner, group: rules.own.group)
        }
        guard let record = fresh ?? made,
            let shown = record.showing(changes, start: rules.startingFields(of: record.model))
        else { return try forget(guid, db) }
        try store(shown, db)
    }
}

/// Inserts a record or replaces it.
struct RecordStatement {
    private let statement: Statement

    /// `clearsMarks` for records that come from the server. Otherwise the mark of a record stays.
    init(clearsMarks: Bool = false, _ db: GRDB.Database) throws {
        statement = try db.cachedStatement(
            sql: """
                INSERT INTO records (guid, model, owner, group_name, revision, is_deleted,
                    is_conflicted, server, conflicts, shown, is_modified)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                ON CONFLICT (guid) DO UPDATE SET model = excluded.model, owner = excluded.owner,
                    group_name = excluded.group_name, revision = excluded.revision,
                    is_deleted = excluded.is_deleted, is_conflicted = excluded.is_conflicted,
                    server = excluded.server, conflicts = excluded.conflicts,
                    shown = excluded.shown, is_modified = excluded.is_modified
                    \(clearsMarks ? ", is_marked = 0" : "")
                """)
    }

    func store(_ record: LocalRecord) throws {
        let server = record.server.map(StoredJSON.encode(_:))
        // An unmodified record shows the server's fields.
        let shown = record.isModified ? record.shown.map(StoredJSON.encode(_:)) : server
        try statement.execute(arguments: [
            record.guid, record.model, record.owner, record.group, record.revision,
            record.isDeleted, record.isConflicted, server,
            try StoredJSON.encode(list: record.conflicts), record.shown == nil ? nil : shown,
            record.isModified,
        ])
    }
}

// MARK: - Changes

extension LocalChange: FetchableRecord {
    init(row: Row) throws {
        number = try row.decode(Int64.self, forColumn: "number")
        id = try row.decode(String.self, forColumn: "id")
        action = try word(row, "action")
        model = try row.decode(String.self, forColumn: "model")
        guid = try row.decode(String.self, forColumn: "guid")
        base = try row.decode(Int64?.self, forColumn: "base")
        fields = try StoredJSON.fields(row.decode(String.self, forColumn: "fields"))
        before = try row.decode(String?.self, forColumn: "before").map(StoredJSON.fields)
        state = try word(row, "state")
        settlesByMode = try row.decode(Bool.self, forColumn: "settles_by_mode")
        attempts = try row.decode(Int.self, forColumn: "attempts")
        causes = try StoredJSON.list(
            row.decode(String.self, forColumn: "causes"), of: CauseMessage.self)
    }
}

private func word<Word: RawRepresentable<String>>(_ row: Row, _ column: String) throws -> Word {
    let text = try row.decode(String.self, forColumn: column)
    guard let word = Word(rawValue: text) else {
        throw DatabaseError.failed("unknown \(column) '\(text)' of a change")
    }
    return word
}

extension DeviceStore {
    func changes(of guid: String, _ db: GRDB.Database) throws -> [LocalChange] {
        let statement = try db.cachedStatement(
            sql: "SELECT * FROM changes WHERE guid = ? ORDER BY number")
        return try LocalChange.fetchAll(statement, arguments: [guid])
    }

    func changes(
        in states: [LocalChange.State], _ db: GRDB.Database
    ) throws -> [LocalChange] {
        let marks = states.map { _ in "?" }.joined(separator: ", ")
        return try LocalChange.fetchAll(
            db, sql: "SELECT * FROM changes WHERE state IN (\(marks)) ORDER BY number",
            arguments: StatementArguments(states.map(\.rawValue)))
    }

    func change(_ id: String, _ db: GRDB.Database) throws -> LocalChange? {
        let statement = try db.cachedStatement(sql: "SELECT * FROM changes WHERE id = ?")
        return try LocalChange.fetchOne(statement, arguments: [id])
    }

    /// The records that have changes, refused ones included.
    func changedGuids(_ db: GRDB.Database) throws -> Set<String> {
        try String.fetchSet(db.cachedStatement(sql: "SELECT DISTINCT guid FROM changes"))
    }

    /// Adds a change to the end of the queue, which numbers it.
    func append(_ change: LocalChange, _ db: GRDB.Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                INSERT INTO changes (id, action, model, guid, base, fields, before, state,
                    settles_by_mode, attempts, causes)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """)
        try statement.execute(arguments: [
            change.id, change.action.rawValue, change.model, change.guid, change.base,
            StoredJSON.encode(change.fields), change.before.map(StoredJSON.encode(_:)),
            change.state.rawValue, change.settlesByMode, change.attempts,
            try StoredJSON.encode(list: change.causes),
        ])
    }

    /// Replaces a change at its place in the queue.
    func replace(_ change: LocalChange, _ db: GRDB.Database) throws {
        let statement = try db.cachedStatement(
            sql: """
                UPDATE changes SET id = ?, action = ?, base = ?, fields = ?, before = ?, state = ?,
                    settles_by_mode = ?, attempts = ?, causes = ?
                WHERE number = ?
                """)
        try statement.execute(arguments: [
            change.id, change.action.rawValue, change.base, StoredJSON.encode(change.fields),
            change.before.map(StoredJSON.encode(_:)), change.state.rawValue, change.settlesByMode,
            change.attempts, try StoredJSON.encode(list: change.causes), change.number,
        ])
    }

    func removeChange(_ number: Int64, _ db: GRDB.Database) throws {
        try db.cachedStatement(sql: "DELETE FROM changes WHERE number = ?").execute(
            arguments: [number])
    }
}

// MARK: - State

extension DeviceStore {
    enum Key: String {
        case cursor
        /// The definition that records and changes are stored by, as compiled, and its fingerprint.
        case definition, fingerprint
    }

    func value(of key: Key, _ db: GRDB.Database) throws -> String? {
        try String.fetchOne(
            db, sql: "SELECT value FROM state WHERE key = ?", arguments: [key.rawValue])
    }

    func set(_ key: Key, to value: String?, _ db: GRDB.Database) throws {
        try db.execute(
            sql: value == nil
                ? "DELETE FROM state WHERE key = ?1"
                : "INSERT OR REPLACE INTO state (key, value) VALUES (?1, ?2)",
            arguments: value == nil ? [key.rawValue] : [key.rawValue, value])
    }
}
