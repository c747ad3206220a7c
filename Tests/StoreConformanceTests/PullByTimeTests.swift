import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import TestKit
import Testing
import UserAccounts

/// Clients that know a time in place of a cursor end with what a fresh client has, while records
/// change, go and come back, owners and groups change, and so do the rights of roles.
@Suite("Pulls by time")
struct PullByTimeTests {
    @Test(arguments: stores, UInt64(0)..<12)
    func pullEndsWithWhatFreshClientHas(_ kind: StoreKind, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var play = try await PullPlay(kind)
        for _ in 0..<120 { try await play.step(using: &random) }
        try await play.expectAll("seed \(seed)")
        #expect(play.stampedPages > 0)
    }

    /// However few records a search may read.
    @Test(arguments: stores, UInt64(0)..<6)
    func shortSearchesEndWithTheSame(_ kind: StoreKind, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var play = try await PullPlay(kind, scanning: 3)
        for _ in 0..<120 { try await play.step(using: &random) }
        try await play.expectAll("seed \(seed)")
    }

    /// Twelve records that went out of sight have changed since, of which three searches tell. The
    /// last one reads nothing else, so three further ones read the changes.
    @Test(arguments: stores) func searchEndsAfterChangeOfRights(_ kind: StoreKind) async throws {
        var play = try await PullPlay(kind, scanning: 5)
        try await play.put("x", in: "chiefs")
        for number in 0..<12 { try await play.create(number) }
        try await play.expectAll("first")
        try await play.put("x", in: "guests")
        for number in 0..<12 { try await play.update(number) }
        #expect(try await play.searches(of: "x") == 6)
        try await play.expectAll("last")
    }

    /// More deletions than a search may read lie between two records that are there.
    @Test(arguments: stores) func manyPurgedRecordsDepart(_ kind: StoreKind) async throws {
        var play = try await PullPlay(kind, scanning: 5)
        try await play.put("x", in: "chiefs")
        for number in 0..<12 { try await play.create(number) }
        try await play.expectAll("first")
        for number in 0..<12 { try await play.delete(number) }
        try await play.sweep()
        try await play.expectAll("swept")
    }

    /// Nothing comes again to a user whose rights stay.
    @Test(arguments: stores) func othersHearNothing(_ kind: StoreKind) async throws {
        var play = try await PullPlay(kind)
        try await play.put("x", in: "chiefs")
        for number in 0..<3 { try await play.create(number) }
        try await play.expectAll("first")
        try await play.put("w", in: "chiefs")
        #expect(try await play.nextPage(of: "x").isEmpty)
        let found = try await play.nextPage(of: "w")
        #expect(found.count == 3, "\(found)")
    }

    /// Purged while a client was away.
    @Test(arguments: stores) func purgedRecordsDepart(_ kind: StoreKind) async throws {
        var play = try await PullPlay(kind)
        try await play.put("x", in: "chiefs")
        for number in 0..<4 { try await play.create(number) }
        try await play.expectAll("first")
        for number in 0..<3 { try await play.delete(number) }
        try await play.sweep()
        try await play.expectAll("swept")
    }
}

/// A client with the records that it holds, by guid.
private struct TimeClient {
    let login: String
    var token: Int64 = 0
    var held: [String: RecordView] = [:]

    mutating func take(_ page: FindPage) {
        for found in page.found {
            held[found.record.guid] = found.record.isDeleted ? nil : found.record
            token = found.changedAt.milliseconds
        }
    }

    func query(limit: Int) -> FindQuery {
        var query = FindQuery(
            filter: .compare(.gt, operand: "$changedAt", with: .value(.integer(token))),
            sort: [FindQuery.SortKey("$changedAt")], limit: limit)
        query.includesDeleted = true
        query.includesNames = true
        query.isPull = token > 0
        return query
    }
}

/// Random changes of tasks, users and definitions, and the clients of two users.
private struct PullPlay {
    private static let groups = ["workers", "chiefs", "guests"]

    private let bench: StoreBench
    private let limits: Limits
    private var engine: Engine
    private var definitions: [Definition]
    private var groups = ["w": "workers", "x": "guests"]
    private var clients = ["w", "w", "x", "x"].map { TimeClient(login: $0) }
    private var clock: Int64 = 1
    private var made = 0
    private var pushes = 0
    /// The pages that were read without values.
    private(set) var stampedPages = 0

