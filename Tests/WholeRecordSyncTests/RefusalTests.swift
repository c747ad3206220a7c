import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SQLiteStore
import SyncProtocol
import Testing
import UserAccounts
import WholeRecordSync

@testable import SyncEngine

@Suite("A refusal does not stop clients without revisions, and nothing of it is lost")
struct RefusalTests {
    private func clients(
        _ document: String = Documents.notes(), limits: Limits = Limits()
    ) async throws -> (bench: TestBench, a: OldClient, b: OldClient) {
        let bench = try await TestBench(document, limits: limits)
        for login in ["a", "b"] {
            _ = try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        }
        return (bench, OldClient(bench.person("a")), OldClient(bench.person("b")))
    }

    private func list(_ bench: TestBench) async throws -> [RefusedInput] {
        try await bench.store.refusals(in: bench.engine.environment, after: 0, limit: 100)
            .map(\.refusal)
    }

    private func content(_ refusal: RefusedInput) throws -> [String: JSONValue] {
        guard case .object(let fields)? = try JSONText.fields(refusal.content)["fields"] else {
            return [:]
        }
        return fields
    }

    /// The device sends the whole record, which it had before the person was erased.
    @Test(arguments: ConflictMode.allCases)
    func erasedRecordStaysErased(mode: ConflictMode) async throws {
        var (bench, a, b) = try await clients(Documents.notes(mode))
        a.add(1, ["title": "canary"])
        try await a.sync()
        try await b.sync()
        _ = try await bench.engine.erase(
            [guid(1)], of: "a", by: "operator", at: Instant(milliseconds: 1))
        _ = try await bench.store.redact([guid(1)], in: bench.engine.environment)
        b.set(1, ["score": 4])
        try await b.sync()
        #expect(b[1] == nil, "\(String(describing: b[1]))")
        #expect(try await list(bench).isEmpty)
        let entries = try await bench.history(of: guid(1))
        #expect(entries.map(\.kind) == [.deleted] && entries[0].fieldsText == "{}")
    }

    @Test func restOfEditTakesEffect() async throws {
        var (bench, a, b) = try await clients(Documents.notes(titleUpdate: "OWN"))
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        b.set(1, ["title": "theirs", "score": 4])
        #expect(try await b.sync().map(\.kind) == [.accepted])
        #expect(b[1]?.fields["title"] == "one" && b[1]?.fields["score"] == 4)
        let refusal = try #require(try await list(bench).first)
        #expect(try content(refusal) == ["title": "theirs"] && refusal.guid == guid(1))
        #expect(refusal.causes.map(\.field) == ["title"])
        let last = try #require(try await bench.history(of: guid(1)).last)
        #expect(last.kind == .discarded && last.fieldsText == #"{"title":"theirs"}"#)
    }

    @Test func restOfEditThatMakesRecordTooLargeTakesEffect() async throws {
        var limits = Limits()
        (limits.recordBytes, limits.smallChangeBytes) = (200, 0)
        var (bench, a, b) = try await clients(limits: limits)
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        let long = JSONValue.string(String(repeating: "x", count: 200))
        b.set(1, ["title": long, "score": 4])
        #expect(try await b.sync().map(\.kind) == [.accepted])
        #expect(b[1]?.fields["title"] == "one" && b[1]?.fields["score"] == 4)
        let refusal = try #require(try await list(bench).first)
        #expect(try content(refusal) == ["title": long])
        #expect(refusal.causes.map { CauseDescription($0).code } == ["recordTooLarge"])
    }

