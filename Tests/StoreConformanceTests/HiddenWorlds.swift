import AccessPolicy
import ChangeRules
import DefinitionModel
import Foundation
import JSON
import NativeCalls
import RecordSearch
import SyncProtocol
import TestKit
import Testing
import WholeRecordSync

@testable import SyncEngine

/// Two databases with the histories of `HiddenHistories`. The reader asks both the same, and
/// every answer must be the same.
struct HiddenWorlds {
    /// An answer by which the reader can tell the worlds apart.
    struct Difference: Error {
        let asked: String
        let answers: [String]
    }

    private let benches: [StoreBench]
    private let engines: [Engine]
    private var histories: HiddenHistories
    private var milliseconds: Int64 = 0
    private var steps = 0
    /// The cursor of the reader's phone.
    private var cursor: String?
    /// The number of answers that were compared, by what was asked.
    private(set) var compared: [String: Int] = [:]

    init(_ kind: StoreKind, seed: UInt64, isBlind: Bool = false) async throws {
        benches = [try await kind.open(), try await kind.open()]
        histories = HiddenHistories(seed: seed, isBlind: isBlind)
        var limits = Limits()
        limits.pageBytes = histories.random.one(of: [1, 150, 400, 1500, 4 << 20]) ?? 400
        limits.scannedRecords = histories.random.one(of: [7, 10_000, 10_000]) ?? 7
        let definition = histories.secrecy.definition
        var engines: [Engine] = []
        for bench in benches {
            let deployed = try await bench.store.deploy(to: "test") { _ in
                .success(.test(definition.fingerprint))
            }
            engines.append(
                Engine(
                    rules: Rules(definition), formerly: [],
                    environment: try deployed.get().state, store: bench.store,
                    seal: CursorSeal(
                        seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }),
                    limits: limits))
        }
        self.engines = engines
    }

    /// Throws `Difference`.
    mutating func go(steps: Int) async throws {
        for _ in 0..<6 { try await keep() }
        for _ in 0..<steps {
            switch histories.random.number(in: 0..<12) {
            case 0...3: try await keep()
            case 4...6: try await sync()
            case 7: try await find()
            case 8: try await read()
            case 9: try await listConflicts()
            case 10: try await resolve()
            case _: try await exchange()
            }
        }
        try await sync()
        try await exchange()
    }

    private func moment(of world: Int) async throws -> EnvironmentMoment {
        let state = try #require(try await benches[world].store.environment(named: "test"))
        return EnvironmentMoment(
            deployment: state.deployment, sequence: state.sequence, purgeHorizon: 0)
    }

    private func reader(of world: Int, on device: String = "phone") async throws -> Caller {
        Caller(
            asker: Asker(login: "reader", group: "readers", role: RandomSecrecy.readers),
            deviceIdentifier: device, isAdmin: false, moment: try await moment(of: world))
    }

    private var now: Instant { Instant(milliseconds: milliseconds) }

    /// Asks in both worlds and compares the answers, refusals included.
    private mutating func same<Value: Equatable & Sendable>(
        _ asked: String, _ ask: (Int) async throws -> Value
    ) async throws -> Value? {
        var answers: [Result<Value, SyncError>] = []
        for world in engines.indices {
            do {
                answers.append(.success(try await ask(world)))
            } catch let error as SyncError {
                answers.append(.failure(error))
            }
        }
        guard answers[0] == answers[1] else {
            throw Difference(asked: asked, answers: answers.map { "\($0)" })
        }
        compared[asked, default: 0] += 1
        return try? answers[0].get()
    }
}

// MARK: - Changes

