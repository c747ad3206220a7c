import ChangeRules
import DefinitionModel
import ForeignValues
import HTTPTypes
import Hashing
import Hummingbird
import JSON
import RecordSearch
import Secrets
import SyncEngine
import SyncServer

/// Changing rows.
extension AzureCall {
    /// The time for which a client may repeat a change whose answer was lost.
    static let outcomeSeconds: Int64 = 30 * 24 * 3600
    /// Changes that nobody can repeat.
    static let unrepeatedSeconds: Int64 = 60

    func insert() async throws -> Response {
        let (caller, table) = (try await caller(), try table())
        let shape = try shape(of: table)
        let (sent, body) = try await sentRow(of: table)
        var edit = sent
        if traits.omitsDefaults {
            edit.addOmitted(in: table, where: settable(in: nil, of: table, for: caller))
        }
        // The id of a profile of Parse is that of the user, to whom records of others refer by it.
        guard edit.id == nil || table.name != Model.userClass else {
            throw AzureRefusal(.badRequest, "The server chooses the ids of rows of this table.")
        }
        let id = edit.id ?? freshGuid()
        if try await hasOtherCase(id, of: table, for: caller) {
            throw try await taken(id, of: table, shape, for: caller)
        }
        let guid = try await guids(of: edit, in: table)
        let fields = try await exchange.compute(ofBody: body.count, for: caller) { [edit] in
            edit.creation(in: table, guid: guid)
        }
        let (record, outcome) = try await insert(
            id, fields, joinsEdits ? [] : body, hasID: edit.id != nil, in: table, by: caller)
        guard !outcome.isGuidTaken else {
            throw try await taken(id, of: table, shape, for: caller)
        }
        guard outcome.kind != .refused else { throw refusal(outcome, id, of: table) }
        return try await answer(
            inserted: record, id, edit, body, of: table, shape, for: caller, guid: guid)
    }

    /// `X-HTTP-Method-Override`, or an undeletion.
    func postToRow() async throws -> Response {
        switch overriddenMethod {
        case "PATCH", "PUT", "MERGE": return try await update()
        case "DELETE": return try await delete()
        case "GET": return try await row()
        case "POST": return try await undelete()
        case let method: throw refusal(ofMethod: method)
        }
    }

    /// The same for a table.
    func postToTable() async throws -> Response {
        switch overriddenMethod {
        case "GET": return try await rows()
        case "POST": return try await insert()
        case let method: throw refusal(ofMethod: method)
        }
    }

    private var overriddenMethod: String {
        header("X-HTTP-Method-Override")?.uppercased() ?? "POST"
    }

    private func refusal(ofMethod method: String) -> AzureRefusal {
        AzureRefusal(.badRequest, "The method '\(method)' is not served so.")
    }

    func update() async throws -> Response {
        let (caller, table) = (try await caller(), try table())
        let shape = try shape(of: table)
        let id = try exchange.parameter("id")
        let (edit, body) = try await sentRow(of: table)
        guard edit.id?.hasSameBytes(as: id) ?? true else {
            throw AzureRefusal(.badRequest, "The id of the body is another one than the URL's.")
        }
        guard let row = try await row(id, of: table, for: caller) else { throw missing(id) }
        let condition = try condition(edit)
        if row.record.isDeleted || undeletes(edit),
            try await wasDone(["PATCH", "POST"], condition, body, on: row, of: table, by: caller)
        {
            guard row.record.isDeleted else {
                return try await answer(row, of: table, shape, for: caller)
            }
            return try await answerGone(row, of: table, for: caller)
        }
        guard !row.record.isDeleted else {
            return try await updateDeleted(row, edit, body, of: table, shape, for: caller)
        }
        guard try !isModified(row) else {
            throw try await stale(row, of: table, shape, for: caller)
        }
        let seen = try await seenFields(of: row, at: condition, in: table, for: caller)
        let guid = try await knownGuids(of: edit.relatedIDs(in: table), for: caller)
        let meant = try await meant(edit, from: seen, of: row, in: table, for: caller, guid: guid)
        let fields = try await exchange.compute(ofBody: body.count, for: caller) {
            meant.changes(from: seen.values, in: table) { guid($0, $1) ?? freshGuid() }
        }
        let outcome = try await push(
            .update, fields, "PATCH", condition, body, of: row, in: table, by: caller)
        guard outcome.kind != .refused else {
            throw try await refusal(outcome, at: condition, of: row, in: table, shape, for: caller)
        }
        guard let row = try await self.row(id, of: table, for: caller) else { throw missing(id) }
        return try await answer(row, of: table, shape, for: caller)
    }

