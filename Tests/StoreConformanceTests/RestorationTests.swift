import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import TestKit
import Testing
import UserAccounts

/// Deleted records that come back.
@Suite("Restored records")
struct RestorationTests {
    @Test(arguments: stores) func recordComesBackWithItsValues(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.site(1, ["name": "a", "code": "x", "keys": "k"])])
        try await desk.push([.deletion(1, of: "Site")])
        #expect(try await desk.sites().isEmpty)
        let outcomes = try await desk.push([.restoration(1, of: "Site", from: 2)])
        #expect(outcomes.map(\.kind) == [.accepted] && outcomes[0].revision == 3)
        let fields: [String: JSONValue] = ["name": "a", "code": "x", "keys": "k"]
        #expect(try await desk.sites().map(\.fields) == [fields])
    }

    @Test(arguments: stores) func recordThatIsThereStays(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.site(1, ["name": "a"])])
        let outcomes = try await desk.push([.restoration(1, of: "Site", from: 1)])
        #expect(outcomes.map(\.kind) == [.accepted] && outcomes[0].revision == 1)
    }

    @Test(arguments: stores) func earlierStateIsStale(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.site(1, ["name": "a"])])
        try await desk.push([.deletion(1, of: "Site")])
        #expect(
            try await desk.causes(of: .restoration(1, of: "Site", from: 1)) == [
                Cause(.change(.stale(revision: 2)))
            ])
    }

    @Test(arguments: stores) func rightsAreNeeded(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.task(1, ["title": "t"])])
        try await desk.push([.deletion(1, of: "Task")])
        let causes = try await desk.causes(
            of: .restoration(1, of: "Task", from: 2), by: "guests")
        #expect(causes == [Cause(.change(.recordUnknown))])
        #expect(try await desk.causes(of: .restoration(1, of: "Task", from: 2)).isEmpty)
    }

    @Test(arguments: stores) func uniqueValueIsCheckedAgain(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.site(1, ["name": "a", "code": "x"])])
        try await desk.push([.deletion(1, of: "Site"), .site(2, ["name": "b", "code": "x"])])
        let causes = try await desk.causes(of: .restoration(1, of: "Site", from: 2))
        #expect(causes.map(\.reason) == [.notUnique])
    }

    @Test(arguments: stores) func relationIsCheckedAgain(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.site(1, ["name": "a"])])
        try await desk.push([.task(2, ["title": "t", "site": .string(yardGuid(1))])])
        try await desk.push([.deletion(2, of: "Task")])
        try await desk.push([.deletion(1, of: "Site")])
        let causes = try await desk.causes(of: .restoration(2, of: "Task", from: 2))
        #expect(causes.map(\.reason) == [.notFound(guid: yardGuid(1), model: "Site")])
        let outcomes = try await desk.push([
            .restoration(2, of: "Task", from: 2), .restoration(1, of: "Site", from: 2),
        ])
        #expect(outcomes.map(\.kind) == [.accepted, .accepted])
    }

    // MARK: - Departures

    /// For clients that know a time in place of a cursor.
    @Test(arguments: stores) func recordThatIsGivenAwayDeparts(_ kind: StoreKind) async throws {
        let desk = try await YardDesk(kind)
        try await desk.push([.task(1, ["title": "t"]), .task(2, ["title": "u"])], by: "guests")
        let known = try await desk.lastStamp()
        try await desk.give(1, to: "dora")
        let departed = try await desk.departed(after: known)
        #expect(departed.map(\.record.guid) == [yardGuid(1)])
        let last = try #require(departed.last?.changedAt)
        #expect(try await desk.departed(after: last).isEmpty)
        #expect(try await desk.departed(after: known, by: "chiefs").isEmpty)
        try await desk.give(1, to: "guests")
        #expect(try await desk.departed(after: known).isEmpty)
    }
}

