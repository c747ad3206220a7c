import AccessPolicy
import DefinitionModel
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@Suite("A copy of a request that arrives after the acknowledgement changes nothing")
struct LateCopyTests {
    @Test(arguments: stores, LateCopy.all)
    func hasOutcomeOfTheFirst(_ kind: StoreKind, copy: LateCopy) async throws {
        let yard = try await CopiedYard(kind, copy.mode, analyzed: copy.isAnalyzed)
        for (login, change) in copy.before { try await yard.pushUpToDate([change], by: login) }
        let first = try await yard.push(copy.changes, by: "anna")
        #expect(first.map(\.outcome) == copy.outcomes)
        #expect(try await yard.push(copy.changes, by: "anna") == first)
        try await yard.acknowledge(copy.changes, by: "anna")
        for (login, change) in copy.after { try await yard.pushUpToDate([change], by: login) }
        try await yard.editEverything()

        let state = try await yard.state()
        #expect(try await yard.push(copy.changes, by: "anna") == first)
        #expect(try await yard.state() == state)
    }

    /// No device of ours does so.
    @Test(arguments: stores, LateCopy.all)
    func copyMayAcknowledgeItself(_ kind: StoreKind, copy: LateCopy) async throws {
        let yard = try await CopiedYard(kind, copy.mode, analyzed: copy.isAnalyzed)
        for (login, change) in copy.before { try await yard.pushUpToDate([change], by: login) }
        let first = try await yard.push(copy.changes, by: "anna")
        for (login, change) in copy.after { try await yard.pushUpToDate([change], by: login) }
        let state = try await yard.state()
        let again = try await yard.push(copy.changes, by: "anna", acknowledging: copy.changes)
        #expect(again == first)
        #expect(try await yard.state() == state)
    }

    /// Nothing is left of the first one but the guid.
    @Test(arguments: stores)
    func isRefusedAfterPurge(_ kind: StoreKind) async throws {
        let yard = try await CopiedYard(kind, .overwrite)
        let changes: [ChangeMessage] = [
            .creation(5, ["title": "t"]), .change(.update, 5, ["stars": 3]),
            .change(.delete, 5, [:]),
        ]
        let first = try await yard.push(changes, by: "anna")
        #expect(first.map(\.outcome) == [.accepted, .accepted, .accepted])
        try await yard.acknowledge(changes, by: "anna")
        _ = try await yard.engine.sweep(before: Instant(milliseconds: .max))

        let state = try await yard.state()
        let copies = try await yard.push(changes, by: "anna")
        #expect(copies.map(\.outcome) == [.refused, .refused, .refused])
        #expect(try await yard.state() == state)
    }

    /// The same id of another device, and another id of the same device, are other changes.
    @Test(arguments: stores, [("ben", "x"), ("anna", "y")])
    func isOfTheSameDeviceAndID(
        _ kind: StoreKind, other: (login: String, id: String)
    ) async throws {
        let yard = try await CopiedYard(kind, .overwrite)
        var change = ChangeMessage.change(.update, 1, from: 1, ["stars": 2])
        change.id = "x"
        try await yard.push([change], by: "anna")
        try await yard.acknowledge([change], by: "anna")
        change.id = other.id
        #expect(try await yard.push([change], by: other.login).map(\.outcome) == [.accepted])
        change.fields = ["stars": 3]
        change.id += "+"
        #expect(try await yard.push([change], by: other.login).map(\.outcome) == [.accepted])
        #expect(try await yard.record(1)?.fieldsText.contains(#""stars":3"#) == true)
    }

    /// Only the outcome tells that a change without an effect was there. It is kept for as long as
    /// a session lasts.
    @Test(arguments: stores)
    func outcomesWithoutTraceExpire(_ kind: StoreKind) async throws {
        let yard = try await CopiedYard(kind, .manual)
        let change = ChangeMessage.change(.update, 1, from: 1, ["stars": 9])
        try await yard.push([change], by: "anna")
        let end = yard.now.adding(seconds: yard.engine.limits.sessionSeconds)
        #expect(try await yard.engine.sweepOutcomes(at: end.adding(seconds: 1)) == 0)
        try await yard.acknowledge([change], by: "anna")
        #expect(try await yard.engine.sweepOutcomes(at: end) == 0)
        #expect(try await yard.engine.sweepOutcomes(at: end.adding(seconds: 1)) == 1)
    }
}

