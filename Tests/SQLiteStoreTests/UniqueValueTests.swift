import DefinitionModel
import GRDB
import SyncEngine
import Testing

@testable import SQLiteStore

@Suite("Of each unique value the store knows the one record that has it")
struct UniqueValueTests {
    private let test: TestDatabase
    private let environment: EnvironmentID

    init() async throws {
        test = try TestDatabase()
        environment = try await test.environment()
    }

    private func value(
        _ text: String, of field: String = "code", in model: String = "Note"
    ) -> UniqueValue {
        UniqueValue(model: model, field: field, text: text)
    }

    private func write(
        freeing freed: [UniqueHolding] = [], taking taken: [UniqueHolding] = [],
        in environment: EnvironmentID? = nil
    ) async throws {
        var writes = Writes(records: [.test("written")])
        writes.freedValues = freed
        writes.takenValues = taken
        try await test.database.write(writes, in: environment ?? self.environment)
    }

    private func holders(
        of values: UniqueValue..., in environment: EnvironmentID? = nil
    ) async throws -> [UniqueValue: String] {
        try await test.database.facts(
            in: environment ?? self.environment, holdersOf: Set(values)
        ).holders
    }

    @Test func itIsOfItsEnvironmentModelFieldAndBytes() async throws {
        let held = value("\u{E9}")
        try await write(taking: [UniqueHolding(value: held, guid: "g")])
        let others = [
            value("e\u{301}"), value("\u{C9}"), value("\u{E9}", of: "number"),
            value("\u{E9}", in: "Page"), value(""), value("\u{E9} "),
        ]
        #expect(try await holders(of: held) == [held: "g"])
        for other in others { #expect(try await holders(of: other, held) == [held: "g"]) }
        let second = try await test.environment(named: "second")
        #expect(try await holders(of: held, in: second) == [:])
        try await write(
            taking: others.map { UniqueHolding(value: $0, guid: "h") }, in: environment)
        try await write(taking: [UniqueHolding(value: held, guid: "i")], in: second)
        #expect(try await holders(of: held) == [held: "g"])
        #expect(try await holders(of: held, in: second) == [held: "i"])
    }

    @Test func recordsSwapTheirs() async throws {
        let (a, b) = (value("a"), value("b"))
        let before = [UniqueHolding(value: a, guid: "g"), UniqueHolding(value: b, guid: "h")]
        let after = [UniqueHolding(value: b, guid: "g"), UniqueHolding(value: a, guid: "h")]
        try await write(taking: before)
        try await write(freeing: before, taking: after)
        #expect(try await holders(of: a, b) == [a: "h", b: "g"])
        try await write(freeing: after)
        #expect(try await holders(of: a, b) == [:])
    }

    /// Whatever was decided.
    @Test func noSecondRecordCanHaveIt() async throws {
        let held = UniqueHolding(value: value("a"), guid: "g")
        try await write(taking: [held])
        let sequence = try await test.database.environment(named: "test")?.sequence
        await #expect(throws: StoreError.self) {
            try await write(taking: [
                UniqueHolding(value: value("b"), guid: "h"),
                UniqueHolding(value: value("a"), guid: "h"),
            ])
        }
        #expect(try await holders(of: value("a"), value("b")) == [value("a"): "g"])
        #expect(try await test.database.environment(named: "test")?.sequence == sequence)
    }

    @Test func whatARecordDoesNotHoldIsNotItsToFree() async throws {
        try await write(taking: [UniqueHolding(value: value("a"), guid: "g")])
        for stranger in [
            UniqueHolding(value: value("a"), guid: "h"),
            UniqueHolding(value: value("b"), guid: "g"),
        ] {
            await #expect(
                throws: StoreError.unreadable(
                    "'\(stranger.guid)' is not known to hold its 'code'")
            ) {
                try await write(freeing: [stranger])
            }
        }
        #expect(try await holders(of: value("a")) == [value("a"): "g"])
    }

    @Test func theRecordsThatWereReadSayWhatIsWanted() async throws {
        try await write(taking: [UniqueHolding(value: value("a"), guid: "g")])
        let need = Need(
            environment: environment, device: .test, changeIDs: [], guids: ["written", "none"],
            baseRevisions: [:])
        let holders = try await test.database.commit(need) { records in
            records.keys.elementsEqual(["written"])
                ? [UniqueValue(model: "Note", field: "code", text: "a")] : []
        } deciding: { facts throws(StoreError) in
            (Writes(), facts.holders)
        }
        #expect(holders == [value("a"): "g"])
    }
}

