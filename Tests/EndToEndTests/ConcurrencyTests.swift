import JSON
import SyncProtocol
import Testing

/// Eight clients change one field of one record concurrently, 25 times each, so most changes are
/// stale.
@Suite(.serialized, .timeLimit(.minutes(5))) struct ConcurrencyTests {
    private static let clients = 8
    private static let updates = 25
    private let model = "ConflictsEntity"

    @Test(arguments: ["MANUAL", "MERGE"])
    func everyChangeIsAcceptedOrKeptAsConflict(mode: String) async throws {
        let result = try await race(in: mode)
        let settled = result.accepted.count + result.conflicted.count + result.refused.count
        #expect(settled == Self.clients * Self.updates)
        #expect(!result.conflicted.isEmpty)
        let record = result.record
        #expect(record.revision == Int64(1 + settled - result.refused.count))
        let kept = (record.conflicts ?? []).map { $0.mine.fields["title"] }
        #expect(kept.count == result.conflicted.count)
        #expect(Set(kept) == Set(result.conflicted.map { result.titles[$0.id] }))
        #expect(Set(record.conflicts?.map(\.revision) ?? []).count == kept.count)
        // The number of open conflicts of a record is limited; further changes are refused.
        for refused in result.refused {
            #expect(refused.causes?.map(\.code) == ["tooManyConflicts"])
            #expect(refused.causes?.first?.argument == "\(kept.count)")
        }
    }

    @Test func withOverwriteEveryChangeIsAcceptedAndTheLastStands() async throws {
        let result = try await race(in: "OVERWRITE")
        #expect(result.accepted.count == Self.clients * Self.updates)
        #expect(result.record.revision == Int64(1 + Self.clients * Self.updates))
        #expect(result.accepted.contains { $0.overwrote != nil })
        for outcome in result.accepted {
            #expect(outcome.overwrote.map { $0 + 1 == outcome.revision } ?? true)
        }
    }

    @Test func withDiscardEveryChangeIsAcceptedOrDiscarded() async throws {
        let result = try await race(in: "DISCARD")
        #expect(result.accepted.count + result.discarded.count == Self.clients * Self.updates)
        #expect(!result.discarded.isEmpty)
        #expect(result.record.revision == Int64(1 + result.accepted.count))
        #expect(!result.record.conflicted)
    }

    private struct RaceResult {
        let outcomes: [OutcomeMessage]
        /// By change id.
        let titles: [String: JSONValue]
        let record: RecordMessage

        var accepted: [OutcomeMessage] { outcomes.filter { $0.outcome == .accepted } }
        var conflicted: [OutcomeMessage] { outcomes.filter { $0.outcome == .conflicted } }
        var refused: [OutcomeMessage] { outcomes.filter { $0.outcome == .refused } }
        var discarded: [OutcomeMessage] { outcomes.filter { $0.outcome == .discarded } }
    }

    /// Every client starts from revision 1, so all but one of the first changes are stale.
    private func race(in mode: String) async throws -> RaceResult {
        let server = try await RunningServer(definition: "Conflicts") {
            // The original language does not have this mode.
            let ours = #"xmlns:w="urn:waggle:definition" w:conflictMode="MERGE""#
            return try $0.changing(
                #"conflictMode="MANUAL""#, to: mode == "MERGE" ? ours : #"conflictMode="\#(mode)""#)
        }
        let guid = fresh()
        try await server.client("a").push(.create(guid, of: model, ["title": "0"]))
        let runs = try await withThrowingTaskGroup { group in
            for number in 0..<Self.clients {
                let client = try server.client(number.isMultiple(of: 2) ? "a" : "b")
                group.addTask { try await run(number, guid, as: client) }
            }
            return try await group.reduce(into: [(ChangeMessage, OutcomeMessage)]()) { $0 += $1 }
        }
        let result = RaceResult(
            outcomes: runs.map(\.1),
            titles: Dictionary(
                uniqueKeysWithValues: runs.map { ($0.0.id, $0.0.fields["title"] ?? .null) }),
            record: try await server.client("b").record(guid))
        let revisions = result.accepted.compactMap(\.revision)
        #expect(revisions.count == result.accepted.count)
        #expect(Set(revisions).count == revisions.count, "no accepted revision is given twice")
        let last = result.accepted.max { ($0.revision ?? 0) < ($1.revision ?? 0) }
        #expect(result.record.fields?["title"] == last.flatMap { result.titles[$0.id] })
        return result
    }

    private func run(
        _ number: Int, _ guid: String, as client: Client
    ) async throws -> [(ChangeMessage, OutcomeMessage)] {
        var done: [(ChangeMessage, OutcomeMessage)] = []
        var base: Int64 = 1
        var cursor: String?
        for round in 0..<Self.updates {
            let change = ChangeMessage.update(
                guid, of: model, from: base, ["title": .string("\(number).\(round)")])
            let answer = try await client.sync([change], cursor: cursor)
            done.append((change, try #require(answer.outcomes.first)))
            cursor = answer.cursor
            base = answer.records.last { $0.guid == guid }?.revision ?? base
        }
        return done
    }
}
