import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// The reader in one of the worlds, with a client of Azure Mobile and one of Parse.
struct ForeignReader: Sendable {
    let azure: AzureClient
    let parse: ParseClient

    init(in environment: String, of server: RunningServer) async throws {
        let secret: [String: JSONValue] = [
            "username": "reader", "password": .string(PreparedDatabase.password(of: "reader")),
        ]
        var azure = AzureClient(server, features: "OL,OC")
        azure.prefix = "/azure/\(environment)"
        let opened = try await azure.row("POST", "/.auth/login/custom", secret)
        azure.headers["X-ZUMO-AUTH"] = try #require(opened["authenticationToken"]?.string)
        self.azure = azure
        var parse = ParseClient(server)
        parse.application = environment
        parse.token = try await parse.get("POST", "/login", secret)["sessionToken"]?.string
        self.parse = parse
    }

    /// Sends a change of the native wire as a client of Azure Mobile does. `version` is the one of
    /// the row that the client has; nil if it has none.
    func azure(_ change: ChangeMessage, version: String?) async throws -> Answer {
        let table = "/tables/\(change.model)"
        let row = "\(table)/\(change.guid)"
        let headers = version.map { ["If-Match": $0] } ?? [:]
        let fields = change.fields.filter { $0.key != "file" }
        return switch change.action {
        case .create:
            try await azure.ask(
                "POST", table, fields.merging(["id": .string(change.guid)]) { $1 })
        case .delete: try await azure.ask("DELETE", row, headers: headers)
        case .update, .resolve:
            try await azure.ask("PATCH", row, fields, headers: headers)
        }
    }

    /// Sends a change as a client of Parse does; nil for a creation, whose id the server makes.
    /// `target` is the model to which the relation of the record leads.
    func parse(_ change: ChangeMessage, target: String) async throws -> Answer? {
        let path = "/classes/\(change.model)/\(change.guid)"
        var fields = change.fields.filter { $0.key != "file" }
        if let guid = fields["up"]?.string { fields["up"] = .pointer(target, guid) }
        if let text = fields["list"]?.string { fields["list"] = try parseJSON(Array(text.utf8)) }
        switch change.action {
        case .create: return nil
        case .delete: return try await parse.ask("DELETE", path)
        case .update, .resolve: return try await parse.ask("PUT", path, fields)
        }
    }
}

// MARK: - Steps

/// A step of the reader by another wire than the native one.
enum ForeignStep: CaseIterable, Sendable {
    case azure
    case parse
    /// Clients do these more rarely.
    case azureLater
    case parseLater
}

extension ServedWorlds {
    mutating func take(_ step: ForeignStep) async throws {
        switch step {
        case .azure: try await askAzure()
        case .parse: try await askParse()
        case .azureLater: try await undeleteOfAzure()
        case .parseLater: try await operateOnParse()
        }
    }

    /// A change, a row, a list and a part of a pull by a client of Azure Mobile.
    private mutating func askAzure() async throws {
        let foreign = foreign
        let change = histories.nextOfReader()
        let path = "/tables/\(change.model)/\(change.guid)"
        let rows = try await same("row of Azure") { try await foreign[$0].azure.ask("GET", path) }
        let sendsVersion = histories.random.flip()
        let made = try await same("change of Azure") { world in
            try await foreign[world].azure(
                change, version: sendsVersion ? rows[world].header("ETag") : nil)
        }
        if change.action == .create, made[0].status == 201 {
            histories.add(change.guid, of: change.model)
        }
        var query = [("$top", "\(histories.random.number(in: 1...6))")]
        let guid = histories.anyGuid(of: histories.random.one(of: histories.items))
        let filter = histories.random.one(of: [
            "", "startswith(a,'1')", "c eq null", "up eq '\(guid)'", "id eq '\(guid)'",
            "length(b) gt 20",
        ])
        if let filter, !filter.isEmpty { query.append(("$filter", filter)) }
        let order = histories.random.one(of: ["", "a", "b desc", "updatedAt", "createdAt"])
        if let order, !order.isEmpty { query.append(("$orderby", order)) }
        if histories.random.flip() { query.append(("$inlinecount", "allpages")) }
        if histories.random.flip() { query.append(("__includeDeleted", "true")) }
        _ = try await same("list of Azure") { [query] world in
            try await foreign[world].azure.ask("GET", "/tables/\(change.model)", query: query)
        }
        try await pullAzure(change.model)
    }

