import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing

@Suite("Nothing brings back what was erased")
struct ErasedRecordTests {
    /// A record of "a" that "b" has, erased meanwhile.
    private func bench(_ mode: ConflictMode) async throws -> TestBench {
        let bench = try await TestBench(Documents.notes(mode))
        _ = try await bench.person("a").push(create(1, ["title": "canary", "score": 2]))
        _ = try await bench.engine.erase(
            [guid(1)], of: "a", by: "operator", at: Instant(milliseconds: 1))
        return bench
    }

    /// The device does not know of it yet: the same edit of a deleted record would bring it back,
    /// or be in conflict with the deletion.
    @Test(arguments: ConflictMode.allCases, [false, true])
    func staleEditIsRefused(mode: ConflictMode, isRedacted: Bool) async throws {
        let bench = try await bench(mode)
        if isRedacted {
            let left = try await bench.store.redact([guid(1)], in: bench.engine.environment)
            #expect(left.isEmpty)
        }
        let b = bench.person("b")
        let answer = try await b.sync([
            update(1, id: "u", base: 1, ["title": "canary", "score": 3]),
            delete(1, id: "d", base: 1),
        ])
        #expect(answer.outcomes.map(\.outcome) == [.refused, .accepted])
        #expect(answer.outcomes[0].causes?.map(\.code) == ["recordDeleted"])
        #expect(answer.records.isEmpty)
    }

    /// There is nothing to restore, and the record would lack its required values.
    @Test(arguments: [Int64(1), 2]) func restorationIsRefused(base: Int64) async throws {
        let bench = try await bench(.overwrite)
        let change = Change(
            id: "r", action: .restore, model: "Note", guid: guid(1), baseRevision: base, fields: [:]
        )
        let outcomes = try await bench.engine.push(
            [change], keepingOutcomesFor: 60, by: try await bench.person("b").caller(),
            at: Instant(milliseconds: 2)
        ).outcomes
        #expect(outcomes.map(\.kind) == [.refused])
        #expect(outcomes[0].causes.map(\.reason) == [.change(.recordDeleted)])
    }
}