    init(_ kind: StoreKind, scanning scanned: Int? = nil) async throws {
        bench = try await kind.open()
        var limits = Limits()
        limits.scannedRecords = scanned ?? limits.scannedRecords
        self.limits = limits
        definitions = [try yard(.overwrite)]
        engine = try await Self.deploy(definitions, to: bench, limits)
        for (login, group) in groups { try await put(login, in: group) }
    }

    private static func deploy(
        _ definitions: [Definition], to bench: StoreBench, _ limits: Limits
    ) async throws -> Engine {
        let fingerprint = definitions[definitions.count - 1].fingerprint
        let deployed = try await bench.store.deploy(to: "test") { _ in
            .success(.test(fingerprint))
        }
        let rules = definitions.map { Rules($0) }
        return Engine(
            rules: rules[rules.count - 1], formerly: Array(rules.dropLast()),
            environment: try deployed.get().state, store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }),
            limits: limits)
    }

    // MARK: - Steps

    mutating func step(using random: inout SplitMix64) async throws {
        clock += Int64.random(in: 0...2, using: &random)
        let number = Int.random(in: 0..<max(1, made), using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: try await create(made)
        case 5..<7: try await push(.update, number, title: "t\(clock)")
        case 7: try await delete(number)
        case 8..<11: try await give(number, using: &random)
        case 11: try await regroup(using: &random)
        case 12: try await deployOther()
        case 13: try await sweep()
        case _:
            let client = Int.random(in: clients.indices, using: &random)
            let limit = Int.random(in: 1...4, using: &random)
            clients[client].take(try await page(clients[client].query(limit: limit), client))
        }
    }

    mutating func create(_ number: Int) async throws {
        made = max(made, number + 1)
        try await push(.create, number, title: "t")
    }

    mutating func update(_ number: Int) async throws { try await push(.update, number, title: "u") }

    mutating func delete(_ number: Int) async throws { try await push(.delete, number) }

    func sweep() async throws {
        _ = try await engine.sweep(before: Instant(milliseconds: 1 << 50))
    }

    private mutating func push(
        _ action: ChangeAction, _ number: Int, title: String? = nil
    ) async throws {
        let fields = title.map { ["title": GivenValue.value(.text($0))] } ?? [:]
        pushes += 1
        let id = "push-\(pushes)"
        let change = Change(
            id: id, action: action, model: "Task", guid: guid(number), baseRevision: nil,
            fields: fields, followsPresent: action != .create)
        _ = try await engine.push(
            [change], keepingOutcomesFor: 100, by: caller("boss", "chiefs", device: id),
            at: Instant(milliseconds: clock))
    }

    /// A record that is not there is given to nobody.
    private func give(_ number: Int, using random: inout SplitMix64) async throws {
        let owner = ["w", "x"].randomElement(using: &random) ?? ""
        let group = Self.groups.randomElement(using: &random) ?? ""
        let caller = caller("boss", "chiefs", device: "d")
        do throws(SyncError) {
            _ = try await engine.reassign(
                guid(number), of: "Task", to: NewOwnership(owner: owner, group: group),
                by: caller, at: Instant(milliseconds: clock))
        } catch {
            guard error == .recordUnknown else { throw error }
        }
    }

    private mutating func regroup(using random: inout SplitMix64) async throws {
        let login = ["w", "x"].randomElement(using: &random) ?? ""
        try await put(login, in: Self.groups.randomElement(using: &random) ?? "")
    }

    mutating func put(_ login: String, in group: String) async throws {
        groups[login] = group
        let user = User(
            login: login, group: group, mail: "", isAdmin: false, passwordHash: "")
        _ = try await bench.store.changeUser(login, in: engine.environment) { _ in
            Result<UserChange, Never>.success(.write(user, endingSessions: false))
        }
    }

    private mutating func deployOther() async throws {
        let level = definitions.count.isMultiple(of: 2) ? "GROUP" : "ALL"
        definitions.append(try yard(.overwrite, tasksOfWorkers: level))
        engine = try await Self.deploy(definitions, to: bench, limits)
    }

    // MARK: - Pulls

    private func caller(of client: Int) -> Caller {
        let login = clients[client].login
        return caller(login, groups[login] ?? "", device: "d")
    }

    /// The pages of searches that follow each other.
    private func pages(
        _ query: FindQuery, _ client: Int, while goesOn: (FindPage) -> Bool = { _ in true }
    ) async throws -> [FindPage] {
        let caller = caller(of: client)
        var pages = [try await engine.find(query, of: "Task", for: caller)]
        while let page = pages.last, let cursor = page.cursor, goesOn(page) {
            try #require(pages.count < 1000)
            var next = query
            next.cursor = cursor
            pages.append(try await engine.find(next, of: "Task", for: caller))
        }
        return pages
    }

    /// The first page with records, or the last one.
    private mutating func page(_ query: FindQuery, _ client: Int) async throws -> FindPage {
        let caller = caller(of: client)
        let found = try await pages(query, client) { $0.found.isEmpty }
        let page = try #require(found.last)
        var kept = query
        kept.keepsText = true
        if let stamped = try await engine.stampedPage(of: kept, of: "Task", for: caller) {
            stampedPages += 1
            try #require(try rows(of: stamped) == page.found.map(KeptRow.init))
            try #require(stamped.hasMore == page.hasMore)
            try #require(stamped.lastChange == page.found.last?.changedAt)
        }
        return page
    }

    mutating func expectAll(_ comment: Comment) async throws {
        for client in clients.indices {
            var page: FindPage
            repeat {
                let token = clients[client].token
                page = try await self.page(clients[client].query(limit: 3), client)
                clients[client].take(page)
                try #require(
                    page.found.isEmpty || clients[client].token > token,
                    "\(comment): after \(token) come \(page.found)")
            } while !page.found.isEmpty
            let all = try await pages(FindQuery(limit: 1000), client).flatMap(\.records)
            let fresh = Dictionary(uniqueKeysWithValues: all.map { ($0.guid, $0) })
            try #require(clients[client].held == fresh, comment)
        }
    }

    mutating func nextPage(of login: String) async throws -> [FoundView] {
        let client = try #require(clients.firstIndex { $0.login == login })
        return try await page(clients[client].query(limit: 10), client).found
    }

    /// The searches that tell a client of the user everything.
    func searches(of login: String) async throws -> Int {
        let client = try #require(clients.firstIndex { $0.login == login })
        return try await pages(clients[client].query(limit: 50), client).count
    }

    private func caller(_ login: String, _ group: String, device: String) -> Caller {
        let role = Role(group: group, deviceCategory: "mobile")
        return Caller(
            asker: Asker(login: login, group: group, role: role), deviceIdentifier: device,
            isAdmin: true, moment: .none)
    }
}

