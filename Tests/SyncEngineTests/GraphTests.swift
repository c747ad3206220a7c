import AccessPolicy
import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine

/// Sheets belong to folders by `folder`, which analyzes conflicts, and refer to another sheet by
/// `follows`, which does not.
@Suite("Relations that analyze conflicts connect records")
struct GraphTests {
    private let folder = 1
    private let sheet = 2

    private static func document(_ mode: ConflictMode) -> String {
        let title = Documents.field("title", "TEXT", read: "ALL")
        return Documents.document(
            mode,
            models: """
                <model name="Folder">
                  <fields>\(title)</fields>\(Documents.credentials(read: "ALL"))
                </model>
                <model name="Sheet">
                  <fields>
                    \(title)
                    \(Documents.field("folder", "BELONGS_TO", read: "ALL", options: """
                        <option name="model">Folder</option>
                        <option name="analyzeConflict">true</option>
                        """))
                    \(Documents.field("follows", "BELONGS_TO", read: "ALL", options: """
                        <option name="model">Sheet</option>
                        """))
                  </fields>
                  \(Documents.credentials(read: "ALL"))
                </model>
                """)
    }

    /// A folder, a sheet in it and a sheet outside, which a and b have both pulled.
    private func bench(
        _ mode: ConflictMode = .manual
    ) async throws -> (bench: TestBench, cursor: String) {
        let bench = try await TestBench(Self.document(mode))
        _ = try await bench.person("a").push(
            create(folder, model: "Folder", ["title": "one"]),
            create(sheet, model: "Sheet", ["title": "one", "folder": .string(guid(folder))]),
            create(3, model: "Sheet", ["title": "one", "follows": .string(guid(sheet))]),
            create(4, model: "Folder", ["title": "one"]))
        return (bench, try await bench.person("b").sync().cursor)
    }

    private func edit(_ number: Int, _ id: String, _ model: String) -> ChangeMessage {
        update(number, id: id, base: 1, model: model, ["title": .string(id)])
    }

    private func outcome(
        of change: ChangeMessage, by person: Person, at cursor: String?
    ) async throws -> OutcomeMessage {
        try #require(try await person.sync([change], cursor: cursor).outcomes.first)
    }

    /// In both directions, and in every mode.
    @Test(
        arguments: [true, false],
        [
            (ConflictMode.manual, OutcomeMessage.Kind.conflicted), (.discard, .discarded),
            (.overwrite, .accepted), (.merge, .accepted),
        ])
    func changeOfOneThatWasNotSeenStandsAgainstTheOther(
        folderFirst: Bool, mode: (ConflictMode, OutcomeMessage.Kind)
    ) async throws {
        let (bench, cursor) = try await bench(mode.0)
        let first = folderFirst ? edit(folder, "x", "Folder") : edit(sheet, "x", "Sheet")
        let second = folderFirst ? edit(sheet, "y", "Sheet") : edit(folder, "y", "Folder")
        _ = try await bench.person("a").push(first)
        let outcome = try await outcome(of: second, by: bench.person("b"), at: cursor)
        #expect(outcome.outcome == mode.1)
        let record = try #require(try await bench.person("c").record(second.guid))
        #expect(record.conflicted == (mode.1 == .conflicted))
        let title: JSONValue = mode.1 == .accepted ? "y" : "one"
        #expect(record.fields?["title"] == title)
        let conflict = record.conflicts?.first
        #expect(conflict?.related == (mode.1 == .conflicted ? true : nil))
        #expect(conflict == nil || conflict?.mine.fields == ["title": "y"])
        #expect(conflict == nil || conflict?.base.fields == conflict?.theirs.fields)
    }

