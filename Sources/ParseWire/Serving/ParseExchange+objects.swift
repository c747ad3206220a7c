import AccessPolicy
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

/// Creating, updating and deleting objects.
extension ParseExchange {
    /// The time for which a request can be repeated with its id.
    static let repeatSeconds: Int64 = 30 * 24 * 3600

    func objects(of className: String, _ rest: [String]) async throws -> ParseAnswer {
        let caller = try await caller()
        switch call.verb {
        case .get where rest.isEmpty: return try await found(of: className, for: caller)
        case .get where rest.count == 1:
            return try await object(rest[0], of: className, for: caller)
        case .post where rest.isEmpty, .put where rest.count == 1, .delete where rest.count == 1:
            let operation = ParseOperation(
                verb: call.verb, className: className, objectID: rest.first,
                body: call.body,
                ifRevision: call.verb == .post ? nil : try ifRevision())
            return try await answer(to: operation, for: caller)
        case .get, .post, .put, .delete: throw ParseFailure.wrongMethod
        }
    }

    /// The revision in `If-Match`; nil for none and for `*`.
    func ifRevision() throws(ParseFailure) -> Int64? {
        guard let text = exchange.request.headers[.ifMatch], text != "*" else { return nil }
        let tag = text.hasPrefix("W/") ? text.dropFirst(2) : Substring(text)
        guard tag.count > 2, tag.hasPrefix("\""), tag.hasSuffix("\""),
            let revision = Int64(tag.dropFirst().dropLast())
        else { throw .badQuery("If-Match takes the ETag of the object") }
        return revision
    }

    private func answer(
        to operation: ParseOperation, for caller: Caller
    ) async throws -> ParseAnswer {
        let done = try await done(operation, for: caller)
        guard operation.verb != .delete else { return ParseAnswer(done.members) }
        guard operation.verb == .post, case .string(let id)? = done.members["objectId"] else {
            return done.answer
        }
        var answer = ParseAnswer.created(
            done.members, at: ["classes", operation.className, id], of: base)
        answer.revision = done.revision
        return answer
    }

    /// Does one operation. A change of an earlier state is refused with the object as it is.
    func done(
        _ operation: ParseOperation, for caller: Caller
    ) async throws -> DoneOperation {
        let results = try await results(of: [operation], isWhole: false, for: caller)
        guard let result = results.first else { throw ParseFailure.objectNotFound }
        do throws(ParseFailure) {
            return try result.get()
        } catch {
            guard error.status == 412, let id = operation.objectID else { throw error }
            var failure = error
            let present = try await object(id, of: operation.className, for: caller)
            if case .object(let members) = present.json { failure.object = members }
            throw failure
        }
    }

    /// Does the operations in their order, in one batch of the engine. Where one of several is
    /// about relations, each is a batch of its own.
    ///
    /// - Parameters:
    ///   - isWhole: Whether nothing is done unless all of it can be. Then throws what the first of
    ///     those that cannot be done is refused for.
    ///   - first: The number of the first operation in its request.
    func results(
        of operations: [ParseOperation], isWhole: Bool, from first: Int = 0, for caller: Caller
    ) async throws -> [Result<DoneOperation, ParseFailure>] {
        let planned = try await planned(operations, from: first, for: caller)
        let plans = planned.compactMap { try? $0.get() }
        let hasEdits = plans.contains { !$0.edits.isEmpty }
        if hasEdits, !isWhole, operations.count > 1 {
            var results: [Result<DoneOperation, ParseFailure>] = []
            for (number, operation) in operations.enumerated() {
                do {
                    if number > 0 { try exchange.checkIsServing() }
                    results += try await self.results(
                        of: [operation], isWhole: false, from: first + number, for: caller)
                } catch let failure as ParseFailure {
                    results.append(.failure(failure))
                } catch {
                    // Those before are done, and are not to be sent again.
                    guard !results.isEmpty else { throw error }
                    results.append(.failure(ParseFailure(of: error, exchange.request)))
                }
            }
            return results
        }
        if isWhole { for plan in planned { _ = try plan.get() } }
        let carried = try await carryOut(
            plans, of: operations, isWhole: isWhole || hasEdits, for: caller)
        if isWhole, let failure = carried.compactMap(\.failure).first {
            throw failure.ofTransaction
        }
        let pairs = Array(zip(plans, carried))
        let states = await statesIfReadable(after: pairs, for: caller)
        var done = pairs.makeIterator()
        return planned.map { plan in
            plan.flatMap { _ in
                guard let (plan, carried) = done.next() else { return .failure(.objectNotFound) }
                return carried.failure.map { .failure($0) }
                    ?? .success(result(of: plan, carried, states, for: caller))
            }
        }
    }