extension LateCopyTests {
    /// A device cannot make them grow by acknowledging.
    @Test(arguments: stores)
    func outcomesWithoutTraceAreFew(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let ids = (0..<1300).map { "\($0)" }
        for start in stride(from: 0, to: 1300, by: 100) {
            var writes = WriteSet()
            let some = Array(ids[start..<start + 100])
            writes.outcomes = some.map {
                StoredOutcome(changeID: $0, text: "{}", isTraceless: true)
            }
            try await bench.store.write(writes, in: environment)
            var acknowledging = WriteSet()
            acknowledging.acknowledged = some
            acknowledging.tracelessExpireAt = Instant(milliseconds: Int64(1 + start))
            try await bench.store.write(acknowledging, in: environment)
        }
        let left = try await bench.store.facts(in: environment, changeIDs: ids).outcomes
        #expect((1000...1100).contains(left.count), "\(left.count)")
        #expect(left["0"] == nil && ids.suffix(1000).allSatisfy { left[$0]?.isTraceless == true })
    }
}

/// Changes of `anna`, of which a copy arrives late. The first task is there before, with the title
/// `old`, and the first site with the code `A`.
struct LateCopy: Sendable, CustomTestStringConvertible {
    typealias Push = (login: String, change: ChangeMessage)

    let testDescription: String
    let mode: ConflictMode
    var isAnalyzed = false
    var before: [Push] = []
    let changes: [ChangeMessage]
    let outcomes: [OutcomeMessage.Kind]
    /// Before everything is edited.
    var after: [Push] = []

    init(
        _ testDescription: String, _ mode: ConflictMode, _ changes: [ChangeMessage],
        _ outcomes: [OutcomeMessage.Kind], _ more: (inout LateCopy) -> Void = { _ in }
    ) {
        self.testDescription = testDescription
        self.mode = mode
        self.changes = changes
        self.outcomes = outcomes
        more(&self)
    }

    static let all: [LateCopy] = updates + accepted + stale + traceless

    private static let stars = ChangeMessage.change(.update, 1, from: 1, ["stars": 4])
    private static let title = ChangeMessage.change(.update, 1, from: 1, ["title": "theirs"])

    private static let updates: [LateCopy] = ConflictMode.allCases.map { mode in
        LateCopy("an update, \(mode)", mode, [stars], [.accepted])
    }

    private static let accepted: [LateCopy] = [
        LateCopy("a creation", .manual, [.creation(7, ["title": "t"])], [.accepted]),
        LateCopy(
            "a creation and its update", .merge,
            [.creation(7, ["title": "t"]), .change(.update, 7, ["stars": 3])],
            [.accepted, .accepted]),
        LateCopy(
            "a deletion that was undone", .manual, [.change(.delete, 1, from: 1, [:])],
            [.accepted]
        ) {
            $0.after = [("ben", stars), ("ben", .change(.resolve, 1, from: 3, ["stars": 5]))]
        },
        LateCopy(
            "a resolution", .manual, [.change(.resolve, 1, from: 3, ["stars": 2])], [.accepted]
        ) {
            $0.before = [("ben", title), ("carl", stars)]
        },
    ]

    private static let stale: [LateCopy] = [
        LateCopy("a conflict", .manual, [stars], [.conflicted]) { $0.before = [("ben", title)] },
        LateCopy("an overwriting update", .overwrite, [stars], [.accepted]) {
            $0.before = [("ben", title)]
        },
        LateCopy("a discarded update", .discard, [stars], [.discarded]) {
            $0.before = [("ben", title)]
        },
        LateCopy("a merged update", .merge, [stars], [.merged]) { $0.before = [("ben", title)] },
        LateCopy(
            "a conflict of one of two", .merge,
            [
                .change(.update, 1, from: 1, ["title": "mine"]),
                .change(.update, 1, ["stars": 2]),
            ], [.conflicted, .merged]
        ) {
            $0.before = [("ben", title)]
        },
        LateCopy("an update discarded for its site", .discard, [stars], [.discarded]) {
            $0.isAnalyzed = true
            $0.before = [("ben", .change(.update, 9, from: 1, model: "Site", ["name": "m"]))]
        },
    ]

    private static let traceless: [LateCopy] = [
        LateCopy("a refused update", .manual, [code(8, "A")], [.refused]) {
            $0.before = [("ben", .creation(8, model: "Site", ["name": "n"]))]
            $0.after = [("ben", code(9, "B"))]
        },
        LateCopy(
            "an update without effect", .manual, [.change(.update, 1, from: 1, ["title": "old"])],
            [.accepted]),
        LateCopy(
            "a second deletion", .manual, [.change(.delete, 1, from: 1, [:])], [.accepted]
        ) {
            $0.before = [("ben", .change(.delete, 1, from: 1, [:]))]
            $0.after = [
                ("carl", stars), ("carl", .change(.resolve, 1, from: 3, ["stars": 5])),
            ]
        },
    ]

