import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing

/// The second definition has the same digest.
@Suite("Attributes of Waggle's namespace distinguish versions")
struct VersionTests {
    private static let old = Documents.notes()
    private static let new = Documents.notes(.overwrite)

    @Test func digestIsTheSameAndFingerprintIsNot() throws {
        let (old, new) = (try checked(Self.old), try checked(Self.new))
        #expect(old.digest == new.digest && old.fingerprint != new.fingerprint)
    }

    @Test func unchangedRecordsAreNotSentAgain() async throws {
        let bench = try await TestBench(Self.old)
        let a = bench.person("a")
        let cursor = try await a.sync([create(1, ["title": "t"])]).cursor
        let next = try await bench.deploying(Self.new)
        let answer = try await a.sync(with: next, cursor: cursor)
        #expect(!answer.resync && answer.records.isEmpty && answer.dropped.isEmpty)
    }

    /// Another definition is deployed between the identification of the caller and the decision.
    @Test func engineOfReplacedVersionNeitherWritesNorReads() async throws {
        let bench = try await TestBench(Self.old)
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let next = try await bench.deploying(Self.new)
        for changes in [[], [create(2, ["title": "t"])]] {
            await #expect(throws: SyncError.definitionChanged) { try await a.sync(changes) }
        }
        await #expect(throws: SyncError.definitionChanged) {
            try await a.sync(acknowledging: ["create-1"])
        }
        #expect(try await a.sync(with: next).records.map(\.guid) == [guid(1)])
        let known = try await a.sync([create(1, ["title": "t"])], with: next).outcomes
        #expect(known.map(\.outcome) == [.accepted], "nothing was forgotten")
    }
}