    private func carryOut(
        _ plans: [PlannedOperation], of operations: [ParseOperation], isWhole: Bool,
        for caller: Caller
    ) async throws -> [CarriedOut] {
        var changes: [[(model: Model, change: Change)]] = []
        for plan in plans.joiningEdits() {
            do {
                changes.append(try await self.changes(of: plan, for: caller))
            } catch let failure as ParseFailure {
                // A plan with relations is done alone, or else all of them or none.
                return plans.map { _ in CarriedOut(failure: failure) }
            }
        }
        let batch = changes.joined().map(\.change)
        guard !batch.isEmpty else { return [] }
        var isWanted: (@Sendable () -> Bool)?
        if plans.count > 1 {
            isWanted = { [exchange] in (try? exchange.checkGoesOn()) != nil }
        }
        let author = author(of: operations, caller)
        let prepared = try await exchange.prepared(
            batch, ofBody: body.count, in: engine, by: author)
        let pushed = try await exchange.untilStop {
            try await engine.taking(exchange.turns(for: caller)).push(
                prepared, keepingOutcomesFor: repeatKey == nil ? nil : Self.repeatSeconds,
                isWhole: isWhole, by: author, at: exchange.now, whileWanted: isWanted)
        }
        var rest = pushed.outcomes[...]
        return zip(plans, changes).map { plan, changes in
            let own = rest.prefix(changes.count)
            rest = rest.dropFirst(changes.count)
            let refused = zip(changes, own).first { $1.kind == .refused }
            return CarriedOut(
                failure: refused.map { refusal(of: plan, for: $1.causes, of: $0.model) },
                outcome: own.first,
                stamp: pushed.stamps[plan.change.guid])
        }
    }

    /// - Parameter model: That of the refused change, which may be one of a pair.
    private func refusal(
        of plan: PlannedOperation, for causes: [Cause], of model: Model
    ) -> ParseFailure {
        ParseFailure(
            refusing: causes, of: model, named: ClassNames(definition), given: plan.body,
            relation: model.name == plan.model.name ? nil : model.join?.name)
    }

    /// The change of the object, and those of its pairs.
    private func changes(
        of plan: PlannedOperation, for caller: Caller
    ) async throws -> [(model: Model, change: Change)] {
        var changes = [(model: plan.model, change: plan.change)]
        for edit in plan.edits {
            changes += try await self.changes(
                for: edit, of: plan.change.guid, named: plan.change.id, for: caller
            ).map { (edit.relation.model, $0) }
        }
        return changes
    }

    /// A device counts as having seen its own earlier changes. A client that names a revision has
    /// seen that revision only.
    private func author(of operations: [ParseOperation], _ caller: Caller) -> Caller {
        guard operations.contains(where: { $0.ifRevision != nil }) else { return caller }
        return Caller(
            asker: caller.asker, deviceIdentifier: "parse-\(repeatKey ?? freshGuid())",
            isAdmin: caller.isAdmin, moment: caller.moment)
    }
}

// MARK: - Planning

