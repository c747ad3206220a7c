import AccessPolicy
import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import RecordSearch
import SyncProtocol
import TestKit
import Testing
import UserAccounts

@testable import SyncEngine

/// A person who keeps the application and is no user of it.
@Suite struct OperatorCallerTests {
    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Documents.notes())
        try await bench.accounts.add(
            login: "a", group: "users", mail: "", isAdmin: false, passwordHash: "h")
        _ = try await bench.person("a").push(
            create(1, ["title": "t", "secret": "s", "sealed": "x"]))
    }

    private func caller(creatingFor owner: String? = nil) async throws -> Caller {
        try await bench.engine.operatorCaller(
            named: "eve", device: "console", creatingFor: owner)
    }

    private func outcomes(
        of change: Change, by caller: Caller
    ) async throws(SyncError) -> [Outcome] {
        try await bench.engine.push(
            [change], seen: 0, from: caller, at: Instant(milliseconds: 5)
        ).outcomes
    }

    @Test func operatorSeesEveryField() async throws {
        let page = try await bench.engine.find(FindQuery(), of: "Note", for: try await caller())
        #expect(page.records.first?.fields?["secret"] == "s")
        #expect(page.records.first?.fields?["sealed"] == "x")
    }

    @Test func newRecordBelongsToNamedUser() async throws {
        let outcomes = try await outcomes(
            of: note(2), by: try await caller(creatingFor: "a"))
        #expect(outcomes.map(\.kind) == [.accepted])
        let record = try await bench.person("a").record(guid(2))
        #expect(record?.owner == "a" && record?.group == "users")
    }

    @Test func newRecordNeedsOwner() async throws {
        let caller = try await caller()
        await #expect(throws: SyncError.ownerMissing) {
            try await outcomes(of: note(2), by: caller)
        }
        await #expect(throws: SyncError.account(.unknown("nobody"))) {
            try await self.caller(creatingFor: "nobody")
        }
    }

    /// The name in the history is none that a user can have.
    @Test func historyNamesOperator() async throws {
        let change = Change(
            id: "u", action: .update, model: "Note", guid: guid(1), baseRevision: 1,
            fields: ["title": .value(.text("new"))])
        #expect(try await outcomes(of: change, by: try await caller()).map(\.kind) == [.accepted])
        let facts = try await bench.store.facts(
            in: bench.engine.environment, guids: [guid(1)], bases: [guid(1): 1])
        #expect(facts.history[guid(1)]?.map(\.login) == ["operator eve"])
        #expect(Login.normalized("operator eve") == nil)
    }

    /// The role of operators is none of the definition, so nobody signs in with it.
    @Test func userCannotBeOperator() async throws {
        #expect(!bench.engine.rules.hasRole(.operator))
        #expect(throws: SyncError.self) { try bench.engine.role(group: "", deviceCategory: "") }
    }
}

private func note(_ number: Int) -> Change {
    Change(
        id: "create-\(number)", action: .create, model: "Note", guid: guid(number),
        baseRevision: nil, fields: ["title": .value(.text("t"))])
}
