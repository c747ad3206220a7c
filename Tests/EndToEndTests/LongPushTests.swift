import JSON
import SyncProtocol
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct LongPushTests {
    private let model = "ConflictsEntity"

    /// A push of 1,000 stale changes of a record with 3,001 revisions, beside other pushes.
    @Test func longHistoryDecidesLikeShortOne() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        let (a, b) = (try server.client("a"), try server.client("b"))
        let guid = fresh()
        try await a.push(.create(guid, of: model, ["title": "0"]))
        for push in 0..<3 {
            let base = Int64(1 + 1000 * push)
            let outcomes = try await a.sync(
                (0..<1000).map {
                    .update(
                        guid, of: model, from: $0 == 0 ? base : nil,
                        ["title": .string("\(base + $0)")])
                }, limit: 1
            ).outcomes
            #expect(outcomes.allSatisfy { $0.outcome == .accepted })
        }
        async let pushed = b.sync(
            (0..<1000).map { _ in .update(guid, of: model, from: 1, ["title": "b"]) }, limit: 1)
        let beside = try await a.push(.create(fresh(), of: model, ["title": "beside"]))
        #expect(beside.outcome == .accepted)
        let outcomes = try await pushed.outcomes
        #expect(outcomes.filter { $0.outcome == .conflicted }.count == 100)
        #expect(Set(outcomes.compactMap { $0.causes?.first?.code }) == ["tooManyConflicts"])
        let conflict = try await a.record(guid).conflicts?.first
        #expect(conflict?.base.fields == ["title": "0"])
        #expect(conflict?.theirs.fields == ["title": "3000"])
    }

    /// Records of 1 MB each; changes of all of them read too much, those of one half do not.
    @Test func pushThatReadsTooMuchIsRefusedByName() async throws {
        let server = try await RunningServer(definition: "Conflicts") {
            try $0.allowingLongTitles()
        }
        let a = try server.client("a")
        let guids = (0..<20).map { _ in fresh() }
        let text = String(repeating: "x", count: 1_000_000)
        for guid in guids {
            _ = try await a.sync(
                [.create(guid, of: model, ["title": .string(text)])], limit: 1)
        }
        let changes = guids.map { ChangeMessage.update($0, of: model, from: 1, ["title": "y"]) }
        let answer = try await a.ask(SyncRequest(limit: 1, changes: changes))
        #expect(answer.status == 413)
        #expect(try answer.error().code == "tooMuchToRead")
        for half in [changes.prefix(10), changes.suffix(10)] {
            let outcomes = try await a.sync(Array(half), limit: 1).outcomes
            #expect(outcomes.map(\.outcome) == Array(repeating: .accepted, count: 10))
        }
    }
}
