import ChangeRules
import DefinitionModel
import ForeignValues
import Hashing
import JSON
import RecordSearch
import Secrets
import SyncEngine

/// Relations: their pairs are records, whose rights decide.
extension ParseExchange {
    /// The pairs that one request of a relation reads, at most.
    private static let mostPairs = ParseParameters.mostRecords

    var relations: ParseRelations { ParseRelations(definition) }

    /// The changes that put pairs in place, and remove others. A pair that is there already is not
    /// made again. A repeat of the request finds other pairs, and changes none of them: what it
    /// asks for is part of the change `id` of the object.
    func changes(
        for edit: RelationEdit, of owner: String, named id: String, for caller: Caller
    ) async throws -> [Change] {
        let (join, model) = (edit.relation.join, edit.relation.model.name)
        var pairs: [Pair] = []
        for targets in edit.named.lists(of: engine.limits.filterValues) {
            pairs += try await self.pairs(
                of: edit.relation, owner: owner, targets: targets, for: caller)
        }
        let present = Set(pairs.map(\.target))
        let creations = edit.added.filter { !present.contains($0) }.map { target in
            let key = pairKey(id, join.name, "create", target)
            return Change(
                id: "parse-\(key)", action: .create, model: model, guid: key, baseRevision: nil,
                fields: [
                    join.ownerField: GivenValue.value(.reference(guid: owner)),
                    join.targetField: .value(.reference(guid: target)),
                ], partOf: id)
        }
        let deletions = pairs.filter { edit.removed.contains($0.target) }.map { pair in
            Change(
                id: "parse-\(pairKey(id, join.name, "delete", pair.guid))", action: .delete,
                model: model, guid: pair.guid, baseRevision: nil, fields: [:],
                followsPresent: true, partOf: id)
        }
        return creations + deletions
    }

    /// A repeat of the request gets the same, whichever pairs are there by then.
    private func pairKey(_ parts: String...) -> String {
        var hash = SHA256()
        for part in parts { hash.update(Array(part.utf8) + [0]) }
        return guid(ofHash: hash.finalize())
    }

    /// Replaces `$relatedTo`, and conditions on relations of the class, by the ids of the objects
    /// that they lead to. Throws 154 for more than 1,000 of them.
    func withoutRelations(
        _ json: JSONValue, of model: ModelRules, for caller: Caller
    ) async throws -> JSONValue {
        guard case .object(let members) = json else { return json }
        var resolved: [String: JSONValue] = [:]
        var parts: [JSONValue] = []
        for (name, value) in members {
            if name == "$relatedTo" {
                parts.append(.ids(try await related(by: value, to: model, for: caller)))
            } else if let relation = relations.relation(name, of: model.model.name) {
                parts += try await conditions(on: relation, value, for: caller)
            } else if ["$or", "$and", "$nor"].contains(name), case .array(let inner) = value {
                var conditions: [JSONValue] = []
                for condition in inner {
                    conditions.append(
                        try await withoutRelations(condition, of: model, for: caller))
                }
                resolved[name] = .array(conditions)
            } else {
                resolved[name] = value
            }
        }
        return parts.isEmpty
            ? .object(resolved) : .object(["$and": .array([.object(resolved)] + parts)])
    }

    /// The targets of a relation of an object.
    private func related(
        by json: JSONValue, to model: ModelRules, for caller: Caller
    ) async throws -> [String] {
        guard case .object(let members) = json, case .string(let key)? = members["key"],
            let object = members["object"].flatMap({ ParsePointer($0) })
        else { throw ParseFailure.badQuery("$relatedTo takes 'object' and 'key'") }
        if object.className == Self.roleClass {
            guard isMember(caller, byRelation: json), model.model.foreignName == Self.userClass
            else { return [] }
            let own = ParsePointer(
                className: Self.userClass, objectID: try await userID(of: caller))
            return try await records(of: [own]).guid(of: own).map { [$0] } ?? []
        }
        guard let owner = rules(ofClass: object.className),
            let relation = relations.relation(key, of: owner.model.name),
            relation.join.target == model.model.name,
            let guid = try await records(of: [object]).guid(of: object)
        else { return [] }
        return try await pairs(
            of: relation, owner: guid, seeing: relation.join.targetField, for: caller
        ).map(\.target)
    }