    /// For original clients, the confirmed state is the seen state.
    @Test(arguments: [
        (ConflictMode.manual, OutcomeMessage.Kind.conflicted), (.discard, .discarded),
        (.overwrite, .accepted), (.merge, .accepted),
    ])
    func fullRecordClientsConflictToo(
        mode: ConflictMode, outcome: OutcomeMessage.Kind
    ) async throws {
        let (bench, _) = try await bench(mode)
        for login in ["a", "b"] {
            _ = try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        }
        var (a, b) = (OldClient(bench.person("a")), OldClient(bench.person("b")))
        try await a.sync()
        try await b.sync()
        a.set(folder, ["title": "x"])
        b.set(sheet, ["title": "y"])
        #expect(try await a.sync().map(\.kind) == [.accepted])
        #expect(try await b.sync().map(\.kind).map(\.rawValue) == [outcome.rawValue])
        a.set(folder, ["title": "z"])
        try await a.sync()
        try await b.sync()
        b.set(4, ["title": "beside"])
        #expect(try await b.sync().map(\.kind) == [.accepted])
    }

    /// It has no earlier state, even if another change of its batch names one of the same record.
    @Test(arguments: ConflictMode.allCases)
    func changeOfThePresentStateDoesNotConflict(mode: ConflictMode) async throws {
        let (bench, _) = try await bench(mode)
        func change(_ id: String, _ fields: [String: GivenValue], asking base: Int64?) -> Change {
            Change(
                id: id, action: .update, model: "Folder", guid: guid(folder), baseRevision: base,
                fields: fields, isRefusedIfStale: base != nil, followsPresent: base == nil,
                onlyAsks: base != nil)
        }
        let outcomes = try await bench.engine.push(
            [change("q", [:], asking: 1), change("c", ["title": .value(.text("y"))], asking: nil)],
            keepingOutcomesFor: 60, by: try await bench.person("b").caller(),
            at: Instant(milliseconds: 2000)
        ).outcomes
        #expect(outcomes.map(\.kind) == [.accepted, .accepted])
    }

