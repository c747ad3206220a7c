import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

/// The answer to a creation was lost, so the client repeats it with later changes. In between,
/// another user changed the record.
@Suite("Changes that follow a repeated creation are based on it")
struct RepeatedCreationTests {
    private static let creation = create(1, ["title": "old"])
    private static let followers = [
        update(1, id: "2", base: nil, ["score": 3]), delete(1, id: "2", base: nil),
    ]

    private func meeting(
        _ mode: ConflictMode, _ follower: ChangeMessage
    ) async throws -> (TestBench, OutcomeMessage) {
        let bench = try await TestBench(Documents.notes(mode))
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(Self.creation)
        _ = try await b.sync([update(1, id: "1", base: 1, ["score": 2])], at: 5000)
        return (bench, try await a.push(Self.creation, follower)[1])
    }

    @Test(arguments: followers)
    func repeatedCreationConflictsWithAllSides(follower: ChangeMessage) async throws {
        let (bench, outcome) = try await meeting(.manual, follower)
        #expect(outcome.outcome == .conflicted)
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(!record.deleted && record.fields?["score"] == 2)
        let conflict = try #require(record.conflicts?.first)
        #expect(conflict.baseRevision == 1 && conflict.base.fields == ["score": 1])
        #expect(conflict.theirs.fields == ["score": 2])
        #expect(conflict.theirs.login == "b" && conflict.theirs.at == 5000)
    }

    @Test(arguments: followers)
    func repeatedCreationIsDiscardedInDiscardMode(follower: ChangeMessage) async throws {
        let (bench, outcome) = try await meeting(.discard, follower)
        #expect(outcome.outcome == .discarded)
        #expect(try await bench.person("a").record(guid(1))?.fields?["score"] == 2)
    }

    @Test(arguments: followers)
    func withOverwriteItNamesOverwrittenRevision(follower: ChangeMessage) async throws {
        let (_, outcome) = try await meeting(.overwrite, follower)
        #expect(outcome.outcome == .accepted && outcome.overwrote == 2)
    }
}