    private static func code(_ number: Int, _ code: String) -> ChangeMessage {
        .change(.update, number, from: 1, model: "Site", ["code": .string(code)])
    }
}

/// A store with an engine, and three users with every right. Each has one device.
struct CopiedYard: Sendable {
    private let bench: StoreBench
    let engine: Engine
    let now = Instant(milliseconds: 1000)

    init(_ kind: StoreKind, _ mode: ConflictMode, analyzed: Bool = false) async throws {
        bench = try await kind.open()
        let definition = try yard(mode, analyzed: analyzed)
        let deployed = try await bench.store.deploy(to: "test") { _ in
            .success(.test(definition.fingerprint))
        }
        engine = Engine(
            rules: Rules(definition), formerly: [], environment: try deployed.get().state,
            store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }))
        try await push(
            [
                .creation(9, model: "Site", ["name": "n", "code": "A"]),
                .creation(1, ["title": "old", "site": .string(Self.guid(9))]),
            ], by: "anna")
    }

    /// The device has never pulled.
    @discardableResult
    func push(
        _ changes: [ChangeMessage], by login: String, acknowledging others: [ChangeMessage] = []
    ) async throws -> [OutcomeMessage] {
        let request = SyncRequest(changes: changes, acknowledged: others.map(\.id))
        return try await sync(request, by: login).outcomes
    }

    /// The device has pulled everything, whatever the bases of the changes are.
    func pushUpToDate(_ changes: [ChangeMessage], by login: String) async throws {
        let cursor = try await sync(SyncRequest(), by: login).cursor
        _ = try await sync(SyncRequest(cursor: cursor, changes: changes), by: login)
    }

    func acknowledge(_ changes: [ChangeMessage], by login: String) async throws {
        _ = try await sync(SyncRequest(acknowledged: changes.map(\.id)), by: login)
    }

    private func sync(_ request: SyncRequest, by login: String) async throws -> SyncResponse {
        let asker = Asker(
            login: login, group: "chiefs", role: Role(group: "chiefs", deviceCategory: "mobile"))
        let state = try #require(try await bench.store.environment(named: "test"))
        let caller = Caller(
            asker: asker, deviceIdentifier: "phone", isAdmin: false,
            moment: EnvironmentMoment(
                deployment: state.deployment, sequence: state.sequence, purgeHorizon: 0))
        return try await engine.sync(request, from: caller, at: now)
    }

    /// Users edit every record that is not deleted, one after the other.
    func editEverything() async throws {
        for login in ["anna", "ben"] {
            for record in try await state().records.values where !record.isDeleted {
                let field = record.model == "Task" ? "title" : "name"
                try await pushUpToDate(
                    [
                        ChangeMessage(
                            id: "\(login)-edits-\(record.guid)", action: .update,
                            model: record.model, guid: record.guid, base: record.revision,
                            fields: [field: .string("newer, by \(login)")])
                    ], by: login)
            }
        }
    }

    /// Every record with its history.
    func state() async throws -> YardState {
        let page = try await bench.store.page(in: engine.environment)
        let guids = page.records.map(\.guid)
        let facts = try await bench.store.facts(
            in: engine.environment, device: DeviceKey(login: "reader", deviceIdentifier: "desk"),
            guids: guids, bases: Dictionary(uniqueKeysWithValues: guids.map { ($0, 0) }))
        return YardState(
            records: facts.records, history: facts.history, conflicts: page.conflicts)
    }

    func record(_ number: Int) async throws -> StoredRecord? {
        try await state().records[Self.guid(number)]
    }

    static func guid(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }
}

struct YardState: Hashable, Sendable {
    let records: [String: StoredRecord]
    let history: [String: [HistoryEntry]]
    let conflicts: [String: [StoredConflict]]
}

extension ChangeMessage {
    fileprivate static func creation(
        _ number: Int, model: String = "Task", _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        change(.create, number, model: model, fields)
    }

    fileprivate static func change(
        _ action: Action, _ number: Int, from base: Int64? = nil, model: String = "Task",
        _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        ChangeMessage(
            id: "\(action)-\(number)-\(base ?? 0)", action: action, model: model,
            guid: CopiedYard.guid(number), base: base, fields: fields)
    }
}
