import DefinitionModel
import SyncEngine
import TestKit
import Testing

private struct UniqueBench {
    let bench: StoreBench
    let environment: EnvironmentID

    var store: any Store { bench.store }

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        environment = try await bench.store.environment()
    }

    func write(
        freeing freed: [UniqueHolding] = [], taking taken: [UniqueHolding] = [],
        in environment: EnvironmentID? = nil
    ) async throws {
        var writes = WriteSet(records: [.test("written")])
        writes.freedValues = freed
        writes.takenValues = taken
        try await store.write(writes, in: environment ?? self.environment)
    }

    func holders(
        of values: UniqueValue..., in environment: EnvironmentID? = nil
    ) async throws -> [UniqueValue: String] {
        try await store.facts(
            in: environment ?? self.environment, holdersOf: Set(values)
        ).holders
    }
}

@Suite("The store knows the record of each unique value")
struct UniqueValueTests {
    @Test(arguments: stores)
    func valueIsUniquePerEnvironmentModelFieldAndBytes(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        let held = UniqueValue.code("\u{E9}")
        try await bench.write(taking: [UniqueHolding(value: held, guid: "g")])
        let others: [UniqueValue] = [
            .code("e\u{301}"), .code("\u{C9}"), .code(""), .code("\u{E9} "),
            .code("\u{E9}\u{0}"), .code("\u{E9}\u{0}a"), .code("\u{E9}\u{1}"),
            UniqueValue(model: "Note", field: "number", text: "\u{E9}"),
            UniqueValue(model: "Page", field: "code", text: "\u{E9}"),
        ]
        #expect(try await bench.holders(of: held) == [held: "g"])
        for other in others {
            #expect(try await bench.holders(of: other, held) == [held: "g"])
        }
        let second = try await bench.store.environment("second")
        #expect(try await bench.holders(of: held, in: second) == [:])
        try await bench.write(taking: others.map { UniqueHolding(value: $0, guid: "h") })
        try await bench.write(taking: [UniqueHolding(value: held, guid: "i")], in: second)
        #expect(try await bench.holders(of: held) == [held: "g"])
        #expect(try await bench.holders(of: held, in: second) == [held: "i"])
    }

    @Test(arguments: stores) func recordsSwapTheirs(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        let (a, b) = (UniqueValue.code("a"), UniqueValue.code("b"))
        let before = [UniqueHolding(value: a, guid: "g"), UniqueHolding(value: b, guid: "h")]
        let after = [UniqueHolding(value: b, guid: "g"), UniqueHolding(value: a, guid: "h")]
        try await bench.write(taking: before)
        try await bench.write(freeing: before, taking: after)
        #expect(try await bench.holders(of: a, b) == [a: "h", b: "g"])
        try await bench.write(freeing: after)
        #expect(try await bench.holders(of: a, b) == [:])
    }

    /// Regardless of the decision.
    @Test(arguments: stores) func noSecondRecordCanHaveIt(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        try await bench.write(taking: [UniqueHolding(value: .code("a"), guid: "g")])
        let sequence = try await bench.store.environment(named: "test")?.sequence
        await #expect(throws: StoreError.self) {
            try await bench.write(taking: [
                UniqueHolding(value: .code("b"), guid: "h"),
                UniqueHolding(value: .code("a"), guid: "h"),
            ])
        }
        #expect(try await bench.holders(of: .code("a"), .code("b")) == [.code("a"): "g"])
        #expect(try await bench.store.environment(named: "test")?.sequence == sequence)
    }

    @Test(arguments: stores)
    func recordReleasesOnlyItsOwnValues(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        try await bench.write(taking: [UniqueHolding(value: .code("a"), guid: "g")])
        for stranger in [
            UniqueHolding(value: .code("a"), guid: "h"),
            UniqueHolding(value: .code("b"), guid: "g"),
        ] {
            await #expect(
                throws: StoreError.unreadable(
                    "'\(stranger.guid)' is not known to hold its 'code'")
            ) {
                try await bench.write(freeing: [stranger])
            }
        }
        #expect(try await bench.holders(of: .code("a")) == [.code("a"): "g"])
    }

    @Test(arguments: stores)
    func wantedValuesFollowFromRecordsRead(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        try await bench.write(taking: [UniqueHolding(value: .code("a"), guid: "g")])
        let need = ReadSet(
            environment: bench.environment, device: .test, changeIDs: [],
            guids: ["written", "none"], baseRevisions: [:])
        let holders = try await bench.store.commit(need) { records in
            records.keys.elementsEqual(["written"]) ? [.code("a")] : []
        } deciding: { facts throws(StoreError) in
            (WriteSet(), facts.holders)
        }
        #expect(holders == [.code("a"): "g"])
    }
}

@Suite("A deployment records existing unique values")
struct UniqueDeploymentTests {
    private func write(
        _ codes: [(guid: String, code: String?, isDeleted: Bool)], on bench: UniqueBench
    ) async throws {
        let records = codes.map { guid, code, isDeleted in
            StoredRecord.test(
                guid, deleted: isDeleted,
                fieldsText: code.map { "{\"code\":\"\($0)\",\"name\":\"n\"}" } ?? "{}")
        }
        try await bench.store.write(WriteSet(records: records), in: bench.environment)
    }

