import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import TestKit
import Testing

/// Changes of clients that know no revisions.
@Suite("Changes of the present state, additions and whole batches")
struct PresentChangeTests {
    @Test(arguments: stores) func updateMeetsNoConflict(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["title": "old"])
        for title in ["a", "b"] {
            let outcomes = try await desk.push(
                [.update(1, ["title": .value(.text(title))])], by: title)
            #expect(outcomes.map(\.kind) == [.accepted])
        }
        #expect(try await desk.value("title", of: 1) == "b")
    }

    /// Two records written in one millisecond, one of them twice; then a change without an effect.
    @Test(arguments: stores) func pushTellsStampsThatFindsShow(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(3)
        let stamps = try await desk.stamps(of: [
            .creation(1), .creation(2), .update(1, ["count": .value(.integer(2))]),
            .update(4, ["count": .value(.integer(2))]),
        ])
        #expect(stamps.count == 2)
        for number in 1...2 {
            #expect(stamps[counterGuid(number)] == (try await desk.found(number)?.changedAt))
        }
        #expect(Set(stamps.values).count == 2)
        let same = Change.update(1, ["count": .value(.integer(2))])
        #expect(try await desk.stamps(of: [same]).isEmpty)
    }

    /// The base would be the state before the first change of the batch.
    @Test(arguments: stores) func batchFollowsItself(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let outcomes = try await desk.push([
            .creation(1, ["count": .value(.integer(1))]),
            .update(1, ["count": .added(.integer(2))]),
            .update(1, ["count": .added(.integer(4))]),
        ])
        #expect(outcomes.map(\.kind) == [.accepted, .accepted, .accepted])
        #expect(try await desk.value("count", of: 1) == 7)
    }

    @Test(arguments: stores) func deletedRecordIsNotChanged(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        #expect(try await desk.push([.deletion(1)]).map(\.kind) == [.accepted])
        for change in [Change.deletion(1), .update(1, ["count": .value(.integer(1))])] {
            #expect(try await desk.causes(of: change) == [Cause(.change(.recordDeleted))])
        }
        #expect(try await desk.causes(of: .deletion(2)) == [Cause(.change(.recordUnknown))])
    }

    // MARK: - Additions

    /// Each is decided on what the one before it wrote; a copy of one is not added again.
    @Test(arguments: stores) func additionsOfManyAddUp(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                let change = Change.update(1, ["count": .added(.integer(1))])
                group.addTask {
                    for _ in 1...2 { _ = try await desk.push([change], by: "\(number % 3)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await desk.value("count", of: 1) == 20)
    }

    /// Each is made on what the one before it wrote, and a copy of one is not made again.
    @Test(arguments: stores) func editsOfManyAreAllMade(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...20 {
                let edits = [
                    JSONEdit(path: ["all"], .append([.integer(Int64(number))])),
                    JSONEdit(path: ["count"], .increment(1)),
                    JSONEdit(path: ["by", "\(number)"], .set("x")),
                ]
                let change = Change.update(1, ["meta": .edited(edits)])
                group.addTask {
                    for _ in 1...2 { _ = try await desk.push([change], by: "\(number % 3)") }
                }
            }
            try await group.waitForAll()
        }
        guard case .string(let text)? = try await desk.value("meta", of: 1),
            case .object(let meta) = try parseJSON(Array(text.utf8)),
            case .array(let all)? = meta["all"], case .object(let by)? = meta["by"]
        else {
            Issue.record("the edits are lost")
            return
        }
        #expect(Set(all) == Set((1...20).map { .integer($0) }) && all.count == 20)
        #expect(meta["count"] == 20 && by.count == 20)
    }

    /// Decided in the transaction. A copy is told what the first was told.
    @Test(arguments: stores) func resultIsThatOfChange(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        let changes = (1...3).map { _ in Change.update(1, ["count": .added(.integer(1))]) }
        let outcomes = try await desk.push(changes)
        #expect(outcomes.map { $0.results["count"] } == [1, 2, 3])
        _ = try await desk.push([.update(1, ["count": .added(.integer(5))])], by: "b")
        #expect(try await desk.push(changes) == outcomes)
        #expect(outcomes.map(\.madeAt) == [1, 1, 1])
    }

    @Test(arguments: stores) func roundedNumberIsNoChange(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let price = try #require(DecimalNumber("12345678901234567.125"))
        try await desk.make(
            1, ["total": 9_007_199_254_740_993, "price": .string(price.description)])
        let rounded = try #require(DecimalNumber("12345678901234568"))
        let revisions = try await desk.push([
            .update(1, ["total": .value(.integer(9_007_199_254_740_992))]),
            .update(1, ["price": .value(.decimal(rounded))]),
            .update(1, ["total": .value(.integer(9_007_199_254_740_994))]),
            .update(1, ["total": .value(.integer(9_007_199_254_740_992))]),
            .update(1, ["total": .added(.integer(1))]),
        ]).map(\.revision)
        #expect(revisions == [1, 1, 2, 3, 4])
        #expect(try await desk.value("price", of: 1) == .string(price.description))
        #expect(try await desk.value("total", of: 1) == 9_007_199_254_740_993)
    }

    /// Each edit parses and keeps the present value while other writers wait.
    @Test(arguments: stores) func manyEditsOfLargeValueAreTooMuch(_ kind: StoreKind) async throws {
        let text = "[\"\(String(repeating: "x", count: 96))\"]"
        var limits = Limits()
        limits.editedBytes = 2 * text.utf8.count
        let desk = try await CounterDesk(kind, limits: limits)
        try await desk.make(1, ["meta": .string(text)])
        func edits(_ count: Int) -> [Change] {
            (0..<count).map { _ in
                Change.update(1, ["meta": .edited([JSONEdit(path: [], .removeElements([1]))])])
            }
        }
        #expect(try await desk.push(edits(1)).map(\.kind) == [.accepted])
        #expect(try await desk.push(edits(2)).map(\.kind) == [.accepted, .accepted])
        await #expect(throws: SyncError.tooMuchToRead) { try await desk.push(edits(3)) }
    }

    @Test(arguments: stores) func editIsLimitedAndSeen(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["meta": "[1]", "hidden": "[1]"])
        let add = { (value: JSONValue) in
            GivenValue.edited([JSONEdit(path: [], .append([value]))])
        }
        for (field, value, reason) in [
            (
                "meta", add(.string(String(repeating: "x", count: 1000))),
                Cause.Reason.limit(.tooManyBytes(max: 1000))
            ),
            ("meta", .edited([JSONEdit(path: ["a"], .set(1))]), .wrongType(expected: .text)),
            ("hidden", add(2), .notGranted(.read, level: .none)),
            ("title", add(2), .wrongType(expected: .text)),
        ] {
            let causes = try await desk.causes(of: .update(1, [field: value]))
            #expect(causes.map(\.reason).contains(reason), "\(field)")
        }
        #expect(try await desk.value("meta", of: 1) == "[1]")
    }

    /// The same JSON in another text is the same value, so that it is no change.
    @Test(arguments: stores) func jsonIsStoredInOneText(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["meta": #"{ "b": 1.0, "a": [] }"#])
        let text = #"{"a":[],"b":1}"#
        #expect(try await desk.value("meta", of: 1) == .string(text))
        for (given, revision) in [(#"{"b":1,"a":[]}"#, 1), (text, 1), ("[]", 2)] {
            let outcomes = try await desk.push([.update(1, ["meta": .value(.text(given))])])
            #expect(outcomes.map(\.revision) == [Int64(revision)])
        }
    }

    @Test(arguments: stores) func sumIsExactAndLimited(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["price": "0.1"])
        let amount = FieldValue.decimal(try #require(DecimalNumber("0.2")))
        _ = try await desk.push([.update(1, ["price": .added(amount)])])
        #expect(try await desk.value("price", of: 1) == "0.3")
        let causes = try await desk.causes(of: .update(1, ["count": .added(.integer(101))]))
        #expect(
            causes.map(\.reason) == [.limit(.lessThanOrEqualTo(DecimalNumber(100)))])
        #expect(try await desk.value("count", of: 1) == .null)
        let most = try await desk.causes(
            of: .update(1, ["total": .added(.integer(.max))]), after: ["total": .integer(1)])
        #expect(most.map(\.reason) == [.wrongType(expected: .integer)])
    }

    /// A sum, or that there is none, would tell the value.
    @Test(arguments: stores) func hiddenValueTakesNoAddition(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1)
        let causes = try await desk.causes(of: .update(1, ["secret": .added(.integer(1))]))
        #expect(causes.map(\.reason) == [.notGranted(.read, level: .none)])
    }

    // MARK: - Whole batches

    @Test(arguments: stores) func wholeBatchIsAllOrNothing(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let bad = Change.update(9, ["count": .value(.integer(1))])
        let failed = try await desk.push([.creation(1), bad], isWhole: true)
        #expect(failed.map(\.kind) == [.accepted, .refused])
        #expect(try await desk.value("count", of: 1) == nil)
        let done = try await desk.push([.creation(1), .creation(2)], isWhole: true)
        #expect(done.map(\.kind) == [.accepted, .accepted])
        #expect(try await desk.value("count", of: 2) == .null)
    }

    /// A failed batch leaves no outcome, so that it can be sent again.
    @Test(arguments: stores) func failedBatchCanBeRepeated(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        let batch = [Change.creation(1), .update(2, ["count": .value(.integer(1))])]
        #expect(try await desk.push(batch, isWhole: true).map(\.kind) == [.accepted, .refused])
        try await desk.make(2)
        #expect(try await desk.push(batch, isWhole: true).map(\.kind) == [.accepted, .accepted])
    }

    // MARK: - Order

    @Test(arguments: stores) func nullIsLeastOnRequest(_ kind: StoreKind) async throws {
        let desk = try await CounterDesk(kind)
        try await desk.make(1, ["count": 2])
        try await desk.make(2)
        try await desk.make(3, ["count": 1])
        for (descends, beginsWithNull, order) in [
            (false, false, [3, 1, 2]), (true, false, [1, 3, 2]), (false, true, [2, 3, 1]),
            (true, true, [1, 3, 2]),
        ] {
            var query = FindQuery(sort: [
                FindQuery.SortKey("count", descends: descends, beginsWithNull: beginsWithNull)
            ])
            query.limit = 1
            var numbers: [Int] = []
            repeat {
                let page = try await desk.engine.find(query, of: "Counter", for: desk.caller("a"))
                numbers += page.records.compactMap { Int($0.guid.suffix(2)) }
                query.cursor = page.cursor
            } while query.cursor != nil
            #expect(numbers == order)
        }
    }
}

