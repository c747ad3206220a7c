import DefinitionModel
import GRDB
import SyncEngine
import Testing

@testable import SQLiteStore

@Suite("Stored records are renamed with the version that renames them")
struct RenamingTests {
    private let test: TestDatabase
    private let one: EnvironmentID
    private let two: EnvironmentID
    private let old = Definition.test(unique: ["code"], others: ["text": []])
    private let new = Definition.test(
        "Page", before: ["Note"], unique: ["code"], others: ["title": ["text"]])

    /// Three records in each of two environments, the second deleted and the third in conflict.
    init() async throws {
        test = try TestDatabase()
        one = try await test.environment()
        two = try await test.environment(named: "two")
        for environment in [one, two] {
            var writes = Writes(records: [
                .test("a", revision: 3, fieldsText: #"{"code":"A","text":"x"}"#),
                .test("b", deleted: true, fieldsText: #"{"code":"B"}"#),
                .test("c", conflicted: true, fieldsText: #"{"code":"C","text":"z"}"#),
            ])
            writes.history = ["a", "a", "b", "c"].enumerated().map { number, guid in
                entry(guid, revision: Int64(number + 1), #"{"code":null,"text":"\#(number)"}"#)
            }
            writes.openedConflicts = [2, 4].map { conflict($0, of: "text") }
            writes.takenValues = [
                UniqueHolding(value: value("A", in: "Note"), guid: "a"),
                UniqueHolding(value: value("C", in: "Note"), guid: "c"),
            ]
            try await test.database.write(writes, in: environment)
            var closing = Writes()
            closing.closedConflicts = ["c"]
            closing.openedConflicts = [conflict(6, of: "text")]
            try await test.database.write(closing, in: environment)
        }
    }

    private func value(_ text: String, in model: String) -> UniqueValue {
        UniqueValue(model: model, field: "code", text: text)
    }

    private func entry(_ guid: String, revision: Int64, _ text: String) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision, kind: .updated, changeID: "c", login: "a",
            deviceCategory: "mobile", deviceIdentifier: "phone", at: Instant(milliseconds: 5),
            wasDeleted: false, fieldsText: text)
    }

    private func conflict(_ revision: Int64, of field: String) -> StoredConflict {
        let side = #"{"deleted":false,"fields":{"\#(field)":"s"}}"#
        return StoredConflict(
            guid: "c", revision: revision,
            text: #"{"base":\#(side),"baseRevision":1,"mine":\#(side),"revision":\#(revision),"#
                + #""theirs":\#(side)}"#)
    }

    private func deploy() async throws(StoreError) -> Result<Deployed, DeploymentRefusal> {
        let (old, new) = (old, new)
        return try await test.database.deploy(to: "test") { present in
            let versions = [DeployedDefinition(old, sequence: 0)]
            return .success(
                .test(
                    "new",
                    adaptation: Adaptation(
                        to: new, after: versions, until: present?.sequence ?? 0)))
        }
    }

    private func everything(in environment: EnvironmentID) async throws -> [String] {
        try await test.database.pool.read { db in
            try ["records", "history", "conflicts", "unique_values", "outcomes"].flatMap { table in
                try Row.fetchAll(
                    db, sql: "SELECT * FROM \(table) WHERE environment = ?",
                    arguments: [environment.number]
                ).map { "\(table) \($0)" }
            }
        }
    }

    @Test func everythingOfARecordGoesByTheNewNames() async throws {
        let before = try await everything(in: one)
        let deployed = try await deploy().get()
        #expect(deployed.renamedRecords == 3)
        #expect(deployed.state.fingerprint == "new" && deployed.state.sequence == 3)
        let after = before.map { row in
            row.replacing("text", with: "title").replacing("Note", with: "Page")
        }
        #expect(try await everything(in: one) == after)
        #expect(after.count == 3 + 4 + 3 + 2 && after != before)
    }

    @Test func theOtherEnvironmentStaysAsItIs() async throws {
        let before = try await everything(in: two)
        _ = try await deploy().get()
        #expect(try await everything(in: two) == before)
    }

    @Test func whoHoldsAUniqueValueHoldsItUnderTheNewName() async throws {
        _ = try await deploy().get()
        let facts = try await test.database.facts(
            in: one,
            holdersOf: [
                value("A", in: "Page"), value("B", in: "Page"), value("C", in: "Page"),
                value("A", in: "Note"),
            ])
        #expect(facts.holders == [value("A", in: "Page"): "a", value("C", in: "Page"): "c"])
    }

    /// The last one of the records cannot be read: by then the others were renamed.
    @Test(arguments: [
        "UPDATE records SET fields = '{' WHERE guid = 'c' AND environment = 1",
        "UPDATE history SET fields = '[]' WHERE guid = 'c' AND environment = 1",
        "UPDATE conflicts SET sides = '{}' WHERE revision = 6 AND environment = 1",
    ])
    func whereOneFailsNothingIsRenamed(damage: String) async throws {
        try await test.database.pool.write { try $0.execute(sql: damage) }
        let before = try await everything(in: one)
        let state = try await test.database.environment(named: "test")
        await #expect(throws: StoreError.self) { try await deploy() }
        #expect(try await everything(in: one) == before)
        #expect(try await test.database.environment(named: "test") == state)
    }
}