extension ParseExchange {
    private func planned(
        _ operations: [ParseOperation], from first: Int, for caller: Caller
    ) async throws -> [Result<PlannedOperation, ParseFailure>] {
        let (ids, pointers) = try await exchange.compute(ofBody: body.count, for: caller) {
            named(by: operations, from: first, for: caller)
        }
        let records = try await records(of: pointers)
        let owners = try await owners(ofListedBy: operations, in: records, for: caller)
        return try await exchange.compute(ofBody: body.count, for: caller) {
            operations.enumerated().map { index, operation in
                do throws(ParseFailure) {
                    try checkAccessList(of: operation, in: records, owners)
                    return .success(
                        try plan(
                            operation, ids[index], number: first + index, records, for: caller))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    /// The ids of the objects of operations, and all objects that they name.
    private func named(
        by operations: [ParseOperation], from first: Int, for caller: Caller
    ) -> (ids: [String], pointers: Set<ParsePointer>) {
        var pointers: Set<ParsePointer> = []
        var ids: [String] = []
        for (index, operation) in operations.enumerated() {
            let id =
                operation.objectID ?? operation.ownID
                ?? freshID(first + index, of: operation, for: caller)
            ids.append(id)
            pointers.insert(ParsePointer(className: operation.className, objectID: id))
            pointers.formUnion(ParsePointer.all(in: operation.body.values))
        }
        return (ids, pointers)
    }

    private func plan(
        _ operation: ParseOperation, _ id: String, number: Int, _ records: RecordTable,
        for caller: Caller
    ) throws(ParseFailure) -> PlannedOperation {
        let name = operation.className
        guard let model = rules(ofClass: name) else { throw .unknownClass(name) }
        guard let record = records[ParsePointer(className: name, objectID: id)] else {
            throw .badID
        }
        let isCreation = operation.verb == .post
        if isCreation, let id = operation.body["objectId"], id != .null, !id.isText {
            throw .badID
        }
        let fields =
            operation.verb == .delete
            ? [:] : try operation.fields(of: model, relations, in: records)
        let edits =
            operation.verb == .delete
            ? [] : try operation.edits(of: model, relations, in: records)
        for edit in edits { try checkIsFew(edit.named) }
        let changeID = repeatKey.map { "parse-\($0)-\(number)" } ?? "parse-\(freshGuid())"
        return PlannedOperation(
            verb: operation.verb, model: model.model,
            change: Change(
                id: changeID,
                action: isCreation ? .create : operation.verb == .put ? .update : .delete,
                model: model.model.name, guid: record.guid, baseRevision: operation.ifRevision,
                fields: fields, isRefusedIfStale: operation.ifRevision != nil,
                followsPresent: !isCreation && operation.ifRevision == nil,
                onlyAsks: operation.verb == .put && fields.isEmpty
                    && (!edits.isEmpty || operation.ifRevision != nil),
                name: isCreation ? record.name : nil),
            id: id, body: operation.body,
            told: operation.told(setting: fields, of: model.model), edits: edits)
    }

    /// The owners of objects for which operations have an access list, by guid, and the caller as
    /// that of new ones under the empty text. Objects that the caller does not see are left out.
    private func owners(
        ofListedBy operations: [ParseOperation], in table: RecordTable, for caller: Caller
    ) async throws -> [String: ListedOwner] {
        guard operations.contains(where: \.hasAccessList) else { return [:] }
        var guids: [String: Set<String>] = [:]
        for operation in operations where operation.hasAccessList {
            guard let model = rules(ofClass: operation.className)?.model.name,
                engine.servedModel(model) != nil, let guid = operation.guid(in: table)
            else { continue }
            guids[model, default: []].insert(guid)
        }
        var listed: [RecordView] = []
        for (model, guids) in guids {
            listed += try await records(withGuids: guids, of: model, fields: [], for: caller)
                .map(\.record)
        }
        let ids = try await userIDs(of: Set(listed.map(\.owner) + [caller.login]))
        var owners = ["": ListedOwner(id: ids[caller.login] ?? "", group: caller.asker.group)]
        for record in listed {
            owners[record.guid] = ListedOwner(id: ids[record.owner] ?? "", group: record.group)
        }
        return owners
    }

    /// The list of an object is that of its owner, whoever changes it. A new one is the caller's.
    private func checkAccessList(
        of operation: ParseOperation, in table: RecordTable, _ owners: [String: ListedOwner]
    ) throws(ParseFailure) {
        guard operation.verb != .delete,
            let owner = operation.guid(in: table).flatMap({ owners[$0] }) ?? owners[""]
        else { return }
        try checkAccessList(operation.body["ACL"], of: operation.className, owner: owner)
    }

    /// Throws 123 for a list that lets in fewer users than the definition does to what a user
    /// owns. To have none, or to remove it, asks for no privacy.
    func checkAccessList(
        _ json: JSONValue?, of className: String, owner: ListedOwner
    ) throws(ParseFailure) {
        guard let json, !json.isRemoval, let model = rules(ofClass: className)?.model,
            // The change of a model that is not served is refused by name.
            let served = engine.servedModel(model.name)
        else { return }
        let isKept = ParseAccessList(json)?.isKept(
            by: served, of: engine.servedDefinition, userID: owner.id, group: owner.group)
        guard isKept ?? false else {
            throw ParseFailure(123, "the definition lets in more users than this ACL")
        }
    }

    /// An id of ten letters and digits, which a repeat of the request gets again.
    private func freshID(
        _ number: Int, of operation: ParseOperation, for caller: Caller
    ) -> String {
        if let hash = repeatHash(of: "object \(number)", by: caller),
            let id = exchange.engine.naming?.parseID(of: hash.hex, in: operation.className)
        {
            return id
        }
        var random = SystemRandomNumberGenerator()
        return idOfDigits(random.next())
    }

    /// A hash that a repeat of the request has again, if it comes from the same user and
    /// installation. Nil if the request cannot be repeated.
    func repeatHash(of part: String, by caller: Caller) -> ContentHash? {
        guard let repeatKey else { return nil }
        var hash = SHA256()
        for text in [part, repeatKey, caller.login, caller.deviceIdentifier] {
            hash.update(Array(text.utf8) + [0])
        }
        return ContentHash(hash.finalize())
    }
}

/// The owner of an object, as an access list names users and groups.
struct ListedOwner {
    let id: String
    let group: String
}

extension ParseOperation {
    /// Whether it gives its object an access list.
    fileprivate var hasAccessList: Bool { !(body["ACL"]?.isRemoval ?? true) }

    /// The guid of an object that may exist; nil for a new one.
    fileprivate func guid(in table: RecordTable) -> String? {
        objectID.flatMap { table.guid(of: ParsePointer(className: className, objectID: $0)) }
    }
}

extension ParseFailure {
    fileprivate static let badID = ParseFailure(
        104, "an object id is a text of 1 to \(RecordNaming.maxLength) characters without U+0000")

    /// A transaction that failed is not to be sent again as it was.
    fileprivate var ofTransaction: ParseFailure {
        var failure = ParseFailure(status: 400, code: code, message)
        failure.causes = causes
        return failure
    }
}