/// A store with an engine and counters.
private struct CounterDesk: Sendable {
    private let bench: StoreBench
    let engine: Engine

    init(_ kind: StoreKind, limits: Limits = Limits()) async throws {
        bench = try await kind.open()
        let definition = Definition.counters
        let deployed = try await bench.store.deploy(to: "test") { _ in
            .success(.test(definition.fingerprint))
        }
        engine = Engine(
            rules: Rules(definition), formerly: [], environment: try deployed.get().state,
            store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }),
            limits: limits)
    }

    func caller(_ device: String) -> Caller {
        Caller(
            asker: Asker(login: "ann", group: "users", role: .counting), deviceIdentifier: device,
            isAdmin: false, moment: .none)
    }

    func push(
        _ changes: [Change], by device: String = "a", isWhole: Bool = false
    ) async throws -> [Outcome] {
        try await engine.push(
            changes, keepingOutcomesFor: 100, isWhole: isWhole, by: caller(device),
            at: Instant(milliseconds: 1)
        ).outcomes
    }

    func make(_ number: Int, _ values: [String: JSONValue] = [:]) async throws {
        let fields = engine.rules.book.values(values, of: "Counter")
        let outcomes = try await push([.creation(number, fields)])
        try #require(outcomes.first?.kind == .accepted, "\(outcomes)")
    }

    /// The causes of a refusal, after another update.
    func causes(of change: Change, after values: [String: FieldValue] = [:]) async throws -> [Cause]
    {
        if !values.isEmpty {
            let number = Int(change.guid.suffix(2)) ?? 0
            let outcomes = try await push([.update(number, values.mapValues { .value($0) })])
            try #require(outcomes.first?.kind == .accepted)
        }
        return try await push([change]).first?.causes ?? []
    }

    /// Nil if there is no such record.
    func value(_ field: String, of number: Int) async throws -> JSONValue? {
        try await found(number).map { $0.record.fields?[field] ?? .null }
    }

    /// Nil if there is no such record.
    func found(_ number: Int) async throws -> FoundView? {
        let query = FindQuery(
            filter: .compare(
                .eq, operand: "$guid", with: .value(.string(counterGuid(number)))))
        return try await engine.find(query, of: "Counter", for: caller("a")).found.first
    }

    /// The stamps that a push tells, by guid.
    func stamps(of changes: [Change]) async throws -> [String: Instant] {
        try await engine.push(
            changes, keepingOutcomesFor: nil, by: caller("a"), at: Instant(milliseconds: 1)
        ).stamps
    }
}

