import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine
import SyncServer

/// Finding objects.
extension ParseExchange {
    /// `GET /classes/C`, or the part of it that follows the class.
    func found(of className: String, for caller: Caller) async throws -> ParseAnswer {
        let parameters = try ParseParameters(call.parameters, defaultLimit: defaultLimit)
        let model = try model(className, redirectedBy: parameters)
        let (found, count) = try await records(parameters, of: model, for: caller)
        var objects = try await objects(of: found, parameters, model, for: caller)
        if parameters.redirectKey != nil {
            let name = JSONValue.string(model.model.foreignName)
            objects = objects.map { $0.merging(["className": name]) { $1 } }
        }
        var members: [String: JSONValue] = ["results": .array(objects.map { .object($0) })]
        if let count { members["count"] = .integer(Int64(count)) }
        return ParseAnswer(members)
    }

    /// The model of a class, or the one that a relation of it leads to.
    func model(
        _ className: String, redirectedBy parameters: ParseParameters
    ) throws -> ModelRules {
        let model = try model(className)
        guard let key = parameters.redirectKey,
            let relation = relations.relation(key, of: model.model.name),
            let target = engine.rules.model(named: relation.join.target)
        else { return model }
        return target
    }

    /// `GET /classes/C/ID`.
    func object(
        _ id: String, of className: String, for caller: Caller
    ) async throws -> ParseAnswer {
        let known = ParseParameters.passedOver.union([
            "keys", "excludeKeys", "include", "includeAll",
        ])
        if let other = call.parameters.keys.filter({ !known.contains($0) }).min() {
            throw ParseFailure.badQuery("Invalid parameter for query: \(other)")
        }
        var parameters = try ParseParameters(call.parameters)
        parameters.filter = .object(["objectId": .string(id)])
        let model = try model(className)
        let (found, _) = try await records(parameters, of: model, for: caller)
        let objects = try await objects(of: found, parameters, model, for: caller)
        guard let object = objects.first else { throw ParseFailure.objectNotFound }
        var answer = ParseAnswer(object)
        answer.revision = found.first?.record.revision
        return answer
    }

    /// The records that match, and their number if it is asked for.
    func records(
        _ parameters: ParseParameters, of model: ModelRules, for caller: Caller
    ) async throws -> (found: [FoundView], count: Int?) {
        let json = try await withoutRelations(
            withoutSubqueries(parameters.filter, depth: 0, for: caller), of: model, for: caller)
        let names = RecordTable(ClassNames(definition))
        let pointers = ParsePointer.all(in: json, of: model, named: names)
        let reader = ParseFilter(
            model: model, records: try await records(of: pointers),
            valuesPerList: engine.limits.filterValues)
        var sort = try parameters.sortKeys(of: model)
        if sort.isEmpty, let nearness = try reader.nearness(in: json) {
            sort = [FindQuery.SortKey(nearness)]
        }
        var query = FindQuery(
            filter: .and([
                try reader.filter(json),
                .compare(.eq, operand: "$deleted", with: .value(.boolean(false))),
            ]).flattened,
            filterText: json.text, sort: sort,
            fields: parameters.fields(of: model.model), counts: parameters.counts)
        query.includesNames = true
        return try await pages(
            of: query, in: model.model.name, skipping: parameters.skip,
            upTo: parameters.limit, for: caller)
    }

    func pages(
        of wanted: FindQuery, in model: String, skipping skip: Int, upTo limit: Int,
        for caller: Caller
    ) async throws -> (found: [FoundView], count: Int?) {
        var (query, found, count, left) = (wanted, [FoundView](), Int?.none, skip)
        while true {
            let isSkipping = left > 0
            query.limit = min(
                isSkipping ? left : max(1, limit - found.count), engine.limits.pageRecords)
            query.fields = isSkipping || limit == 0 ? [] : wanted.fields
            guard isSkipping || limit > 0 || query.counts else { return ([], count) }
            let page = try await page(of: query, in: model, for: caller)
            count = count ?? page.count
            query.counts = false
            if isSkipping { left -= page.found.count } else { found += page.found }
            query.cursor = page.cursor
            if limit == 0 { return ([], count) }
            if page.cursor == nil || left == 0 && found.count >= limit { return (found, count) }
        }
    }

    /// One find of the engine, when it is the caller's turn.
    private func page(
        of query: FindQuery, in model: String, for caller: Caller
    ) async throws -> FindPage {
        try await budget.begin()
        let page = try await exchange.search(for: caller) {
            try await engine.find(query, of: model, for: caller)
        }
        try exchange.context.hold(await budget.take(page))
        return page
    }

    /// Records by their guids, in no order. Those that the caller may not see are left out.
    func records(
        withGuids guids: Set<String>, of model: String, fields: [String]?, for caller: Caller
    ) async throws -> [FoundView] {
        let size = engine.limits.filterValues
        var found: [FoundView] = []
        for some in guids.sorted().map({ JSONValue.string($0) }).lists(of: size) {
            var query = FindQuery(
                filter: .among(operand: "$guid", some), fields: fields, limit: size)
            query.includesNames = true
            var cursor: String?
            repeat {
                query.cursor = cursor
                let page = try await page(of: query, in: model, for: caller)
                found += page.found.filter { !$0.record.isDeleted }
                cursor = page.cursor
            } while cursor != nil
        }
        return found
    }
}

extension ParseParameters {
    /// Keys that no record has do not sort.
    fileprivate func sortKeys(of model: ModelRules) throws(ParseFailure) -> [FindQuery.SortKey] {
        var keys: [FindQuery.SortKey] = []
        for text in order {
            let descends = text.hasPrefix("-")
            let operand = FilterOperand(
                descends ? String(text.dropFirst()) : text, of: model, in: RecordTable())
            guard let name = operand.sortName, !keys.contains(where: { $0.operand == name }) else {
                continue
            }
            keys.append(FindQuery.SortKey(name, descends: descends, beginsWithNull: true))
        }
        return keys
    }

    /// The fields to read; nil for all.
    func fields(of model: Model) -> [String]? {
        guard keys != nil || !excludedKeys.isEmpty else { return nil }
        return model.fields.filter { shows($0.foreignName) }.map(\.name)
    }

    /// Whether a key of an object is in the answer.
    func shows(_ name: String) -> Bool {
        let isIncluded = includes.contains { $0.first == name }
        return (keys.map { $0.contains(name) || isIncluded } ?? true)
            && !excludedKeys.contains(name)
    }
}

extension ParsePointer {
    /// Every object that a condition on a model names, also by its bare id.
    fileprivate static func all(
        in json: JSONValue, of model: ModelRules, named names: RecordTable
    ) -> Set<ParsePointer> {
        guard case .object(let members) = json else { return [] }
        var pointers: Set<ParsePointer> = []
        for (name, value) in members {
            if name.hasPrefix("$"), case .array(let elements) = value {
                for element in elements {
                    pointers.formUnion(all(in: element, of: model, named: names))
                }
                continue
            }
            pointers.formUnion(all(in: value))
            let operand = FilterOperand(name, of: model, in: names)
            guard let className = operand.pointedClass else { continue }
            for id in strings(in: value) {
                pointers.insert(ParsePointer(className: className, objectID: id))
            }
        }
        return pointers
    }

    private static func strings(in json: JSONValue) -> [String] {
        switch json {
        case .string(let text): [text]
        case .array(let elements): elements.flatMap(strings)
        case .object(let members) where members["__type"] == nil: members.values.flatMap(strings)
        case .null, .boolean, .integer, .decimal, .object, .unrepresentable: []
        }
    }
}
