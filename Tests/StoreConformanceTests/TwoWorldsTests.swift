import ChangeRules
import DefinitionModel
import Foundation
import JSON
import NativeCalls
import RecordSearch
import SyncEngine
import SyncProtocol
import Synchronization
import TestKit
import Testing

@Suite("Hidden values change no byte of any answer", .timeLimit(.minutes(10)))
struct TwoWorldsTests {
    /// Pulls from the start, pulls of what is new, also after a change of the reader's group, finds
    /// and lists of conflicts, page by page. The limits are low enough to be reached.
    @Test(arguments: stores, seeds(12))
    func getTheSameBytes(_ kind: StoreKind, seed: UInt64) async throws {
        var worlds = try await TwoWorlds(kind, seed: seed)
        var cursor: String?
        for _ in 0..<3 {
            try await worlds.change(times: 15)
            let group = worlds.flip() ? "users" : "guests"
            cursor = try await pull(from: cursor, in: group, &worlds)
            _ = try await pull(from: nil, in: group, &worlds)
            for _ in 0..<8 { try await find(in: group, &worlds) }
            try await listConflicts(in: group, &worlds)
        }
    }

    /// Otherwise the comparison would tell nothing.
    @Test(arguments: stores) func pagesEndAtDifferentPlaces(_ kind: StoreKind) async throws {
        var ends: Set<Int> = []
        for seed in UInt64(0)..<8 {
            var worlds = try await TwoWorlds(kind, seed: seed)
            try await worlds.change(times: 20)
            let reader = try await worlds.reader(of: 0, in: "users")
            let answer = try await worlds.engines[0].sync(SyncRequest(), from: reader, at: .zero)
            if answer.more { ends.insert(answer.records.count) }
        }
        #expect(ends.count > 2, "\(ends)")
    }

    /// Returns the cursor at the end.
    private func pull(
        from start: String?, in group: String, _ worlds: inout TwoWorlds
    ) async throws -> String? {
        var cursor = start
        var hasMore = true
        while hasMore {
            let limit = worlds.flip() ? nil : worlds.number(in: 1...6)
            var answers: [(json: String, cursor: String, hasMore: Bool)] = []
            for (world, engine) in worlds.engines.enumerated() {
                let answer = try await engine.answer(
                    SyncRequest(cursor: cursor, limit: limit),
                    from: worlds.reader(of: world, in: group), at: .zero)
                answers.append(
                    (
                        String(decoding: try answer.json(), as: UTF8.self), answer.cursor,
                        answer.hasMore
                    ))
            }
            try #require(answers[0].json == answers[1].json)
            (cursor, hasMore) = (answers[0].cursor, answers[0].hasMore)
        }
        return cursor
    }

    private func find(in group: String, _ worlds: inout TwoWorlds) async throws {
        var query = FindQuery()
        query.sort = try worlds.one(of: [[], [.init("a")], [.init("b", descends: true)]])
        query.includesDeleted = worlds.flip()
        query.counts = worlds.number(in: 1...4) == 1
        let text = try worlds.one(of: ["", #"{"prefix":["a","1"]}"#, #"{"null":"c"}"#])
        if !text.isEmpty {
            let filter = try FindRequest.Filter(text)
            (query.filter, query.filterText) = (filter.condition, filter.text)
        }
        let model = try worlds.one(of: RandomReadRights.models)
        repeat {
            query.limit = worlds.number(in: 1...6)
            let room = worlds.flip() ? worlds.number(in: 1...1500) : .max
            var answers: [Result<FindPage, SyncError>] = []
            for (world, engine) in worlds.engines.enumerated() {
                let reader = try await worlds.reader(of: world, in: group)
                let asked = query
                answers.append(
                    await RequestMemory.$current.withValue(SmallMemory(room: room)) {
                        do throws(SyncError) {
                            return .success(try await engine.find(asked, of: model, for: reader))
                        } catch {
                            return .failure(error)
                        }
                    })
            }
            try #require(answers[0] == answers[1])
            query.cursor = nil
            if case .success(let page) = answers[0] { query.cursor = page.cursor }
        } while query.cursor != nil
    }

    private func listConflicts(in group: String, _ worlds: inout TwoWorlds) async throws {
        var cursor: String?
        repeat {
            let limit = worlds.number(in: 1...4)
            var answers: [ConflictsResponse] = []
            for (world, engine) in worlds.engines.enumerated() {
                answers.append(
                    try await engine.conflictMessages(
                        ofModel: nil, cursor: cursor, limit: limit,
                        for: worlds.reader(of: world, in: group)))
            }
            let texts = try answers.map {
                String(decoding: try JSONEncoder.sorted.encode($0), as: UTF8.self)
            }
            try #require(texts[0] == texts[1])
            cursor = answers[0].cursor
        } while cursor != nil
    }
}

/// A memory in which every byte counts.
private final class SmallMemory: ReadMemory {
    private let room: Int
    private let taken = Mutex(0)

    init(room: Int) { self.room = room }

    var mostBytes: Int { .max }
    var uncountedBytes: Int { 0 }

    func take(_ bytes: Int) throws(StoreError) {
        let isTaken = taken.withLock { taken in
            guard taken <= room - bytes else { return false }
            taken += bytes
            return true
        }
        guard isTaken else { throw .memoryFull(isOwn: true) }
    }

    func give(_ bytes: Int) { taken.withLock { $0 -= bytes } }
}

extension JSONEncoder {
    fileprivate static var sorted: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return encoder
    }
}

extension Instant {
    fileprivate static let zero = Instant(milliseconds: 0)
}
