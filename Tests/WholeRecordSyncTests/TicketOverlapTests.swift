import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine

/// Clients without revisions keep records that are edited while a download arrives, and confirm the
/// download nevertheless.
@Suite("Clients without revisions get again what they have ignored")
struct TicketOverlapTests {
    private func clients(
        _ document: String = Documents.notes()
    ) async throws -> (bench: TestBench, a: OldClient, b: OldClient) {
        let bench = try await TestBench(document)
        for login in ["a", "b"] {
            _ = try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        }
        var (a, b) = (OldClient(bench.person("a")), OldClient(bench.person("b")))
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        return (bench, a, b)
    }

    private func revision(in bench: TestBench) async throws -> Int64? {
        try await bench.stored(guid(1))?.revision
    }

    /// It is saved unchanged, or changed back and forth.
    @Test func editsDuringConflict() async throws {
        var (bench, a, b) = try await clients()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        try await a.sync()
        #expect(
            try await b.sync { $0.set(1, ["title": "theirs"]) }.map(\.kind) == [.conflicted])
        #expect(b[1]?.isConflicted == false)
        let revision = try await revision(in: bench)
        #expect(try await b.sync() == [])
        #expect(b[1]?.isConflicted == true && b[1]?.fields["title"] == "theirs")
        #expect(try await self.revision(in: bench) == revision, "that is no change")
    }

    @Test func bothClientsDelete() async throws {
        var (_, a, b) = try await clients()
        a.remove(1)
        try await a.sync()
        #expect(try await b.sync { $0.remove(1) } == [])
        #expect(b[1]?.isDeleted == true)
        #expect(try await b.sync() == [])
        #expect(b[1] == nil)
    }

    @Test func deletionInConflict() async throws {
        var (_, a, b) = try await clients()
        a.remove(1)
        b.set(1, ["title": "theirs"])
        try await a.sync()
        #expect(try await b.sync { $0.remove(1) }.map(\.kind) == [.conflicted])
        try await b.sync()
        #expect(b[1]?.isConflicted == true && b[1]?.isDeleted == true)
    }

    /// Two clients choose the same side at the same time.
    @Test func bothClientsResolve() async throws {
        var (_, a, b) = try await clients()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        for _ in 0..<2 {
            try await a.sync()
            try await b.sync()
        }
        a.set(1, ["title": "theirs"], resolves: true)
        try await a.sync()
        try await b.sync { $0.set(1, ["title": "theirs"], resolves: true) }
        #expect(b[1]?.isConflicted == true)
        #expect(try await b.sync() == [])
        #expect(b[1]?.isConflicted == false && b[1]?.fields["title"] == "theirs")
    }

    /// If it were refused, it would be sent again forever and block everything else.
    @Test(arguments: [false, true], 1...3)
    func editsOfLostRecordAreIgnored(removing: Bool, times: Int) async throws {
        var (bench, a, b) = try await clients(Documents.diaries)
        let admin = try await bench.person("a").caller(isAdmin: true)
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: "b", group: nil), by: admin,
            at: Instant(milliseconds: 2))
        for time in 1...times {
            let title = JSONValue.string("\(time)")
            let outcomes = try await a.sync { client in
                if removing { client.remove(1) } else { client.set(1, ["title": title]) }
            }
            #expect(outcomes == [])
            #expect(a[1]?.isModified == true)
        }
        a.add(2, ["title": "mine"])
        #expect(try await a.sync().map(\.kind) == [.accepted])
        #expect(a[1] == nil && a[2]?.fields["title"] == "mine")
        #expect(try await a.sync() == [])
        try await b.sync()
        #expect(b[1]?.fields["title"] == "one")
    }

    /// It is not sent to them either.
    @Test func guessedRecordsAreIgnored() async throws {
        var (bench, _, b) = try await clients(Documents.diaries)
        #expect(b[1] == nil)
        b.add(1, ["title": "guessed"])
        #expect(try await b.sync() == [])
        #expect(b[1]?.fields["title"] == "guessed")
        #expect(try await bench.person("a").record(guid(1))?.fields?["title"] == "one")
    }

    /// An edit that changes no value is not sent to others again.
    @Test func unchangedRecordsAreNotSent() async throws {
        var (_, a, b) = try await clients()
        a.set(1, ["title": "one"])
        #expect(try await a.sync() == [])
        b.records = [:]
        try await b.sync()
        #expect(b[1] == nil)
    }

    /// Nor is a record that the next answer contains anyway, or a refused one.
    @Test func repeatedEditsAreNotSentToOthers() async throws {
        var (_, a, b) = try await clients()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        try await a.sync()
        #expect(try await b.sync(losing: .ticket).map(\.kind) == [.conflicted])
        try await a.sync()
        a.records = [:]
        #expect(try await b.sync() == [])
        b.set(1, ["sealed": "guess"])
        #expect(try await b.sync().map(\.kind) == [.refused])
        try await a.sync()
        #expect(a[1] == nil)
    }

    /// Nothing shows that it did not know the other change. The replaced value is in the history.
    @Test(arguments: ConflictMode.allCases)
    func editThatAnotherOneCameInUponCountsAsMadeFromIt(mode: ConflictMode) async throws {
        var (bench, a, b) = try await clients(Documents.notes(mode))
        b.set(1, ["title": "theirs"])
        try await b.sync()
        try await a.sync { $0.set(1, ["score": 5]) }
        #expect(a[1]?.fields["title"] == "one")
        #expect(try await a.sync().map(\.kind) == [.accepted])
        let replaced = try await bench.history(of: guid(1)).last.map {
            try JSONText.fields($0.fieldsText)
        }
        #expect(replaced?["title"] == "theirs")
    }
}