/// All that a client is told of a row.
private struct KeptRow: Hashable {
    let id: String
    let revision: Int64
    let isDeleted: Bool
    let createdAt: Instant
    let changedAt: Instant
    var fields: [String: JSONValue]?

    init(_ row: StampedRow) {
        id = row.name ?? String(decoding: row.guid, as: UTF8.self)
        revision = row.revision
        isDeleted = row.isDeleted
        createdAt = row.stamps.createdAt
        changedAt = row.stamps.changedAt
    }

    init(_ found: FoundView) {
        id = found.id
        revision = found.record.revision
        isDeleted = found.record.isDeleted
        createdAt = found.createdAt
        changedAt = found.changedAt
        fields = found.record.fields
    }
}

private func rows(of page: StampedPage) throws -> [KeptRow] {
    var rows: [KeptRow] = []
    try page.forEachRow { row throws(StoreError) in
        var kept = KeptRow(row)
        if !row.isDeleted {
            var texts: [String: [UInt8]] = [:]
            let names = page.selections[row.selection].names
            try page.withValues(of: row) { values in
                for index in names.indices {
                    texts[names[index]] = values[index].map { Array($0) } ?? Array("null".utf8)
                }
            }
            kept.fields = texts.mapValues { (try? parseJSON($0)) ?? .unrepresentable }
        }
        rows.append(kept)
    }
    return rows
}

private func guid(_ number: Int) -> String {
    let digits = String(number)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}