/// A store with an engine for `yard`, and a user in each group, called like it.
private struct YardDesk: Sendable {
    private let bench: StoreBench
    private let engine: Engine
    private static let now = Instant(milliseconds: 1)

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        let definition = try yard(.manual)
        let deployed = try await bench.store.deploy(to: "test") { _ in
            .success(.test(definition.fingerprint))
        }
        engine = Engine(
            rules: Rules(definition), formerly: [], environment: try deployed.get().state,
            store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }))
        for login in ["guests", "dora"] {
            let user = User(
                login: login, group: "guests", mail: "", isAdmin: false, passwordHash: "")
            _ = try await bench.store.changeUser(login, in: engine.environment) { _ in
                Result<UserChange, Never>.success(.write(user, endingSessions: false))
            }
        }
    }

    private func caller(_ group: String, _ device: String) -> Caller {
        let role = Role(group: group, deviceCategory: "mobile")
        return Caller(
            asker: Asker(login: group, group: group, role: role), deviceIdentifier: device,
            isAdmin: true, moment: .none)
    }

    /// Each push is one of another device.
    @discardableResult func push(
        _ changes: [Change], by group: String = "chiefs"
    ) async throws -> [Outcome] {
        try await engine.push(
            changes, keepingOutcomesFor: 100, by: caller(group, changes[0].id), at: Self.now
        ).outcomes
    }

    func causes(of change: Change, by group: String = "chiefs") async throws -> [Cause] {
        try await push([change], by: group).first?.causes ?? []
    }

    func sites() async throws -> [RecordView] {
        try await engine.find(FindQuery(), of: "Site", for: caller("chiefs", "a")).records
    }

    func lastStamp() async throws -> Instant {
        var query = FindQuery(sort: [FindQuery.SortKey("$changedAt", descends: true)])
        query.limit = 1
        let page = try await engine.find(query, of: "Task", for: caller("chiefs", "a"))
        return page.found.first?.changedAt ?? Self.now
    }

    func give(_ number: Int, to login: String) async throws {
        _ = try await engine.reassign(
            yardGuid(number), of: "Task", to: NewOwnership(owner: login, group: nil),
            by: caller("chiefs", "a"), at: Self.now)
    }

    func departed(
        after stamp: Instant, by group: String = "guests"
    ) async throws -> [FoundView] {
        var query = FindQuery(
            filter: .compare(
                .gt, operand: "$changedAt", with: .value(.integer(stamp.milliseconds))),
            sort: [FindQuery.SortKey("$changedAt")])
        query.includesDeleted = true
        query.isPull = true
        return try await engine.find(query, of: "Task", for: caller(group, "a")).found
            .filter(\.record.isDeleted)
    }
}

private func yardGuid(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }

extension Change {
    fileprivate static func site(_ number: Int, _ fields: [String: JSONValue]) -> Change {
        change(.create, number, of: "Site", fields)
    }

    fileprivate static func task(_ number: Int, _ fields: [String: JSONValue]) -> Change {
        change(.create, number, of: "Task", fields)
    }

    fileprivate static func deletion(_ number: Int, of model: String) -> Change {
        change(.delete, number, of: model, followsPresent: true)
    }

    fileprivate static func restoration(
        _ number: Int, of model: String, from base: Int64
    ) -> Change {
        change(.restore, number, of: model, base: base)
    }

    private static func change(
        _ action: ChangeAction, _ number: Int, of model: String,
        _ fields: [String: JSONValue] = [:], base: Int64? = nil, followsPresent: Bool = false
    ) -> Change {
        var random = SystemRandomNumberGenerator()
        let values = fields.mapValues { json -> GivenValue in
            guard case .string(let text) = json else { return .unreadable }
            return isGuid(text) ? .value(.reference(guid: text)) : .value(.text(text))
        }
        return Change(
            id: "\(action)-\(random.next())", action: action, model: model,
            guid: yardGuid(number), baseRevision: base, fields: values,
            followsPresent: followsPresent)
    }
}