extension HiddenWorlds {
    /// A change by one of two devices of a keeper, who has seen everything.
    private mutating func keep() async throws {
        milliseconds += 1
        try await look()
        let step = histories.nextOfKeeper()
        let kinship = histories.items[step.item].kinship
        let asker = Asker(
            operator: "keeper",
            creatingFor: Ownership(
                owner: kinship.isOwner ? "reader" : "mate",
                group: kinship.isInGroup ? "readers" : "keepers"))
        let device = histories.random.flip() ? "desk" : "shed"
        var outcomes: [OutcomeMessage] = []
        for (world, engine) in engines.enumerated() {
            let caller = Caller(
                asker: asker, deviceIdentifier: device, isAdmin: true,
                moment: try await moment(of: world))
            let pushed = try await engine.push(
                [Change(step.changes[world], by: engine.rules.book)], seen: caller.sequence,
                from: caller, at: now)
            outcomes.append(OutcomeMessage(try #require(pushed.outcomes.first)))
        }
        try #require(
            outcomes[0].outcome == outcomes[1].outcome
                && outcomes[0].revision == outcomes[1].revision,
            "the worlds have different histories")
    }

    /// Reads the states of the records in the first world.
    private mutating func look() async throws {
        let guids = histories.items.map(\.guids[0])
        let records = try await benches[0].store.search(
            in: engines[0].environment, readingNames: false
        ) { try $0.records(guids).compactMap { $0?.record } }
        histories.note(
            Dictionary(
                uniqueKeysWithValues: records.map { ($0.guid, ($0.revision, $0.isDeleted)) }))
    }

    /// A push and a pull, from the last cursor or from the start, page by page.
    private mutating func sync() async throws {
        milliseconds += 1
        let count = histories.random.number(in: 0...3)
        var request = SyncRequest(
            cursor: histories.random.number(in: 0..<5) == 0 ? nil : cursor,
            changes: (0..<count).map { _ in histories.nextOfReader() })
        var hasMore = true
        while hasMore {
            request.limit = histories.random.flip() ? nil : histories.random.number(in: 1...6)
            let (asked, time) = (request, now)
            let (engines, readers) = (engines, [try await reader(of: 0), try await reader(of: 1)])
            let answer = try await same("sync") { world in
                try await engines[world].answer(asked, from: readers[world], at: time).text
            }
            guard let answer else { return }
            let message = try SyncResponse(parsing: answer)
            for (change, outcome) in zip(asked.changes, message.outcomes)
            where change.action == .create && outcome.outcome == .accepted {
                histories.add(change.guid, of: change.model)
            }
            cursor = message.cursor
            request = SyncRequest(
                cursor: cursor, acknowledged: message.outcomes.map(\.id))
            hasMore = message.more
        }
    }

    /// A sync of a client that sends whole records. It sends none that exists in one world only.
    private mutating func exchange() async throws {
        milliseconds += 1
        steps += 1
        let known = histories.items.filter { !$0.isGhost }
        var records: [String: FullRecord] = [:]
        for _ in 0..<histories.random.number(in: 0...2) {
            let change = histories.nextOfReader()
            guard let item = histories.random.one(of: known) else { continue }
            records[item.guids[0]] = FullRecord(
                id: change.id, model: item.model, guid: item.guids[0],
                isDeleted: histories.random.number(in: 0..<6) == 0,
                resolves: histories.random.number(in: 0..<4) == 0,
                fields: engines[0].rules.book.values(change.fields, of: item.model))
        }
        let sent = records.sorted { $0.key < $1.key }.map(\.value)
        let tickets = zip(engines, benches).map { TicketEngine(engine: $0, store: $1.store) }
        let before = [try await reader(of: 0, on: "old"), try await reader(of: 1, on: "old")]
        let time = now
        _ = try await same("upload") { world in
            let pushed = try await tickets[world].push(sent, from: before[world], at: time)
            return PushedRecords(
                outcomes: pushed.outcomes, refusals: pushed.refusals, unkept: pushed.unkept)
        }
        try await deliver("ticket-\(steps)", by: tickets)
    }

    private mutating func deliver(_ text: String, by tickets: [TicketEngine]) async throws {
        let after = [try await reader(of: 0, on: "old"), try await reader(of: 1, on: "old")]
        let startsOver = histories.random.number(in: 0..<6) == 0
        let isConfirmed = histories.random.flip()
        _ = try await same("download") { world in
            try await tickets[world].open(
                text, startsOver: startsOver, rejection: nil, for: after[world])
            var pages: [DeliveredRecords] = []
            try await tickets[world].deliver(text, to: after[world]) { page in
                pages.append(DeliveredRecords(records: page.records, dropped: page.dropped))
            }
            if isConfirmed { try await tickets[world].confirm(text, by: after[world]) }
            return pages
        }
    }
}

private struct PushedRecords: Hashable {
    let outcomes: [Outcome]
    let refusals: [RefusedInput]
    let unkept: [RefusedInput]
}

private struct DeliveredRecords: Hashable {
    let records: [DeliveredRecord]
    let dropped: [RecordKey]
}

// MARK: - Queries

extension HiddenWorlds {
    private mutating func find() async throws {
        let model = histories.random.one(of: RandomSecrecy.models) ?? ""
        var query = FindQuery()
        query.sort =
            histories.random.one(of: [
                [], [.init("a")], [.init("b", descends: true)], [.init("up.c")],
            ]) ?? []
        query.includesDeleted = histories.random.flip()
        query.counts = histories.random.number(in: 0..<4) == 0
        let guid = histories.anyGuid(of: histories.random.one(of: histories.items))
        let text =
            histories.random.one(of: [
                "", #"{"prefix":["a","1"]}"#, #"{"null":"c"}"#, #"{"null":"up"}"#,
                #"{"prefix":["up.b","1"]}"#, #"{"eq":["up","\#(guid)"]}"#,
            ]) ?? ""
        if !text.isEmpty {
            let filter = try FindRequest.Filter(text)
            (query.filter, query.filterText) = (filter.condition, filter.text)
        }
        let engines = engines
        repeat {
            query.limit = histories.random.number(in: 1...6)
            let asked = query
            let readers = [try await reader(of: 0), try await reader(of: 1)]
            let page = try await same("find") { world in
                try await engines[world].find(asked, of: model, for: readers[world])
            }
            query.cursor = page?.cursor
        } while query.cursor != nil
    }