    func delete() async throws -> Response {
        let (caller, table) = (try await caller(), try table())
        let shape = try shape(of: table)
        let id = try exchange.parameter("id")
        guard let row = try await row(id, of: table, for: caller) else {
            if traits.isOffline { return .empty() }
            throw missing(id)
        }
        let condition = try condition(nil)
        guard !row.record.isDeleted else {
            let isDone = try await wasDone(
                ["DELETE"], condition, [], on: row, of: table, by: caller)
            if isDone || traits.isOffline { return .empty() }
            throw try await refusalOfDeleted(row, at: condition, of: table, shape, for: caller)
        }
        guard try !isModified(row) else {
            throw try await stale(row, of: table, shape, for: caller)
        }
        let outcome = try await push(
            .delete, [:], "DELETE", condition, [], of: row, in: table, by: caller)
        guard outcome.kind != .refused else {
            let isGone = outcome.causes.contains { $0.reason == .change(.recordDeleted) }
            if isGone, traits.isOffline { return .empty() }
            throw try await refusal(outcome, id, of: table, shape, for: caller)
        }
        return .empty()
    }

    // MARK: - Omitted columns

    /// Whether the body is the whole row of a client that leaves out false, zero and null.
    var leavesOutDefaults: Bool { traits.omitsDefaults && exchange.request.method == .put }

    /// The fields that the caller may set and see, in a record or in a new one. The client cannot
    /// mean to remove a value that it could not have.
    func settable(
        in record: RecordView?, of table: Table, for caller: Caller
    ) -> (Field) -> Bool {
        { engine.maySet($0.name, of: table.model.name, in: record, for: caller.asker) }
    }

    // MARK: - Ids

    private func record(_ id: String, of table: Table) async throws -> RecordID {
        guard isLegalRowID(id, dialect),
            let record = try await engine.recordIDs(of: [id], in: table.model.name).first ?? nil
        else { throw AzureRefusal(.badRequest, "The id '\(id)' is not allowed.") }
        return record
    }

    /// Whether a row has the same UUID in the other case. Some clients take both for one row.
    private func hasOtherCase(
        _ id: String, of table: Table, for caller: Caller
    ) async throws -> Bool {
        guard isGuid(id) else { return false }
        let others = [id.lowercased(), id.uppercased()].filter { $0 != id }
        guard !others.isEmpty else { return false }
        var query = FindQuery(
            filter: .among(operand: "$guid", others.map { .string($0) }), fields: [], limit: 1)
        query.includesDeleted = true
        return try await !engine.find(query, of: table.model.name, for: caller).found.isEmpty
    }

    /// Returns the guids for which the ids of related rows stand in a new row, whose answer does
    /// not tell a row that the caller does not see from none.
    func guids(
        of edit: RowEdit, in table: Table
    ) async throws -> @Sendable (_ id: String, _ model: String) -> String? {
        var guids: [String: [String: String]] = [:]
        for (model, ids) in edit.relatedIDs(in: table) {
            let ids = ids.sorted()
            for (id, record) in zip(ids, try await engine.recordIDs(of: ids, in: model)) {
                guids[model, default: [:]][id] = record?.guid
            }
        }
        return { [guids] id, model in guids[model]?[id] }
    }

    // MARK: - Versions

    /// The second generation may send the version in the body.
    func condition(_ edit: RowEdit?) throws(QuestionFault) -> RowCondition {
        let condition = try RowCondition(ifMatch: header("If-Match"), dialect)
        guard condition == .none, header("If-Match") == nil, dialect == .apps,
            let version = edit?.version
        else { return condition }
        return .version(RowVersion(version))
    }

    private var hasTimeCondition: Bool {
        dialect == .datasync && header("If-Match") == nil && header("If-Unmodified-Since") != nil
    }

    /// Whether the row has changed since the time that a client of the third generation may send
    /// in place of a version. Such times have whole seconds.
    func isModified(_ row: FoundView) throws(QuestionFault) -> Bool {
        guard hasTimeCondition, let text = header("If-Unmodified-Since") else { return false }
        guard let time = milliseconds(ofHeader: text) else {
            throw QuestionFault("If-Unmodified-Since takes a time in the form of HTTP.")
        }
        return row.changedAt.milliseconds >= time + 1000
    }

    // MARK: - Pushing

    /// - Parameter hasID: Whether the client chose the id. Those of the third generation do not say
    ///   that they repeat.
    private func insert(
        _ id: String, _ fields: [String: GivenValue], _ body: [UInt8], hasID: Bool,
        in table: Table, by caller: Caller
    ) async throws -> (record: RecordID, outcome: Outcome) {
        let isRepeatable = traits.isOffline || dialect == .datasync && hasID
        let changeID = try await changeID(
            "POST", table, id, .none, body, isRepeatable: isRepeatable, by: caller)
        func push(_ record: RecordID) async throws -> Outcome {
            let change = Change(
                id: changeID, action: .create, model: table.model.name, guid: record.guid,
                baseRevision: nil, fields: fields, name: record.name)
            return try await self.push(change, isRepeatable: isRepeatable, by: caller)
        }
        let record = try await self.record(id, of: table)
        let outcome = try await push(record)
        // A row of another table may have got the UUID meanwhile.
        guard outcome.isGuidTaken, case let present = try await self.record(id, of: table),
            present != record
        else { return (record, outcome) }
        return (present, try await push(present))
    }

