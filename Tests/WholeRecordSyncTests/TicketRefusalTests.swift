import ChangeRules
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts
import WholeRecordSync

@testable import SyncEngine

@Suite("A ticket belongs to its device")
struct TicketRefusalTests {
    private func scene() async throws -> (TicketEngine, TestBench) {
        let bench = try await TestBench(Documents.notes())
        for login in ["a", "b"] {
            _ = try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        }
        return (TicketEngine(engine: bench.engine, store: bench.store), bench)
    }

    @Test func ticketsOfOthersAreUnknown() async throws {
        let (engine, bench) = try await scene()
        let a = try await bench.person("a").caller()
        let others = [bench.person("b"), bench.person("a", device: "other")]
        try await engine.open("t", startsOver: false, rejection: nil, for: a)
        for other in others {
            let caller = try await other.caller()
            let unknown = SyncError.ticket(.unknown)
            await #expect(throws: unknown) { try await engine.rejection(of: "t", for: caller) }
            await #expect(throws: unknown) { try await engine.confirm("t", by: caller) }
            await #expect(throws: unknown) { try await engine.deliver("t", to: caller) { _ in } }
        }
    }

    @Test func undeliveredTicketCannotBeConfirmed() async throws {
        let (engine, bench) = try await scene()
        let a = try await bench.person("a").caller()
        try await engine.open("t", startsOver: false, rejection: nil, for: a)
        await #expect(throws: SyncError.ticket(.undelivered)) {
            try await engine.confirm("t", by: a)
        }
        // Nor an interrupted delivery.
        struct Broken: Error {}
        await #expect(throws: Broken.self) {
            try await engine.deliver("t", to: a) { _ in throw Broken() }
        }
        await #expect(throws: SyncError.ticket(.undelivered)) {
            try await engine.confirm("t", by: a)
        }
    }

    @Test func rejectedTicketHasReasonAndNoRecords() async throws {
        let (engine, bench) = try await scene()
        let a = try await bench.person("a").caller()
        try await engine.open("t", startsOver: false, rejection: .recorded("no"), for: a)
        #expect(try await engine.rejection(of: "t", for: a) == .recorded("no"))
        await #expect(throws: SyncError.ticket(.rejected)) {
            try await engine.deliver("t", to: a) { _ in }
        }
    }

    @Test func clientAwayForTooLongStartsOver() async throws {
        let (_, bench) = try await scene()
        var (a, b) = (OldClient(bench.person("a")), OldClient(bench.person("b")))
        a.add(1, ["title": "one"])
        a.add(2, ["title": "two"])
        try await a.sync()
        try await b.sync()
        a.remove(1)
        try await a.sync()
        _ = try await bench.engine.sweep(before: Instant(milliseconds: 5000), limit: 10)
        b.set(2, ["title": "edited"])
        await #expect(throws: SyncError.ticket(.absentTooLong)) { try await b.sync() }
        #expect(try await bench.person("a").record(guid(2))?.fields?["title"] == "edited")
        try await b.sync(startingOver: true)
        #expect(b.records.keys.sorted() == [guid(2)])
    }
}