    /// The ids of the objects for which a condition on a relation holds: a pointer, or operators
    /// that take pointers. All of the operators must hold.
    private func conditions(
        on relation: ParseRelations.PairModel, _ json: JSONValue, for caller: Caller
    ) async throws -> [JSONValue] {
        if ParsePointer(json) != nil {
            return [.ids(try await owners(of: relation, having: [json], for: caller))]
        }
        guard case .object(let members) = json, !members.isEmpty else {
            throw ParseFailure.badQuery("a relation is compared with pointers")
        }
        var conditions: [JSONValue] = []
        for (word, value) in members.sorted(by: { $0.key < $1.key }) {
            guard let isList = Self.takesList[word] else {
                throw ParseFailure.badQuery("\(word) is not supported on a relation")
            }
            var values = [value]
            if isList {
                guard case .array(let elements) = value else {
                    throw ParseFailure.badQuery("\(word) takes a list of pointers")
                }
                values = elements
            }
            let ids = try await owners(
                of: relation, having: values, all: word == "$all", for: caller)
            conditions.append(.ids(ids, isNegated: ["$ne", "$nin"].contains(word)))
        }
        return conditions
    }

    /// The operators that a relation takes, and whether each takes several pointers.
    private static let takesList = [
        "$eq": false, "$ne": false, "$in": true, "$nin": true, "$all": true,
    ]

    /// The objects that have one of some objects in a relation, or all of them. An object that
    /// there is not is in no relation.
    private func owners(
        of relation: ParseRelations.PairModel, having values: [JSONValue], all isAll: Bool = false,
        for caller: Caller
    ) async throws -> [String] {
        let className = ClassNames(definition)[relation.join.target]
        var pointers: Set<ParsePointer> = []
        for value in values {
            guard let pointer = ParsePointer(value) else {
                throw ParseFailure.badQuery("a relation is compared with pointers")
            }
            pointers.insert(pointer)
        }
        let records = try await records(of: pointers)
        let guids = pointers.map { pointer in
            pointer.className.hasSameBytes(as: className) ? records.guid(of: pointer) : nil
        }
        let targets = Set(guids.compactMap { $0 })
        guard !targets.isEmpty, !isAll || !guids.contains(nil) else { return [] }
        let pairs = try await pairs(
            of: relation, targets: targets.sorted(), seeing: relation.join.ownerField, for: caller)
        let owned = Dictionary(grouping: pairs, by: \.owner)
        return owned.filter { !isAll || Set($0.value.map(\.target)) == targets }.keys.sorted()
    }

    /// Throws 116 for more objects than one operation or condition on a relation takes.
    func checkIsFew(_ targets: [String]) throws(ParseFailure) {
        guard targets.count <= engine.limits.filterValues else {
            throw ParseFailure(
                116, "a relation takes \(engine.limits.filterValues) objects at a time")
        }
    }

    private struct Pair {
        let guid: String
        let owner: String
        let target: String
    }

    /// The pairs that the caller may see, of one owner or with some targets.
    ///
    /// - Parameter end: A field of the pairs. Those whose object there is deleted or hidden are
    ///   left out, and do not count; nil counts them all.
    private func pairs(
        of relation: ParseRelations.PairModel, owner: String? = nil, targets: [String]? = nil,
        seeing end: String? = nil, for caller: Caller
    ) async throws -> [Pair] {
        let join = relation.join
        var filters: [QueryFilter] = [
            .compare(.eq, operand: "$deleted", with: .value(.boolean(false)))
        ]
        if let owner {
            filters.append(
                .compare(.eq, operand: join.ownerField, with: .value(.string(owner))))
        }
        if let targets {
            try checkIsFew(targets)
            filters.append(.among(operand: join.targetField, targets.map { .string($0) }))
        }
        if let end { filters.append(.not(.null(operand: "\(end).$guid"))) }
        let query = FindQuery(
            filter: .and(filters), fields: [join.ownerField, join.targetField])
        let found = try await pages(
            of: query, in: relation.model.name, skipping: 0, upTo: Self.mostPairs + 1,
            for: caller
        ).found
        guard found.count <= Self.mostPairs else {
            throw ParseFailure(154, "a relation leads to more than \(Self.mostPairs) objects")
        }
        return found.compactMap { view in
            guard case .string(let owner)? = view.record.fields?[join.ownerField],
                case .string(let target)? = view.record.fields?[join.targetField]
            else { return nil }
            return Pair(guid: view.record.guid, owner: owner, target: target)
        }
    }
}

extension JSONValue {
    /// A condition for the objects with these ids, or for all others.
    fileprivate static func ids(_ ids: [String], isNegated: Bool = false) -> JSONValue {
        let list = JSONValue.array(ids.map { .string($0) })
        return .object(["objectId": .object([isNegated ? "$nin" : "$in": list])])
    }
}