@Suite("A new version finds out who has which unique value")
struct UniqueDeploymentTests {
    private let test: TestDatabase
    private let environment: EnvironmentID

    init() async throws {
        test = try TestDatabase()
        environment = try await test.environment()
    }

    private func write(_ codes: [(guid: String, code: String?, isDeleted: Bool)]) async throws {
        let records = codes.map { guid, code, isDeleted in
            StoredRecord.test(
                guid, deleted: isDeleted,
                fieldsText: code.map { "{\"code\":\"\($0)\",\"name\":\"n\"}" } ?? "{}")
        }
        try await test.database.write(Writes(records: records), in: environment)
    }

    private func deploy(
        _ name: String, from old: Definition, to new: Definition
    ) async throws -> Result<Deployed, DeploymentRefusal> {
        try await test.database.deploy(to: "test") { _ in
            let versions = [DeployedDefinition(old, sequence: 0)]
            return .success(
                .test(name, adaptation: Adaptation(to: new, after: versions, until: 0)))
        }
    }

    private func held() async throws -> [String] {
        try await test.database.pool.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT environment || ' ' || field || ' ' || value || ' ' || guid
                    FROM unique_values ORDER BY 1
                    """)
        }
    }

    @Test func recordsThatAreNotDeletedHaveTheirs() async throws {
        try await write([("a", "x", false), ("b", "y", true), ("c", nil, false), ("d", "y", false)])
        let other = try await test.environment(named: "other")
        try await test.database.write(
            Writes(records: [.test("e", fieldsText: "{\"code\":\"x\"}")]), in: other)
        _ = try await deploy("two", from: .test(), to: .test(unique: ["code"])).get()
        let number = environment.number
        #expect(try await held() == ["\(number) code x a", "\(number) code y d"])
    }

    @Test func repeatedValuesAreCountedAndNothingIsChanged() async throws {
        try await write([
            ("a", "x", false), ("b", "x", false), ("c", "x", false), ("d", "y", false),
            ("e", "y", false), ("f", "x", true), ("g", "z", false), ("h", nil, false),
            ("i", nil, false),
        ])
        let before = try await test.database.environment(named: "test")
        let refused = try await deploy("two", from: .test(), to: .test(unique: ["code", "name"]))
        #expect(
            refused
                == .failure(
                    .valuesNotUnique([
                        RepeatedValues(model: "Note", field: "code", records: 3),
                        RepeatedValues(model: "Note", field: "name", records: 5),
                    ])))
        #expect(try await test.database.environment(named: "test") == before)
        #expect(try await held() == [])
    }

    @Test func aFieldThatIsUniqueNoLongerGivesItsValuesUp() async throws {
        try await write([("a", "x", false)])
        _ = try await deploy("two", from: .test(), to: .test(unique: ["code", "name"])).get()
        #expect(try await held().count == 2)
        _ = try await deploy(
            "three", from: .test(unique: ["code", "name"]), to: .test(unique: ["code"])
        ).get()
        #expect(try await held() == ["\(environment.number) code x a"])
        _ = try await deploy("four", from: .test(unique: ["code"]), to: .test()).get()
        #expect(try await held() == [])
    }

    /// That they are not read again is seen by a row that no record stands for.
    @Test func whoseUniqueFieldsStayTheSameReadsNoRecord() async throws {
        let fields = Definition.test(unique: ["code"])
        try await write([("a", "x", false)])
        _ = try await deploy("two", from: .test(), to: fields).get()
        try await test.database.pool.write { try $0.execute(sql: "DELETE FROM records") }
        _ = try await deploy("three", from: fields, to: fields).get()
        #expect(try await held() == ["\(environment.number) code x a"])
    }
}