    /// The next page of a pull, in each world from the time of the last row there.
    private mutating func pullAzure(_ model: String) async throws {
        let (foreign, times) = (foreign, azureTimes[model] ?? Self.start)
        let pages = try await same("pull of Azure") { world in
            try await foreign[world].azure.ask(
                "GET", "/tables/\(model)",
                query: [
                    ("$filter", "(updatedAt ge datetimeoffset'\(times[world])')"),
                    ("$orderby", "updatedAt"), ("$top", "5"), ("__includeDeleted", "true"),
                ])
        }
        guard pages[0].status == 200, histories.random.number(in: 0..<4) > 0 else { return }
        let last = try pages.map { try $0.rows().last?["updatedAt"]?.string }
        azureTimes[model] = zip(last, times).map { $0 ?? $1 }
    }

    private static let start = ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.000Z"]

    /// A change, an object and a find by a client of Parse.
    private mutating func askParse() async throws {
        let foreign = foreign
        let change = histories.nextOfReader()
        let target = histories.secrecy.targets[change.model] ?? ""
        if change.action != .create {
            _ = try await same("change of Parse") { world in
                try #require(await foreign[world].parse(change, target: target))
            }
        }
        let path = "/classes/\(change.model)"
        _ = try await same("object of Parse") { world in
            try await foreign[world].parse.ask("GET", "\(path)/\(change.guid)")
        }
        let guid = histories.anyGuid(of: histories.random.one(of: histories.items))
        let conditions: [[String: JSONValue]] = [
            [:], ["a": .object(["$regex": "^1"])], ["c": .null], ["up": .pointer(target, guid)],
            ["objectId": .string(guid)], ["b": .object(["$exists": .boolean(true)])],
        ]
        let limit = histories.random.number(in: 1...6)
        var query: [String: JSONValue] = ["limit": .integer(Int64(limit))]
        query["where"] = histories.random.one(of: conditions).map { .object($0) }
        query["order"] = histories.random.one(of: ["a", "-b", "updatedAt", "createdAt"])
            .map { .string($0) }
        if histories.random.flip() { query["count"] = .integer(1) }
        if histories.random.flip() { query["include"] = .string("up") }
        _ = try await same("find of Parse") { [query] world in
            try await foreign[world].parse.ask("GET", path, query)
        }
    }
}

// MARK: - Rarer steps

extension ServedWorlds {
    /// An undeletion, and a change by a client of the third generation that sends a time.
    private mutating func undeleteOfAzure() async throws {
        let foreign = foreign
        guard let item = histories.random.one(of: histories.items) else { return }
        let path = "/tables/\(item.model)/\(histories.anyGuid(of: item))"
        let rows = try await same("row of Azure") { world in
            try await foreign[world].azure.ask("GET", path, query: [("__includeDeleted", "true")])
        }
        let sendsVersion = histories.random.flip()
        _ = try await same("undeletion of Azure") { world in
            let tag = sendsVersion ? rows[world].header("ETag") : nil
            return try await foreign[world].azure.ask(
                "POST", path, headers: tag.map { ["If-Match": $0] } ?? [:])
        }
        // Long before every change, and long after.
        let time =
            histories.random.flip()
            ? "Thu, 01 Jan 1970 00:00:00 GMT" : "Fri, 01 Jan 2100 00:00:00 GMT"
        let method = histories.random.one(of: ["PATCH", "PUT", "DELETE"]) ?? "PATCH"
        let row: [String: JSONValue]? =
            method == "DELETE" ? nil : histories.nextOfReader().fields.filter { $0.key != "file" }
        _ = try await same("timed change of Azure") { world in
            try await foreign[world].azure.ask(
                method, path, row,
                headers: [
                    "ZUMO-API-VERSION": "3.0.0", "X-ZUMO-VERSION": "Datasync/5.0.0",
                    "If-Unmodified-Since": time,
                ])
        }
    }