    private func deploy(
        _ name: String, from old: Definition, to new: Definition, on bench: UniqueBench
    ) async throws -> Result<Deployed, DeploymentRefusal> {
        try await bench.store.deploy(to: "test") { _ in
            let versions = [DeployedDefinition(old, sequence: 0)]
            return .success(
                .test(name, adaptation: Adaptation(to: new, after: versions, until: 0)))
        }
    }

    private let name = UniqueValue(model: "Note", field: "name", text: "n")

    @Test(arguments: stores)
    func recordsThatAreNotDeletedHaveTheirs(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        try await write(
            [("a", "x", false), ("b", "y", true), ("c", nil, false), ("d", "y", false)], on: bench)
        let other = try await bench.store.environment("other")
        try await bench.store.write(
            WriteSet(records: [.test("e", fieldsText: "{\"code\":\"x\"}")]), in: other)
        _ = try await deploy("two", from: .test(), to: .test(unique: ["code"]), on: bench).get()
        #expect(
            try await bench.holders(of: .code("x"), .code("y")) == [
                .code("x"): "a", .code("y"): "d",
            ])
        #expect(try await bench.holders(of: .code("x"), in: other) == [:])
    }

    @Test(arguments: stores)
    func repeatedValuesAreCountedAndNothingIsChanged(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        try await write(
            [
                ("a", "x", false), ("b", "x", false), ("c", "x", false), ("d", "y", false),
                ("e", "y", false), ("f", "x", true), ("g", "z", false), ("h", nil, false),
                ("i", nil, false),
            ], on: bench)
        let before = try await bench.store.environment(named: "test")
        let refused = try await deploy(
            "two", from: .test(), to: .test(unique: ["code", "name"]), on: bench)
        #expect(
            refused
                == .failure(
                    .valuesNotUnique([
                        RepeatedValues(model: "Note", field: "code", records: 3),
                        RepeatedValues(model: "Note", field: "name", records: 5),
                    ])))
        #expect(try await bench.store.environment(named: "test") == before)
        #expect(try await bench.holders(of: .code("x"), .code("z"), name) == [:])
    }

    /// More than are read at once.
    @Test(arguments: stores)
    func repeatedValuesOfManyRecordsAreCounted(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        try await write((1...100).map { ("\($0)", "\($0 % 40)", false) }, on: bench)
        let refused = try await deploy(
            "two", from: .test(), to: .test(unique: ["code"]), on: bench)
        let repeated = RepeatedValues(model: "Note", field: "code", records: 60)
        #expect(refused == .failure(.valuesNotUnique([repeated])))
    }

    /// By a pass over all values, or by one for each part of so many.
    @Test(arguments: stores, [1000, 100, 99, 7, 1])
    func trialIsRefusedAsDeployment(_ kind: StoreKind, keeping atMost: Int) async throws {
        let bench = try await UniqueBench(kind)
        guard let rows = bench.bench.database?.rows else { return }
        try await write(
            (1...100).map { ("\($0)", "\($0 % 40)", $0 % 10 == 0) }, on: bench)
        for unique in [["code"], ["name"], ["code", "name"], ["number"], []] {
            let version = NewVersion.test(
                "two",
                adaptation: Adaptation(
                    to: .test(unique: unique), after: [DeployedDefinition(.test(), sequence: 0)],
                    until: 0))
            let trial = try await rows.refusal(
                of: version, in: bench.environment, keeping: atMost)
            let repeated = [
                RepeatedValues(model: "Note", field: "code", records: 54),
                RepeatedValues(model: "Note", field: "name", records: 89),
            ].filter { unique.contains($0.field) }
            #expect(trial == (repeated.isEmpty ? nil : .valuesNotUnique(repeated)))
            let refused = try await bench.store.deploy(to: "test") { _ in .success(version) }
            #expect(trial == nil || refused == .failure(trial ?? .overtaken))
        }
    }

    @Test(arguments: stores)
    func fieldThatIsUniqueNoLongerGivesItsValuesUp(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        let (one, both) = (Definition.test(unique: ["code"]), ["code", "name"])
        try await write([("a", "x", false)], on: bench)
        _ = try await deploy("two", from: .test(), to: .test(unique: both), on: bench).get()
        #expect(
            try await bench.holders(of: .code("x"), name) == [.code("x"): "a", name: "a"])
        _ = try await deploy("three", from: .test(unique: both), to: one, on: bench).get()
        #expect(try await bench.holders(of: .code("x"), name) == [.code("x"): "a"])
        _ = try await deploy("four", from: one, to: .test(), on: bench).get()
        #expect(try await bench.holders(of: .code("x"), name) == [:])
    }

    /// An unrecorded duplicate proves that values are not checked again.
    @Test(arguments: stores)
    func unchangedUniqueFieldsKeepTheirRecordedValues(_ kind: StoreKind) async throws {
        let bench = try await UniqueBench(kind)
        let fields = Definition.test(unique: ["code"])
        try await write([("a", "x", false)], on: bench)
        _ = try await deploy("two", from: .test(), to: fields, on: bench).get()
        try await write([("b", "y", false)], on: bench)
        _ = try await deploy("three", from: fields, to: fields, on: bench).get()
        #expect(try await bench.holders(of: .code("x"), .code("y")) == [.code("x"): "a"])
    }
}
