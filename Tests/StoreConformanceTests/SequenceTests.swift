import SyncEngine
import TestKit
import Testing

@Suite("Sequences are in commit order")
struct SequenceTests {
    @Test(arguments: stores) func changedRecordMovesToTheEnd(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(
            WriteSet(records: [.test("a"), .test("b"), .test("c")]), in: environment)
        try await bench.store.write(
            WriteSet(records: [.test("a", revision: 2)]), in: environment)
        let page = try await bench.store.page(in: environment)
        #expect(page.records.map(\.guid) == ["b", "c", "a"])
        #expect(page.lastSequence == 4)
        #expect(
            try await bench.store.page(in: environment, after: 3).records.map(\.guid) == ["a"])
    }

    @Test(arguments: stores) func recordlessWritesTakeNoSequence(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await bench.store.write(WriteSet(records: [.test("g")]), in: environment)
        var writes = WriteSet()
        writes.history = [.test("g", revision: 1, kind: .discarded)]
        writes.outcomes = [StoredOutcome(changeID: "c", text: "{}")]
        try await bench.store.write(writes, in: environment)
        #expect(try await bench.store.environment(named: "test")?.sequence == 1)
    }

    @Test(arguments: stores) func environmentsCountForThemselves(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let one = try await bench.store.environment()
        let two = try await bench.store.environment("b")
        for environment in [one, two] {
            try await bench.store.write(
                WriteSet(records: [.test("a"), .test("b")]), in: environment)
        }
        for environment in [one, two] {
            let page = try await bench.store.page(in: environment)
            #expect(page.records.map(\.guid) == ["a", "b"] && page.lastSequence == 2)
        }
    }

    /// Writers race while a reader follows with its cursor: it must get every record once.
    @Test(arguments: stores) func followerMissesNothing(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let seen = try await withThrowingTaskGroup(of: [String].self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for number in 0..<25 {
                        try await bench.store.write(
                            WriteSet(records: [.test("\(writer)-\(number)")]), in: environment)
                    }
                    return []
                }
            }
            group.addTask {
                var seen: [String] = []
                var cursor: Int64 = 0
                while seen.count < 200 {
                    let page = try await bench.store.page(
                        in: environment, after: cursor, limit: 7)
                    seen += page.records.map(\.guid)
                    cursor = page.lastSequence
                    await Task.yield()
                }
                return seen
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(seen.count == 200 && Set(seen).count == 200)
    }
}
