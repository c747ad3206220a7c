import DefinitionModel
import SyncEngine
import TestKit
import Testing

/// Three records in each of two environments; the second is deleted, the third in conflict.
private struct RenamingBench {
    let bench: StoreBench
    let one: EnvironmentID
    let two: EnvironmentID

    private let old = Definition.test(unique: ["code"], others: ["text": []])
    private let new = Definition.test(
        "Page", before: ["Note"], unique: ["code"], others: ["title": ["text"]])

    var store: any Store { bench.store }

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        one = try await bench.store.environment()
        two = try await bench.store.environment("two")
        for environment in [one, two] {
            var writes = WriteSet(records: [
                .test("a", revision: 3, fieldsText: #"{"code":"A","text":"x"}"#),
                .test("b", deleted: true, fieldsText: #"{"code":"B"}"#),
                .test("c", revision: 7, conflicted: true, fieldsText: #"{"code":"C","text":"z"}"#),
            ])
            writes.history = ["a", "a", "b", "c"].enumerated().map { number, guid in
                .test(
                    guid, revision: Int64(number + 1),
                    fieldsText: #"{"code":null,"text":"\#(number)"}"#)
            }
            writes.openedConflicts = [conflict(6), conflict(2)]
            writes.takenValues = [
                UniqueHolding(value: value("A", in: "Note"), guid: "a"),
                UniqueHolding(value: value("C", in: "Note"), guid: "c"),
            ]
            writes.outcomes = [StoredOutcome(changeID: "c", text: #"{"model":"Note"}"#)]
            try await store.write(writes, in: environment)
        }
    }

    /// Adds 90 records, and 70 history entries and conflicts of one record.
    func writeMany() async throws {
        var writes = WriteSet(
            records: (0..<90).map {
                .test("many \($0)", fieldsText: #"{"code":"\#($0)","text":"x"}"#)
            })
        writes.history = (1...70).map {
            .test("c", revision: 100, fieldsText: #"{"text":"\#($0)"}"#)
        }
        writes.openedConflicts = (101...170).map { conflict($0) }
        try await store.write(writes, in: one)
    }

    func value(_ text: String, in model: String) -> UniqueValue {
        UniqueValue(model: model, field: "code", text: text)
    }

    private func conflict(_ revision: Int64) -> StoredConflict {
        let side = #"{"deleted":false,"fields":{"text":"s"}}"#
        return StoredConflict(
            guid: "c", revision: revision,
            text: #"{"base":\#(side),"baseRevision":1,"mine":\#(side),"revision":\#(revision),"#
                + #""theirs":\#(side),"version":2}"#)
    }

    /// Deletes and purges the record `b`.
    func purge() async throws {
        for environment in [one, two] {
            var writes = WriteSet(records: [.test("b", revision: 2, deleted: true)])
            writes.at = Instant(milliseconds: 5)
            writes.history = [.test("b", revision: 2, kind: .deleted)]
            try await store.write(writes, in: environment)
            _ = try await store.sweep(
                SweepRequest(
                    environment: environment, before: Instant(milliseconds: 6), limit: 9))
        }
    }

    func purged(of model: String, in environment: EnvironmentID) async throws -> [String] {
        try await store.search(in: environment, readingNames: false) { transaction in
            try transaction.purgedRecords(
                of: model, deletedAfter: 0, through: .max, atMost: 9
            ).map { "\($0.record.model) \($0.record.guid)" }
        }
    }

    func deploy() async throws -> Result<Deployed, DeploymentRefusal> {
        let (old, new) = (old, new)
        return try await store.deploy(to: "test") { present in
            let versions = [DeployedDefinition(old, sequence: 0)]
            return .success(
                .test(
                    "new",
                    adaptation: Adaptation(
                        to: new, after: versions, until: present?.sequence ?? 0)))
        }
    }

    /// All data of an environment, except its version.
    func everything(in environment: EnvironmentID) async throws -> [String] {
        let page = try await store.page(in: environment)
        let facts = try await store.facts(
            in: environment, changeIDs: ["c"], guids: ["a", "b", "c"],
            bases: ["a": 0, "b": 0, "c": 0],
            holdersOf: Set(
                ["Note", "Page"].flatMap { model in
                    ["A", "B", "C"].map { value($0, in: model) }
                }))
        let history = facts.history.values.joined().map { "\($0)" }.sorted()
        let conflicts = page.conflicts.values.joined().map { "\($0)" }.sorted()
        let holders = facts.holders.map { "\($0.key) \($0.value)" }.sorted()
        return page.records.map { "\($0)" } + ["\(page.lastSequence)"] + history + conflicts
            + holders + facts.outcomes.values.map(\.text)
    }
}

@Suite("A deployment renames stored records")
struct RenamingTests {
    @Test(arguments: stores)
    func everythingOfRecordGoesByTheNewNames(_ kind: StoreKind) async throws {
        let bench = try await RenamingBench(kind)
        let before = try await bench.everything(in: bench.one)
        let deployed = try await bench.deploy().get()
        #expect(deployed.renamedRecords == 3)
        #expect(deployed.state.fingerprint == "new" && deployed.state.sequence == 3)
        let after = before.dropLast().map { line in
            line.replacing("\\\"text\\\"", with: "\\\"title\\\"").replacing("Note", with: "Page")
        }
        #expect(try await bench.everything(in: bench.one) == after + before.suffix(1))
        #expect(Set(before).intersection(after) == ["3"])
    }

    /// Clients that know a time are told of what is left of them, by the new name.
    @Test(arguments: stores)
    func purgedRecordsGoByTheNewName(_ kind: StoreKind) async throws {
        let bench = try await RenamingBench(kind)
        try await bench.purge()
        #expect(try await bench.purged(of: "Note", in: bench.one) == ["Note b"])
        _ = try await bench.deploy().get()
        #expect(try await bench.purged(of: "Page", in: bench.one) == ["Page b"])
        #expect(try await bench.purged(of: "Note", in: bench.one) == [])
        #expect(try await bench.purged(of: "Note", in: bench.two) == ["Note b"])
    }

    /// A model may get the former name of another one.
    @Test(arguments: stores)
    func purgedRecordsKeepApart(_ kind: StoreKind) async throws {
        let bench = try await RenamingBench(kind)
        try await bench.purge()
        for (names, expected) in [
            (["Note": "Page", "Page": "Sheet"], "Page b"),
            (["Note": "Sheet", "Page": "Note"], "Note b"),
        ] {
            let (old, new) = (
                definition(names.keys.map { ($0, []) }),
                definition(names.map { ($1, [$0]) })
            )
            _ = try await bench.store.deploy(to: "test") { present in
                .success(
                    .test(
                        "\(names)",
                        adaptation: Adaptation(
                            to: new, after: [DeployedDefinition(old, sequence: 0)],
                            until: present?.sequence ?? 0)))
            }.get()
            var found: [String] = []
            for model in ["Note", "Page", "Sheet"] {
                found += try await bench.purged(of: model, in: bench.one)
            }
            #expect(found == [expected])
        }
    }

    private func definition(_ models: [(name: String, earlier: [String])]) -> Definition {
        Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: [], groups: [],
            roles: [],
            models: models.flatMap {
                Definition.test($0.name, before: $0.earlier, unique: ["code"]).models
            },
            digest: "digest")
    }

    /// More records, history and conflicts than are read at once.
    @Test(arguments: stores)
    func manyAreRenamedToTheEnd(_ kind: StoreKind) async throws {
        let bench = try await RenamingBench(kind)
        try await bench.writeMany()
        let before = try await bench.everything(in: bench.one)
        #expect(before.count > 93 + 74 + 72)
        #expect(try await bench.deploy().get().renamedRecords == 93)
        let after = before.map { line in
            line.replacing("\\\"text\\\"", with: "\\\"title\\\"").replacing("Note", with: "Page")
        }
        #expect(try await bench.everything(in: bench.one).dropLast() == after.dropLast())
    }

    @Test(arguments: stores)
    func otherEnvironmentStaysAsItIs(_ kind: StoreKind) async throws {
        let bench = try await RenamingBench(kind)
        let before = try await bench.everything(in: bench.two)
        _ = try await bench.deploy().get()
        #expect(try await bench.everything(in: bench.two) == before)
    }

    @Test(arguments: stores)
    func uniqueValuesAreHeldUnderTheNewName(_ kind: StoreKind) async throws {
        let bench = try await RenamingBench(kind)
        _ = try await bench.deploy().get()
        let facts = try await bench.store.facts(
            in: bench.one,
            holdersOf: [
                bench.value("A", in: "Page"), bench.value("B", in: "Page"),
                bench.value("C", in: "Page"), bench.value("A", in: "Note"),
            ])
        #expect(
            facts.holders == [bench.value("A", in: "Page"): "a", bench.value("C", in: "Page"): "c"])
    }

    enum Damage: CaseIterable {
        case record, history, conflict

        var writes: WriteSet {
            var writes = WriteSet()
            switch self {
            case .record: writes.records = [.test("z", fieldsText: "{")]
            case .history:
                writes.records = [.test("z", fieldsText: #"{"text":"x"}"#)]
                writes.history = [.test("z", revision: 1, fieldsText: "[]")]
            case .conflict:
                writes.records = [.test("z", conflicted: true, fieldsText: #"{"text":"x"}"#)]
                writes.openedConflicts = [StoredConflict(guid: "z", revision: 1, text: "{}")]
            }
            return writes
        }
    }

    /// The last record is unreadable; the others are renamed before it is read.
    @Test(arguments: stores, Damage.allCases)
    func failureRenamesNothing(_ kind: StoreKind, damage: Damage) async throws {
        let bench = try await RenamingBench(kind)
        try await bench.store.write(damage.writes, in: bench.one)
        let before = try await bench.everything(in: bench.one)
        let state = try await bench.store.environment(named: "test")
        await #expect(throws: StoreError.self) { try await bench.deploy() }
        #expect(try await bench.everything(in: bench.one) == before)
        #expect(try await bench.store.environment(named: "test") == state)
    }
}
