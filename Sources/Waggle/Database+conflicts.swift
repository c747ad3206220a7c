import GRDB
import JSON
import SyncProtocol

/// A record with concurrent changes that have not been reconciled.
public struct OpenConflict<Model: Record>: Sendable {
    /// The record as it is now, with the changes of others; nil if they removed it.
    public let record: Model?
    /// The guid of the record.
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
    /// The record as the other change left it; nil if it was removed.
    public let theirs: Model?
    /// The login of the author of the change that was set aside.
    public let login: String?
    /// The device category from which the change was made.
    public let deviceCategory: String?
    /// The time at which the server received the change.
    public let at: Instant?
    /// Whether nobody else changed a field that this change sets, as far as the user sees: both
    /// changes can be kept.
    public let isParallel: Bool
}

extension Database {
    /// The records of a model with open conflicts, in the order of their guids.
    ///
    /// Throws `notLoggedIn` when nobody is logged in.
    public func conflicts<Model: Record>(
        of type: Model.Type
    ) async throws(DatabaseError) -> [OpenConflict<Model>] {
        try await look { _, rules, db in
            let records = try LocalRecord.fetchAll(
                db, sql: "SELECT * FROM records WHERE model = ? AND is_conflicted ORDER BY guid",
                arguments: [Model.modelName])
            return try records.map { try OpenConflict($0, by: rules) }
        }
    }

    /// Closes the conflicts of a record with the given values. The next sync sends the resolution.
    ///
    /// Throws `refused` if the user may not resolve conflicts or a value breaks a limit.
    public func resolve<Model: Record>(_ record: Model) async throws(DatabaseError) {
        let values = record.values
        try await edit { store, rules, db in try store.resolve(values, by: rules, db) }
    }

    /// Closes the conflicts of a record by removing it. A record that others removed stays removed.
    ///
    /// Throws `refused` if the user may not resolve conflicts or delete the record.
    public func resolve<Model: Record>(
        removing conflict: OpenConflict<Model>
    ) async throws(DatabaseError) {
        let guid = conflict.guid
        try await edit { store, rules, db in
            try store.resolve(removing: guid, model: Model.modelName, by: rules, db)
        }
    }

    /// Sets the handler that settles conflicts of a model during a sync, before they become
    /// conflicts on the server.
    ///
    /// A sync calls the handler for each change that met a newer state on the server, and again
    /// when the server has moved on in the meantime. Without a handler the conflict mode of the
    /// definition decides. The handler may read and edit records. It must not wait for a sync: the
    /// sync that called it waits for the handler.
    public func onConflict<Model: Record>(
        of type: Model.Type,
        _ decide: @Sendable @escaping (Conflict<Model>) async -> ConflictDecision<Model>
    ) {
        let handler = ConflictHandler { conflict throws(RecordError) in
            await decide(try conflict.typed(type)).untyped
        }
        state.withLock { $0.handlers.byModel[Model.modelName] = handler }
    }

    /// Sets the handler for every model that has no handler of its own; see
    /// ``onConflict(of:_:)``.
    public func onConflict(
        _ decide:
            @Sendable @escaping (Conflict<RecordValues>) async -> ConflictDecision<RecordValues>
    ) {
        let handler = ConflictHandler { await decide($0) }
        state.withLock { $0.handlers.ofAll = handler }
    }
}

extension OpenConflict {
    init(_ record: LocalRecord, by rules: LocalRules) throws {
        guid = record.guid
        self.record =
            record.isDeleted ? nil : try Model(record.values(record.server ?? [:], by: rules))
        sides = try record.conflicts.map { try ConflictingChange($0, of: record, by: rules) }
    }
}

extension ConflictingChange {
    fileprivate init(
        _ conflict: ConflictMessage, of record: LocalRecord, by rules: LocalRules
    ) throws {
        let version = { (side: ConflictSide) throws -> Model? in
            guard !side.deleted else { return nil }
            let fields = (record.server ?? [:]).merging(side.fields) { _, side in side }
            return try Model(record.values(fields, by: rules))
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
