package import AccessPolicy
package import ChangeRules
package import DefinitionModel
package import VersionTranslation

/// An engine in the words of its clients, whose version need not be the served one.
///
/// Wires whose clients know no versions call it alone: names and values that they pass and get are
/// those of the version that these clients speak. Rights and limits are those of the served one.
package struct WordedEngine: Sendable {
    /// The engine that decides, and reads as much as such clients know.
    package private(set) var engine: Engine
    /// Nil for clients of the served version.
    package let translation: ClientTranslation?
    /// The rules of the clients' version. They give names, and decide nothing.
    package let rules: Rules
    /// The fingerprint of the version of the clients; empty if nobody has named one.
    package let namedVersion: String

    /// - Parameters:
    ///   - client: Nil for clients of the served version.
    ///   - isNamed: Whether the served version was named as theirs.
    package init(_ engine: Engine, for client: ClientEngine?, isNamed: Bool = false) {
        self.engine = client?.engine ?? engine
        translation = client?.translation
        namedVersion =
            client?.translation.client.fingerprint
            ?? (isNamed ? engine.rules.definition.fingerprint : "")
        rules = translation.map(engine.view.clients.ownRules) ?? engine.rules
    }

    /// The same engine, whose long reads each wait for a turn; see `Engine.taking`.
    package func taking(_ turns: any ReadTurns) -> WordedEngine {
        var words = self
        words.engine = engine.taking(turns)
        return words
    }

    package var limits: Limits { engine.limits }

    /// The definition of the clients.
    package var definition: Definition { rules.definition }

    /// The definition that decides.
    package var servedDefinition: Definition { engine.rules.definition }

    /// Nil for a model that is not served.
    package func servedModel(_ name: String) -> Model? {
        guard let translation else { return rules.model(named: name)?.model }
        return translation.model(calledByClient: name)?.served
    }

    private func servedName(_ model: String) -> String {
        translation?.servedModel(model) ?? model
    }

    /// False for a field of the clients that is not served.
    package func serves(_ field: String, of model: String) -> Bool {
        translation.map { $0.servedOperand(field, ofModel: model) != nil } ?? true
    }

    /// Whether the asker may both set and see a field: of a record or, without one, of a new one.
    /// False for a field that is not served.
    package func maySet(
        _ field: String, of model: String, in record: RecordView?, for asker: Asker
    ) -> Bool {
        let ownership =
            record.map { Ownership(owner: $0.owner, group: $0.group) } ?? asker.ownership
        return allows(
            [record == nil ? .create : .update, .read], field, of: model, on: ownership, by: asker)
    }

    /// Whether the asker may see a field of a record. False for a field that is not served.
    package func mayRead(
        _ field: String, of model: String, in record: RecordView, by asker: Asker
    ) -> Bool {
        allows(
            [.read], field, of: model, on: Ownership(owner: record.owner, group: record.group),
            by: asker)
    }

    private func allows(
        _ operations: [Operation], _ field: String, of model: String, on ownership: Ownership,
        by asker: Asker
    ) -> Bool {
        guard let served = translation.map({ $0.servedOperand(field, ofModel: model) }) ?? field
        else { return false }
        return operations.allSatisfy { operation in
            engine.rules.book.allows(
                operation, field: served, of: servedName(model), on: ownership, by: asker)
        }
    }
}

extension WordedEngine {
    /// See `Engine.recordIDs`.
    package func recordIDs(
        of ids: [String], in model: String
    ) async throws(SyncError) -> [RecordID?] {
        try await engine.recordIDs(of: ids, in: servedName(model))
    }

    /// The ids of the records of a model that were made for users, by login: the usual id of one
    /// who owns a record with that id, or none at all; otherwise see `SearchTransaction.ownRecord`.
    package func ownIDs(
        in model: String, usually usual: [String: String]
    ) async throws(SyncError) -> [String: String] {
        let served = servedName(model)
        let usualGuids = usual.mapValues { guids(of: $0, in: model) }
        return try await engine.reading { () async throws(StoreError) in
            try await engine.store.search(in: engine.environment, readingNames: false) { search in
                var ids = usual
                for (login, guids) in usualGuids {
                    let isUsual = try search.records(guids).contains {
                        $0.map { !$0.record.isDeleted && $0.record.owner == login } ?? false
                    }
                    guard !isUsual, let guid = try search.ownRecord(of: served, ownedBy: login)
                    else { continue }
                    ids[login] = try search.names([guid]).first.flatMap { $0 } ?? guid
                }
                return ids
            }
        }
    }

    /// The guids of which a record with an opaque id has one; see `RecordNaming.guids`.
    private func guids(of id: String, in model: String) -> [String] {
        engine.naming?.guids(of: id, in: servedName(model)) ?? []
    }

    /// See `Engine.push(importing:prepared:keepingOutcomesFor:isTrial:seen:by:at:)`.
    package func push(
        importing changes: PreparedChanges, keepingOutcomesFor seconds: Int64,
        seen sequence: Int64 = 0, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> [Outcome] {
        let outcomes = try await engine.push(
            importing: changes.served, prepared: changes.batch, keepingOutcomesFor: seconds,
            isTrial: false, seen: sequence, by: caller, at: now)
        return clientOutcomes(outcomes, of: changes.own)
    }

    /// See `Engine.push(_:prepared:keepingOutcomesFor:isWhole:by:at:whileWanted:)`.
    package func push(
        _ changes: PreparedChanges, keepingOutcomesFor seconds: Int64?, isWhole: Bool = false,
        by caller: Caller, at now: Instant, whileWanted isWanted: (@Sendable () -> Bool)? = nil
    ) async throws(SyncError) -> StampedOutcomes {
        var stamped = try await engine.push(
            changes.served, prepared: changes.batch, keepingOutcomesFor: seconds,
            isWhole: isWhole, by: caller, at: now, whileWanted: isWanted)
        stamped.outcomes = clientOutcomes(stamped.outcomes, of: changes.own)
        return stamped
    }

    /// The outcomes are in the order of the changes.
    private func clientOutcomes(_ outcomes: [Outcome], of changes: [Change]) -> [Outcome] {
        guard let translation else { return outcomes }
        return zip(outcomes, changes).map {
            translation.clientOutcome($0, ofModel: $1.model)
        }
    }

    /// See `Engine.history`.
    package func history(
        of guid: String, model: String, cursor: String?, limit: Int?, for caller: Caller
    ) async throws(SyncError) -> HistoryPage {
        guard let translation else {
            return try await engine.history(
                of: guid, model: model, cursor: cursor, limit: limit, for: caller)
        }
        guard let known = translation.model(calledByClient: model) else { throw .recordUnknown }
        let page = try await engine.history(
            of: guid, model: known.served.name, cursor: cursor, limit: limit, for: caller)
        return HistoryPage(
            entries: page.entries.map { $0.mapFields(known.clientFields) }, cursor: page.cursor)
    }
}