    /// Values of another type are no part of a history.
    @Test func restOfCreationTakesEffect() async throws {
        let (bench, _, _) = try await clients()
        let engine = TicketEngine(engine: bench.engine, store: bench.store)
        let record = FullRecord(
            id: "1", model: "Note", guid: guid(1), isDeleted: false, resolves: false,
            fields: [
                "title": .value(.text("one")), "score": .unreadable, "other": .unreadable,
                "secret": .value(.text("\u{0}a")),
            ], unreadable: ["score": "six", "other": "x"])
        let pushed = try await engine.push(
            [record], from: try await bench.person("a").caller(), at: Instant(milliseconds: 1))
        #expect(pushed.outcomes.map(\.kind) == [.accepted] && pushed.unkept == [])
        let fields = try #require(try await bench.person("a").record(guid(1))?.fields)
        #expect(fields["title"] == "one" && fields["score"] == 1)
        #expect(fields["secret"] == "\u{FFFD}a")
        let refusal = try #require(try await list(bench).first)
        #expect(
            try content(refusal) == ["score": "six", "other": "x", "secret": "\u{0}a"])
        #expect(refusal.causes.map(\.field) == ["score", "other", "secret"])
        #expect(try await bench.history(of: guid(1)).map(\.kind) == [.created])
    }

    /// It stays on its device, and comes once more when it is edited.
    @Test func recordThatCannotBeCreatedIsKept() async throws {
        var (bench, a, b) = try await clients()
        a.add(1, ["score": 3])
        a.add(2, ["title": "two"])
        #expect(try await a.sync().map(\.kind) == [.refused, .accepted])
        #expect(a[1]?.isModified == false && a[1]?.fields["score"] == 3)
        let refusal = try #require(try await list(bench).first)
        #expect(try content(refusal)["score"] == 3)
        #expect(try await a.sync() == [])
        a.set(1, ["title": "one"])
        #expect(try await a.sync().map(\.kind) == [.accepted])
        try await b.sync()
        #expect(b[1]?.fields["title"] == "one" && b[1]?.fields["score"] == 3)
    }

    @Test(arguments: OldClient.Loss.allCases)
    func refusedDeletionIsUndone(loss: OldClient.Loss) async throws {
        var (bench, a, b) = try await clients(Documents.notes(onlyGuestsDelete: true))
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        b.remove(1)
        #expect(try await b.sync(losing: loss).map(\.kind) == [.refused])
        try await b.sync()
        #expect(b[1]?.isDeleted == false && b[1]?.fields["title"] == "one")
        #expect(try await list(bench).count == 1)
        #expect(try await bench.history(of: guid(1)).map(\.kind) == [.created, .discarded])
    }

    @Test func parentMayBeDeletedMeanwhile() async throws {
        var (bench, a, b) = try await clients(Documents.folders)
        a.add(1, model: "Folder", ["name": "f"])
        try await a.sync()
        try await b.sync()
        a.remove(1)
        try await a.sync()
        b.add(2, model: "Sheet", ["folder": .string(guid(1))])
        #expect(try await b.sync().map(\.kind) == [.accepted])
        try await a.sync()
        #expect(a[2]?.fields["folder"] == .string(guid(1)) && a[1] == nil && b[1] == nil)
        #expect(try await list(bench) == [])
        // Even after its tombstone was purged.
        _ = try await bench.engine.sweep(before: Instant(milliseconds: 5000), limit: 10)
        b.add(3, model: "Sheet", ["folder": .string(guid(1))])
        try await b.sync(startingOver: true)
        #expect(try await bench.person("a").record(guid(3)) != nil)
    }

    @Test func referenceToNothingIsRefused() async throws {
        var (bench, a, _) = try await clients(Documents.folders)
        a.add(1, model: "Folder", ["name": "f"])
        a.add(2, model: "Sheet", ["folder": .string(guid(1)), "follows": .string(guid(9))])
        a.add(3, model: "Sheet", ["folder": .string(guid(9))])
        #expect(try await a.sync().map(\.kind) == [.accepted, .accepted, .refused])
        #expect(try await bench.person("a").record(guid(2))?.fields?["follows"] == .null)
        #expect(try await list(bench).map(\.guid) == [guid(2), guid(3)])
    }

    @Test func longTextsAreTakenInWhereDefinitionHasNoLimit() async throws {
        var (bench, a, b) = try await clients()
        let long = String(repeating: "ż", count: 4096)
        a.add(1, ["title": .string(long)])
        a.add(2, ["title": .string(long + "x")])
        #expect(try await a.sync().map(\.kind) == [.accepted, .refused])
        try await b.sync()
        #expect(b[1]?.fields["title"] == .string(long))
        #expect(try await list(bench).map(\.guid) == [guid(2)])
        // Not by clients that learn of a refusal.
        let outcomes = try await bench.person("a").push(
            create(3, ["title": .string(long)]))
        #expect(outcomes.map(\.outcome) == [.refused])
    }

    @Test func changeBeyondConflictLimitIsKept() async throws {
        var limits = Limits()
        limits.openConflicts = 2
        var (bench, a, b) = try await clients(limits: limits)
        var others = (0..<2).map { OldClient(bench.person("b", device: "b\($0)")) }
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        for place in others.indices { try await others[place].sync() }
        a.set(1, ["title": "mine"])
        try await a.sync()
        for place in others.indices {
            others[place].set(1, ["title": "b"])
            #expect(try await others[place].sync().map(\.kind) == [.conflicted])
        }
        b.set(1, ["title": "late"])
        #expect(try await b.sync().map(\.kind) == [.refused])
        #expect(b[1]?.fields["title"] == "mine" && b[1]?.isConflicted == true)
        #expect(try await list(bench).count == 1)
        // A newer edit takes no more room.
        for title in ["c", "d", "e"] {
            others[0].set(1, ["title": .string(title)])
            #expect(try await others[0].sync().map(\.kind) == [.conflicted])
        }
        let record = try #require(try await bench.person("a").record(guid(1)))
        let sides = (record.conflicts ?? []).map(\.mine.fields)
        #expect(sides == [["title": "b"], ["title": "e"]])
        let wanted = try await bench.history(of: guid(1)).filter { $0.kind != .created }
            .compactMap { try JSONText.fields($0.fieldsText)["title"] }
        #expect(wanted == ["one", "b", "b", "late", "c", "d", "e"])
    }

    /// The client keeps what the list cannot take, and everything else is taken in.
    @Test func fullListIsToldToClient() async throws {
        var limits = Limits()
        limits.refusalsOfUser = 1
        var (bench, a, _) = try await clients(Documents.notes(), limits: limits)
        a.add(1, ["score": 3])
        try await a.sync()
        a.add(2, ["score": 4])
        a.add(3, ["title": "three"])
        try await a.sync()
        #expect(a[2]?.isModified == true && a[3]?.isModified == true)
        #expect(try await bench.person("a").record(guid(3)) != nil)
        #expect(try await list(bench).map(\.guid) == [guid(1)])
        let numbers = try await bench.store.refusals(
            in: bench.engine.environment, after: 0, limit: 9
        ).map(\.number)
        #expect(
            try await bench.store.removeRefusals(numbers, in: bench.engine.environment) == 1)
        try await a.sync()
        #expect(a[2]?.isModified == false)
        #expect(try await list(bench).map(\.guid) == [guid(2)])
    }

    /// Others would wait while such a history is read. The rest of the push is taken in.
    @Test(arguments: ConflictMode.allCases)
    func recordWithLongHistoryIsRefusedAlone(mode: ConflictMode) async throws {
        var limits = Limits()
        limits.wholeHistoryEntries = 5
        var (bench, a, _) = try await clients(Documents.notes(mode), limits: limits)
        a.add(1, ["title": "one"])
        a.add(2, ["title": "two"])
        try await a.sync()
        let native = bench.person("a", device: "native")
        for number in 1...6 {
            _ = try await native.push(
                update(1, id: "\(number)", base: Int64(number), ["title": .string("\(number)")]))
        }
        a.set(1, ["score": 4])
        a.set(2, ["score": 5])
        for _ in 0..<2 { try await a.sync() }
        #expect(a[1]?.isModified == false && a[1]?.fields["title"] == "6")
        #expect(try await native.record(guid(1))?.fields?["score"] == .null)
        #expect(try await native.record(guid(2))?.fields?["score"] == 5)
        let refused = try await list(bench)
        #expect(refused.map(\.guid) == [guid(1)])
        #expect(refused.first?.causesText.contains("historyTooLong") == true)
        #expect(try refused.first.map(content)?["score"] == 4)
    }

    /// Several records are divided if their histories are too long together.
    @Test func recordsWithLongHistoriesArePushedInParts() async throws {
        var limits = Limits()
        limits.severalHistoryEntries = 3
        var (bench, a, _) = try await clients(Documents.notes(.overwrite), limits: limits)
        for number in 1...4 { a.add(number, ["title": "one"]) }
        try await a.sync()
        let native = bench.person("a", device: "native")
        for number in 1...4 {
            for revision in 1...3 {
                _ = try await native.push(
                    update(
                        number, id: "\(number)-\(revision)", base: Int64(revision),
                        ["title": .string("\(revision)")]))
            }
            a.set(number, ["score": 4])
        }
        for _ in 0..<2 { try await a.sync() }
        for number in 1...4 {
            #expect(try await native.record(guid(number))?.fields?["score"] == 4)
        }
        #expect(try await list(bench).isEmpty)
    }

    @Test func pushThatNobodyWaitsForIsNotDecided() async throws {
        let (bench, _, _) = try await clients()
        let engine = TicketEngine(engine: bench.engine, store: bench.store)
        let record = FullRecord(
            id: "1", model: "Note", guid: guid(1), isDeleted: false, resolves: false,
            fields: ["title": .value(.text("one"))])
        let caller = try await bench.person("a").caller()
        await #expect(throws: SyncError.store(.cancelled)) {
            _ = try await engine.push(
                [record], from: caller, at: Instant(milliseconds: 1), whileWanted: { false })
        }
        #expect(try await bench.stored(guid(1)) == nil)
        let pushed = try await engine.push([record], from: caller, at: Instant(milliseconds: 1))
        #expect(pushed.outcomes.map(\.kind) == [.accepted])
    }

    /// Its history is deleted later.
    @Test func erasedRecordWithLongHistoryLeavesNoValues() async throws {
        var limits = Limits()
        limits.wholeHistoryEntries = 5
        var (bench, a, b) = try await clients(Documents.notes(), limits: limits)
        a.add(1, ["title": "canary"])
        try await a.sync()
        try await b.sync()
        let native = bench.person("a", device: "native")
        for number in 1...6 {
            _ = try await native.push(
                update(1, id: "\(number)", base: Int64(number), ["title": .string("\(number)")]))
        }
        _ = try await bench.engine.erase(
            [guid(1)], of: "a", by: "operator", at: Instant(milliseconds: 1))
        b.set(1, ["score": 4])
        for _ in 0..<2 { try await b.sync() }
        #expect(b[1] == nil, "\(String(describing: b[1]))")
        let refused = try await list(bench)
        #expect(refused.map(\.guid) == [guid(1)])
        #expect(try refused.map(content) == [[:]])
    }

    /// The same data is listed once, however often it comes.
    @Test func repetitionsAreListedOnce() async throws {
        var (bench, a, _) = try await clients()
        a.add(1, ["score": 3])
        for _ in 0..<3 { try await a.sync(losing: .ticket) }
        #expect(try await list(bench).count == 1)
    }

    @Test func listIsSwept() async throws {
        var (bench, a, _) = try await clients()
        let engine = TicketEngine(engine: bench.engine, store: bench.store)
        a.add(1, ["score": 3])
        try await a.sync()
        #expect(try await engine.sweepRefusals(before: Instant(milliseconds: 1000)) == 0)
        #expect(try await engine.sweepRefusals(before: Instant(milliseconds: 1001)) == 1)
        #expect(try await list(bench) == [])
    }

    private static let pictures = Documents.document(
        .manual,
        models: """
            <model name="Note">
              <fields>
                \(Documents.field("title", "TEXT", required: true, read: "ALL"))
                \(Documents.field("picture", "FILE", read: "ALL"))
              </fields>
              \(Documents.credentials(resolving: true))
            </model>
            """)

    static let names: [(given: String, repaired: String)] = [
        ("a/b.png", "a_b.png"), ("a\u{1}\n.png", "a__.png"), ("/", "_"), ("ż.png", "ż.png"),
        (String(repeating: "a", count: 256), String(repeating: "a", count: 255)),
        (
            String(repeating: "ż", count: 200) + ".jpeg",
            String(repeating: "ż", count: 125) + ".jpeg"
        ),
    ]

    @Test(arguments: names.indices)
    func namesOfFilesAreRepaired(index: Int) async throws {
        let (given, repaired) = Self.names[index]
        let (bench, _, _) = try await clients(Self.pictures)
        let engine = TicketEngine(engine: bench.engine, store: bench.store)
        func push() async throws -> FullPushResult {
            let file = FileValue(guid: guid(7), filename: given)
            return try await engine.push(
                [
                    FullRecord(
                        id: "1", model: "Note", guid: guid(1), isDeleted: false, resolves: false,
                        fields: ["title": .value(.text("one")), "picture": .value(.file(file))])
                ], from: try await bench.person("a").caller(), at: Instant(milliseconds: 1))
        }
        #expect(try await push().outcomes.map(\.kind) == [.accepted])
        let fields = try await bench.person("a").record(guid(1))?.fields
        #expect(
            fields?["picture"]
                == .object([
                    "guid": .string(guid(7)), "filename": .string(repaired),
                ]))
        #expect(try await list(bench).count == (given == repaired ? 0 : 1))
        #expect(try await push().outcomes == [])
    }
}
