import GRDB
import JSON
import SyncProtocol
import Synchronization

/// A record in conflict: what was changed by two who did not know of each other.
public struct OpenConflict<Model: Record>: Sendable {
    /// As it is now, with what others did; nil where they removed it.
    public let record: Model?
    public let guid: String
    /// The changes that were set aside, the oldest first.
    public let sides: [ConflictingChange<Model>]
}

/// A change that was set aside, with what it was made from.
public struct ConflictingChange<Model: Record>: Sendable {
    /// The record as the change wants it; nil to remove it.
    public let mine: Model?
    /// The record as it was when the change was made.
    public let base: Model?
    /// What it was changed to meanwhile; nil where it was removed.
    public let theirs: Model?
    /// Who made the change that was set aside, from which device category, and when.
    public let login: String?
    public let deviceCategory: String?
    public let at: Instant?
    /// Whether nobody else changed a field that it changes, as far as this user sees: both can be
    /// had.
    public let isParallel: Bool
}

extension Database {
    /// The records of a model with open conflicts.
    public func conflicts<Model: Record>(
        of type: Model.Type
    ) async throws(DatabaseError) -> [OpenConflict<Model>] {
        try await look { store, db in
            let records = try LocalRecord.fetchAll(
                db, sql: "SELECT * FROM records WHERE model = ? AND is_conflicted ORDER BY guid",
                arguments: [Model.modelName])
            return try records.map { try OpenConflict($0) }
        }
    }

    /// Ends a record's conflicts: it will be as given, on the server with the next sync.
    public func resolve<Model: Record>(_ record: Model) async throws(DatabaseError) {
        let values = record.values
        try await edit { store, rules, db in try store.resolve(values, by: rules, db) }
    }

    /// Ends a record's conflicts with its removal. One that others removed stays so.
    public func resolve<Model: Record>(
        removing conflict: OpenConflict<Model>
    ) async throws(DatabaseError) {
        let guid = conflict.guid
        try await edit { store, rules, db in
            try store.resolve(removing: guid, model: Model.modelName, by: rules, db)
        }
    }

    /// Settles the conflicts of a model during a sync, before they are conflicts on the server: it
    /// is asked about each change that met something newer, again as long as the server moves on.
    /// Without one, the conflict mode of the definition settles them. It may read and edit records,
    /// but must not wait for a sync: the one that asks it would never end.
    public func onConflict<Model: Record>(
        of type: Model.Type,
        _ decide: @Sendable @escaping (Conflict<Model>) async -> ConflictDecision<Model>
    ) {
        setHandler(ofModel: Model.modelName) { conflict throws(RecordError) in
            await decide(try conflict.typed(type)).untyped
        }
    }

    /// Settles the conflicts of every model that has no handler of its own.
    public func onConflict(
        _ decide:
            @Sendable @escaping (Conflict<RecordValues>) async -> ConflictDecision<RecordValues>
    ) {
        state.withLock { $0.handlers.ofAll = { await decide($0) } }
    }

    private func setHandler(ofModel model: String, _ handler: @escaping ConflictHandler) {
        state.withLock { $0.handlers.byModel[model] = handler }
    }
}

extension OpenConflict {
    init(_ record: LocalRecord) throws {
        guid = record.guid
        self.record = record.isDeleted ? nil : try Model(record.values(with: [:]))
        sides = try record.conflicts.map { try ConflictingChange($0, of: record) }
    }
}

extension ConflictingChange {
    fileprivate init(_ conflict: ConflictMessage, of record: LocalRecord) throws {
        let version = { (side: ConflictSide) throws -> Model? in
            side.deleted ? nil : try Model(record.values(with: side.fields))
        }
        mine = try version(conflict.mine)
        base = try version(conflict.base)
        theirs = try version(conflict.theirs)
        login = conflict.mine.login
        deviceCategory = conflict.mine.deviceCategory
        at = conflict.mine.at.map { Instant(milliseconds: $0) }
        isParallel = conflict.parallel ?? false
    }
}

extension LocalRecord {
    fileprivate func values(with fields: [String: JSONValue]) -> RecordValues {
        RecordValues(
            model: model, guid: guid, owner: owner, group: group, isConflicted: isConflicted,
            fields: (server ?? [:]).merging(fields) { _, side in side })
    }
}