    /// Operators, whether the reader sees the fields or not, a batch, a relation and subqueries.
    private mutating func operateOnParse() async throws {
        let foreign = foreign
        let operations = (0...2).compactMap { _ in operation() }
        guard let first = operations.first else { return }
        _ = try await same("operator of Parse") { world in
            try await foreign[world].parse.ask("PUT", "/classes\(first.path)", first.body)
        }
        let requests = operations.map { path, body in
            JSONValue.object([
                "method": "PUT", "path": .string("/parse/classes\(path)"), "body": .object(body),
            ])
        }
        let isWhole = histories.random.flip()
        _ = try await same("batch of Parse") { world in
            try await foreign[world].parse.ask(
                "POST", "/batch",
                ["requests": .array(requests), "transaction": .boolean(isWhole)])
        }
        try await relateOnParse()
        try await subqueryOnParse()
    }

    /// An update of a record by an operator, and by what a client sets beside it.
    private mutating func operation() -> (path: String, body: [String: JSONValue])? {
        guard let item = histories.random.one(of: histories.items) else { return nil }
        let operators: [String: [JSONValue]] = [
            "number": [.object(["__op": "Increment", "amount": 3])],
            "list": ["Add", "AddUnique", "Remove"].map {
                .object(["__op": .string($0), "objects": .array(["x", 7])])
            },
            "list.k": [1], "a": [], "b": [], "c": [],
        ]
        var body: [String: JSONValue] = [:]
        for name in histories.random.some(of: operators.keys.sorted()) {
            let all = (operators[name] ?? []) + [.object(["__op": "Delete"])]
            body[name] = histories.random.one(of: all)
        }
        if body["list"] != nil { body["list.k"] = nil }
        return ("/\(item.model)/\(histories.anyGuid(of: item))", body)
    }

    /// Adds and removes pairs, and finds objects by them. A repeated request has the same pairs, so
    /// both worlds get the same guids.
    private mutating func relateOnParse() async throws {
        let foreign = foreign
        let (_, owner, target) = RandomSecrecy.pairs
        let owners = histories.items.filter { $0.model == owner }
        let targets = histories.items.filter { $0.model == target }
        let (from, to) = (
            histories.anyGuid(of: histories.random.one(of: owners)),
            histories.anyGuid(of: histories.random.one(of: targets))
        )
        let name = histories.random.number(in: 0..<4) == 0 ? "RemoveRelation" : "AddRelation"
        let request = histories.anyGuid(of: nil)
        _ = try await same("relation of Parse") { world in
            try await foreign[world].parse.ask(
                "PUT", "/classes/\(owner)/\(from)",
                [
                    "links": .object([
                        "__op": .string(name), "objects": .array([.pointer(target, to)]),
                    ])
                ], requestID: request)
        }
        let conditions: [(String, JSONValue)] = [
            (
                target,
                .object([
                    "$relatedTo": .object(["object": .pointer(owner, from), "key": "links"])
                ])
            ),
            (owner, .object(["links": .pointer(target, to)])),
        ]
        for (className, condition) in conditions {
            _ = try await same("related objects of Parse") { world in
                try await foreign[world].parse.ask(
                    "GET", "/classes/\(className)", ["where": condition, "order": "objectId"])
            }
        }
    }

    private mutating func subqueryOnParse() async throws {
        let foreign = foreign
        let model = histories.random.one(of: RandomSecrecy.models) ?? ""
        let target = histories.secrecy.targets[model] ?? ""
        let inner = JSONValue.object([
            "className": .string(target),
            "where": .object(["a": .object(["$exists": .boolean(histories.random.flip())])]),
        ])
        let conditions: [JSONValue] = [
            .object(["up": .object(["$inQuery": inner])]),
            .object(["up": .object(["$notInQuery": inner])]),
            .object(["b": .object(["$select": .object(["query": inner, "key": "b"])])]),
            .object(["number": .object(["$gt": 500])]), .object(["list": "x"]),
        ]
        var query = ["where": histories.random.one(of: conditions) ?? .object([:])]
        query["order"] = .string(histories.random.one(of: ["number", "-createdAt", "list"]) ?? "a")
        if histories.random.flip() { query["excludeKeys"] = "a,up" }
        if histories.random.flip() { query["include"] = "up" }
        _ = try await same("subquery of Parse") { [query] world in
            try await foreign[world].parse.ask("GET", "/classes/\(model)", query)
        }
    }
}
