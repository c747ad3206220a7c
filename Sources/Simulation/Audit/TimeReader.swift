import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// A client of another wire, which knows for each model the time of the last change that it was
/// told, and holds the records. Deleted ones go, also those that are in conflict.
///
/// Its app does not tell its version, so the engine is given in the words of the app.
struct TimeReader: Sendable {
    /// Nil for one that was built with the definition of now.
    let app: AppVersion?
    private var times: [String: Int64] = [:]
    private var held: [String: RecordView] = [:]
    /// By guid, the time with which each record that is held was told.
    private var toldAt: [String: Int64] = [:]
    /// By guid of a record that the last pulls told, the time that the client knew before them.
    private var knownBefore: [String: Int64] = [:]

    init(app: AppVersion?) { self.app = app }

    /// Reads the next page of a model, and returns the records that were told.
    @discardableResult
    mutating func read(
        _ engine: WordedEngine, _ model: String, limit: Int, by caller: Caller
    ) async throws(SyncError) -> [RecordView] {
        let time = times[model] ?? 0
        let page = try await engine.find(
            Self.query(after: time, limit: limit), of: model, for: caller)
        for found in page.found {
            let told = found.changedAt.milliseconds
            held[found.record.guid] = found.record.isDeleted ? nil : found.record
            toldAt[found.record.guid] = found.record.isDeleted ? nil : told
            times[model] = told
        }
        return page.found.map(\.record)
    }

    /// Reads the rest of a model while nothing changes. Returns the first record that pulls tell
    /// twice, which a client that counts what it reads takes for two. The first page of a client
    /// that knows no time is no pull.
    private mutating func readRest(
        _ engine: WordedEngine, _ model: String, by caller: Caller
    ) async throws(SyncError) -> String? {
        var known: Int64?
        while true {
            known = known ?? times[model]
            let records = try await read(engine, model, limit: 7, by: caller)
            guard !records.isEmpty else { return nil }
            guard let known else { continue }
            for record in records where !record.isDeleted {
                guard knownBefore.updateValue(known, forKey: record.guid) == nil else {
                    return record.guid
                }
            }
        }
    }

    /// The records that the last pulls told, and those among them that had two times for it, that
    /// of their change and a later one. `fresh` has the times of their changes.
    private func counts(comparedWith fresh: TimeReader) -> (told: Int, retold: Int) {
        let retold = knownBefore.count { guid, known in
            guard let told = toldAt[guid], let changed = fresh.toldAt[guid] else { return false }
            return known < changed && changed < told
        }
        return (knownBefore.count, retold)
    }

    /// Reads the rest, and tells what comes twice, and what is held or missing in comparison to a
    /// fresh client with the definition of now; nil if nothing is wrong. The conflicts of an
    /// earlier app are not compared: nobody tells it those of fields that it does not know. Neither
    /// are fields that are gone, and models: they have no records, and nobody tells it that those
    /// it holds are gone.
    mutating func finding(
        _ engine: WordedEngine, _ server: SimulatedServer, by caller: Caller,
        counting counts: inout HistoryCounts
    ) async throws -> (violated: Invariant, text: String)? {
        knownBefore = [:]
        for model in engine.definition.models {
            if let guid = try await readRest(engine, model.name, by: caller) {
                return (.timesTellOnce, "is told of '\(guid)' twice")
            }
        }
        var fresh = TimeReader(app: nil)
        for model in server.engine.rules.definition.models {
            try await fresh.readAll(server.engine, model.name, by: caller)
        }
        let pulled = self.counts(comparedWith: fresh)
        counts.told += pulled.told
        counts.retold += pulled.retold
        if let app { try leaveOwn(of: app, in: &fresh, server, for: caller.asker) }
        for guid in Set(held.keys).union(fresh.held.keys).sorted() {
            guard held[guid] != fresh.held[guid] else { continue }
            let text = "has \(summary(guid)), and a fresh one has \(fresh.summary(guid))"
            return (.timesTellWhatIsSeen, text)
        }
        return nil
    }

    /// Leaves in both what an earlier app knows.
    private mutating func leaveOwn(
        of app: AppVersion, in fresh: inout TimeReader, _ server: SimulatedServer, for asker: Asker
    ) throws {
        var expected: [String: RecordView] = [:]
        for (guid, record) in fresh.held {
            let lasting = try server.present.lasting(record)
            expected[guid] = app.own(lasting, for: asker, servedBy: server.rules)
        }
        let compared = { (record: RecordView) in
            record.withoutConflicts { app.serves(field: $0, of: record.model, server.rules) }
        }
        fresh.held = expected.mapValues(compared)
        held = held.mapValues(compared).filter { _, record in
            let model = app.vocabulary.lasting(record.model)
            return model.flatMap { server.rules.model(named: $0) } != nil
        }
    }

    private mutating func readAll(
        _ engine: Engine, _ model: String, by caller: Caller
    ) async throws(SyncError) {
        var query = FindQuery(limit: 50)
        repeat {
            let page = try await engine.find(query, of: model, for: caller)
            for found in page.found where !found.record.isDeleted {
                held[found.record.guid] = found.record
                toldAt[found.record.guid] = found.changedAt.milliseconds
            }
            query.cursor = page.cursor
        } while query.cursor != nil
    }

    private func summary(_ guid: String) -> String {
        held[guid].map { "revision \($0.revision) of '\(guid)', with \($0.fields ?? [:])" }
            ?? "no '\(guid)'"
    }

    private static func query(after time: Int64, limit: Int) -> FindQuery {
        var query = FindQuery(
            filter: .compare(.gt, operand: "$changedAt", with: .value(.integer(time))),
            sort: [FindQuery.SortKey("$changedAt")], limit: limit)
        query.includesDeleted = true
        query.isPull = time > 0
        return query
    }
}

extension RecordView {
    /// - Parameter isServed: Whether a field is kept.
    fileprivate func withoutConflicts(_ isServed: (String) -> Bool) -> RecordView {
        RecordView(
            model: model, guid: guid, revision: revision, owner: owner, group: group,
            isDeleted: isDeleted, isConflicted: false,
            fields: fields?.filter { isServed($0.key) })
    }
}

extension AppVersion {
    /// False for a field of the app that the served version does not have. A device that holds a
    /// null there is not told that the version of its app would not show it any more.
    fileprivate func serves(field: String, of model: String, _ served: Rules) -> Bool {
        guard let model = vocabulary.lasting(model),
            let name = vocabulary.lasting(field: field, of: model),
            self.field(name, of: model) != nil
        else { return true }
        return has(name, of: model, inCommonWith: served)
    }
}