    /// The identity of a change. A client that repeats one sends the same bytes again.
    func changeID(
        _ verb: String, _ table: Table, _ id: String, _ condition: RowCondition, _ body: [UInt8],
        isRepeatable: Bool, by caller: Caller
    ) async throws -> String {
        guard isRepeatable else { return freshGuid() }
        let head = [verb, table.model.name, id, condition.text, installation]
            .map { "\($0.utf8.count):\($0)" }.joined()
        let hash = try await exchange.compute(ofBody: body.count, for: caller) {
            SHA256.hash(Array(head.utf8) + body)
        }
        return hexadecimal(hash)
    }

    /// Updates or deletes a row. Without a version, the change is made from the row as it is at its
    /// turn, whatever others do at the same time.
    func push(
        _ action: ChangeAction, _ fields: [String: GivenValue], _ verb: String,
        _ condition: RowCondition, _ body: [UInt8], of row: FoundView, in table: Table,
        by caller: Caller
    ) async throws -> Outcome {
        let isRepeatable = condition != .none
        let isConditional = isRepeatable || hasTimeCondition
        let change = Change(
            id: try await changeID(
                verb, table, row.id, condition, body, isRepeatable: isRepeatable, by: caller),
            action: action, model: table.model.name, guid: row.record.guid,
            baseRevision: isConditional ? condition.base(for: row) : nil, fields: fields,
            isRefusedIfStale: isConditional, followsPresent: !isConditional)
        return try await push(change, isRepeatable: isRepeatable, by: caller)
    }

    /// The refusal of an update. One that is refused for some of its columns, and is made from an
    /// earlier version too, is told of the version first: the client's handler of conflicts gets
    /// the row, and may give up the columns.
    private func refusal(
        _ outcome: Outcome, at condition: RowCondition, of row: FoundView, in table: Table,
        _ shape: RowShape, for caller: Caller
    ) async throws -> AzureRefusal {
        var outcome = outcome
        if condition.isStale(for: row), outcome.causes.allSatisfy({ $0.field != nil }) {
            let question = Change(
                id: freshGuid(), action: .update, model: table.model.name, guid: row.record.guid,
                baseRevision: condition.base(for: row), fields: [:], isRefusedIfStale: true,
                onlyAsks: true)
            let answer = try await push(question, isRepeatable: false, by: caller)
            if answer.causes.contains(where: \.isStale) { outcome = answer }
        }
        return try await refusal(outcome, row.id, of: table, shape, for: caller)
    }

    /// Whether a change from a version that is no longer the present one took effect before, so
    /// that its answer was lost. `verbs` are those that the request may have had.
    func wasDone(
        _ verbs: [String], _ condition: RowCondition, _ body: [UInt8], on row: FoundView,
        of table: Table, by caller: Caller
    ) async throws -> Bool {
        guard condition.isStale(for: row) else { return false }
        for verb in verbs {
            // Without a base, it is refused unless its outcome is known.
            let probe = Change(
                id: try await changeID(
                    verb, table, row.id, condition, body, isRepeatable: true, by: caller),
                action: .update, model: table.model.name, guid: row.record.guid,
                baseRevision: nil, fields: [:])
            let outcomes = try await engine.engine.push(
                importing: [probe], keepingOutcomesFor: Self.unrepeatedSeconds, isTrial: true,
                by: caller.author(of: probe), at: exchange.now)
            if outcomes.contains(where: { $0.kind != .refused }) { return true }
        }
        return false
    }

    /// Each change is one of a device of its own, so that what a client has done before does not
    /// count as seen: it tells what it has seen by the version, which is of the row alone.
    private func push(
        _ change: Change, isRepeatable: Bool, by caller: Caller
    ) async throws -> Outcome {
        let author = caller.author(of: change)
        let changes = try await exchange.prepared(
            [change], ofBody: exchange.bodyBytes, in: engine, by: author)
        let outcomes = try await engine.taking(exchange.turns(for: caller)).push(
            importing: changes,
            keepingOutcomesFor: isRepeatable ? Self.outcomeSeconds : Self.unrepeatedSeconds,
            seen: caller.sequence, by: author, at: exchange.now)
        guard let outcome = outcomes.first else {
            throw AzureRefusal(.internalServerError, "The change was not decided.")
        }
        return outcome
    }
}

extension Caller {
    /// The author of a change, on a device that only this change has.
    func author(of change: Change) -> Caller {
        Caller(
            asker: asker, deviceIdentifier: "azure-\(change.id)", isAdmin: isAdmin, moment: moment)
    }
}

extension RowCondition {
    /// The revision that the client has seen: the present one if it says nothing, and none if no
    /// row has ever had its version.
    func base(for row: FoundView) -> Int64 {
        switch self {
        case .none: row.record.revision
        case .version(let version): version?.revision ?? 0
        }
    }

    func isStale(for row: FoundView) -> Bool { base(for: row) != row.record.revision }
}

extension Outcome {
    fileprivate var isGuidTaken: Bool {
        causes.contains { $0.reason == .change(.guidTaken) }
    }
}