    /// A record and its history, page by page.
    private mutating func read() async throws {
        guard let item = histories.random.one(of: histories.items) else { return }
        let guid = histories.anyGuid(of: item)
        let engines = engines
        let readers = [try await reader(of: 0), try await reader(of: 1)]
        _ = try await same("record") { world in
            try await engines[world].record(
                guid, of: item.model, RecordRequest(), for: readers[world])
        }
        var cursor: String?
        repeat {
            let (before, limit) = (cursor, histories.random.number(in: 1...4))
            let page = try await same("history") { world in
                try await engines[world].history(
                    of: guid, model: item.model, cursor: before, limit: limit,
                    for: readers[world])
            }
            cursor = page?.cursor
        } while cursor != nil
    }

    private mutating func listConflicts() async throws {
        var cursor: String?
        let engines = engines
        repeat {
            let (before, limit) = (cursor, histories.random.number(in: 1...4))
            let readers = [try await reader(of: 0), try await reader(of: 1)]
            let list = try await same("conflicts") { world in
                try await engines[world].conflicts(
                    ofModel: nil, cursor: before, limit: limit, for: readers[world])
            }
            cursor = list?.cursor
        } while cursor != nil
    }

    private mutating func resolve() async throws {
        milliseconds += 1
        steps += 1
        let item = histories.random.one(of: histories.items)
        let guids = histories.random.flip() ? [histories.anyGuid(of: item)] : nil
        let rule = ResolutionRule(
            id: "rule-\(steps)", model: item?.model, guids: guids,
            choice: histories.random.flip() ? .mine : .theirs,
            fields: histories.random.flip() ? ["a": .mine, "b": .theirs] : [:])
        let (engines, time) = (engines, now)
        let readers = [try await reader(of: 0), try await reader(of: 1)]
        _ = try await same("resolution") { world in
            try await engines[world].resolve(rule, from: readers[world], at: time)
        }
    }
}

extension SyncAnswer {
    fileprivate var text: String {
        get throws { String(decoding: try json(), as: UTF8.self) }
    }
}

extension SyncResponse {
    fileprivate init(parsing text: String) throws {
        self = try JSONDecoder().decode(SyncResponse.self, from: Data(text.utf8))
    }
}