    @Test func unrelatedAndUnanalyzedChangesDoNotConflict() async throws {
        let (bench, cursor) = try await bench()
        _ = try await bench.person("a").push(edit(folder, "x", "Folder"), edit(3, "y", "Sheet"))
        let b = bench.person("b")
        #expect(
            try await outcome(of: edit(4, "f", "Folder"), by: b, at: cursor).outcome == .accepted)
        _ = try await b.sync(cursor: cursor)
        let (other, seen) = try await self.bench()
        _ = try await other.person("a").push(edit(3, "y", "Sheet"))
        let outcome = try await outcome(
            of: edit(sheet, "s", "Sheet"), by: other.person("b"), at: seen)
        #expect(outcome.outcome == .accepted)
    }

    /// The sheets were changed by the device that now changes their folder.
    @Test(arguments: [
        (sheets: 2, max: 3, isConflicted: false), (30, 3, true), (30, 2000, false),
    ])
    func tooManyChangesOfRelatedRecordsCountAsUnseen(
        sheets: Int, max: Int, isConflicted: Bool
    ) async throws {
        var limits = Limits()
        limits.relatedRecords = max
        let bench = try await TestBench(Self.document(.manual), limits: limits)
        let b = bench.person("b")
        _ = try await b.push(create(folder, model: "Folder", ["title": "one"]))
        let cursor = try await b.sync().cursor
        _ = try await b.sync(
            (10..<10 + sheets).map {
                create($0, model: "Sheet", ["title": "s", "folder": .string(guid(folder))])
            })
        let outcome = try await outcome(of: edit(folder, "x", "Folder"), by: b, at: cursor)
        #expect((outcome.outcome == .conflicted) == isConflicted)
    }

    /// Too many changes to look at all, but few of them name the folder.
    @Test func manyUnrelatedChangesDoNotConflict() async throws {
        var limits = Limits()
        limits.relatedRecords = 5
        let bench = try await TestBench(Self.document(.manual), limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(
            create(folder, model: "Folder", ["title": "one"]),
            create(sheet, model: "Sheet", ["title": "s", "folder": .string(guid(folder))]))
        let cursor = try await b.sync().cursor
        _ = try await a.sync((10..<30).map { create($0, model: "Folder", ["title": "f"]) })
        let free = try await outcome(of: edit(folder, "x", "Folder"), by: b, at: cursor)
        #expect(free.outcome == .accepted)
        let now = try await a.sync().cursor
        _ = try await a.sync([edit(sheet, "y", "Sheet")], cursor: now)
        let late = update(folder, id: "z", base: 2, model: "Folder", ["title": "z"])
        #expect(try await outcome(of: late, by: b, at: cursor).outcome == .conflicted)
    }

    @Test func batchAsksOnceForEachRecord() throws {
        let rules = Rules(try checked(Self.document(.manual)))
        let changes = (1...9).map { number in
            Change(
                number.isMultiple(of: 2)
                    ? edit(folder, "\(number)", "Folder") : edit(sheet, "\(number)", "Sheet"),
                by: rules.book)
        }
        let asker = Asker(
            login: "a", group: "users", role: Role(group: "users", deviceCategory: "mobile"))
        #expect(rules.graphs(of: changes, by: asker).map(\.guid) == [guid(sheet), guid(folder)])
    }

    @Test func seenChangeDoesNotConflict() async throws {
        let (bench, cursor) = try await bench()
        _ = try await bench.person("a").push(edit(folder, "x", "Folder"))
        let b = bench.person("b")
        let next = try await b.sync(cursor: cursor).cursor
        #expect(
            try await outcome(of: edit(sheet, "y", "Sheet"), by: b, at: next).outcome == .accepted)
    }

    /// A device's own changes, before it has pulled them.
    @Test func nobodyIsInConflictWithThemselves() async throws {
        let (bench, cursor) = try await bench()
        let b = bench.person("b")
        _ = try await outcome(of: edit(folder, "x", "Folder"), by: b, at: cursor)
        #expect(
            try await outcome(of: edit(sheet, "y", "Sheet"), by: b, at: cursor).outcome == .accepted
        )
        let other = bench.person("b", device: "another")
        let outcome = try await outcome(of: edit(sheet, "z", "Sheet"), by: other, at: cursor)
        #expect(outcome.outcome == .conflicted)
    }

    @Test func markOrGiftIsNoChange() async throws {
        let (bench, cursor) = try await bench()
        _ = try await bench.engine.reassign(
            guid(folder), of: "Folder", to: NewOwnership(owner: nil, group: "guests"),
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
        let outcome = try await outcome(
            of: edit(sheet, "y", "Sheet"), by: bench.person("b"), at: cursor)
        #expect(outcome.outcome == .accepted)
    }

    /// A new sheet, a sheet that moves in, and a deleted one.
    @Test func addedAndRemovedRecordsChangeFolder() async throws {
        let changes = [
            create(9, model: "Sheet", ["folder": .string(guid(folder))]),
            update(3, id: "m", base: 1, model: "Sheet", ["folder": .string(guid(folder))]),
            delete(sheet, id: "d", base: 1, model: "Sheet"),
        ]
        for change in changes {
            let (bench, cursor) = try await bench()
            _ = try await bench.person("a").push(change)
            let outcome = try await outcome(
                of: edit(folder, "f", "Folder"), by: bench.person("b"), at: cursor)
            #expect(outcome.outcome == .conflicted, "\(change.action)")
        }
    }

    @Test func graphHasNewParentOfMovedSheet() async throws {
        let (bench, cursor) = try await bench()
        _ = try await bench.person("a").push(edit(4, "x", "Folder"))
        let move = update(
            3, id: "m", base: 1, model: "Sheet", ["folder": .string(guid(4))])
        let outcome = try await outcome(of: move, by: bench.person("b"), at: cursor)
        #expect(outcome.outcome == .conflicted)
    }

    @Test func creationHasNothingToBeInConflictWith() async throws {
        let (bench, cursor) = try await bench()
        _ = try await bench.person("a").push(edit(folder, "x", "Folder"))
        let outcome = try await outcome(
            of: create(9, model: "Sheet", ["folder": .string(guid(folder))]),
            by: bench.person("b"), at: cursor)
        #expect(outcome.outcome == .accepted)
    }

    /// A client without a cursor has seen nothing.
    @Test func withoutCursorNothingWasSeen() async throws {
        let (bench, _) = try await bench()
        let outcome = try await outcome(
            of: edit(sheet, "y", "Sheet"), by: bench.person("b"), at: nil)
        #expect(outcome.outcome == .conflicted)
    }
}