private func counterGuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)"
}

extension Change {
    fileprivate static func creation(
        _ number: Int, _ fields: [String: GivenValue] = [:]
    ) -> Change {
        Change(
            id: "create-\(number)", action: .create, model: "Counter", guid: counterGuid(number),
            baseRevision: nil, fields: fields)
    }

    fileprivate static func update(_ number: Int, _ fields: [String: GivenValue]) -> Change {
        present(.update, number, fields)
    }

    fileprivate static func deletion(_ number: Int) -> Change { present(.delete, number, [:]) }

    private static func present(
        _ action: ChangeAction, _ number: Int, _ fields: [String: GivenValue]
    ) -> Change {
        var random = SystemRandomNumberGenerator()
        return Change(
            id: "\(action)-\(random.next())", action: action, model: "Counter",
            guid: counterGuid(number), baseRevision: nil, fields: fields, followsPresent: true)
    }
}

extension Role {
    fileprivate static let counting = Role(group: "users", deviceCategory: "mobile")
}

extension Definition {
    /// `secret` can be changed and not read.
    fileprivate static var counters: Definition {
        let place = SourcePlace(line: 1, column: 1)
        let json = TextLimits(maxLength: 2000, format: TextFormat(.json, maxBytes: 1000))
        func field(_ name: String, _ type: FieldType, read: AccessLevel = .all) -> Field {
            Field(
                name: name, type: type, isRequired: false, defaultValue: nil,
                credentials: [
                    .counting: FieldCredential(
                        create: .all, read: read, update: .all, place: place)
                ], writtenOptions: [], writtenDefault: nil, place: place)
        }
        return Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: ["mobile"],
            groups: ["users"], roles: [.counting],
            models: [
                Model(
                    name: "Counter",
                    fields: [
                        field("title", .text(TextLimits())),
                        field("count", .integer(IntegerLimits(minValue: -100, maxValue: 100))),
                        field("total", .integer(IntegerLimits(minValue: .min, maxValue: .max))),
                        field("price", .decimal(DecimalLimits())),
                        field("secret", .integer(IntegerLimits()), read: .none),
                        field("meta", .text(json)), field("hidden", .text(json), read: .none),
                    ],
                    credentials: [
                        .counting: ModelCredential(
                            create: .all, read: .all, update: .all, delete: .all,
                            resolvesConflicts: true, place: place)
                    ], place: place)
            ], digest: "digest")
    }
}
