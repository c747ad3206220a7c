import DefinitionModel
import EngineKit
import JSON
import SyncProtocol
import Synchronization
import Testing

@testable import RecordSearch
@testable import SyncEngine

/// A search has few texts in memory at a time, and counts them, however large the records are.
@Suite struct SearchMemoryTests {
    private static let textBytes = 1_000_000
    /// A batch and what a page keeps, each with the record that reaches the limit.
    private static let mostBytes = 2 * (BatchSize.maxBytes + textBytes) + (64 << 10)

    private static let document = Documents.document(
        .overwrite,
        models: ["Thing", "Box"].map { model in
            """
            <model name="\(model)">
              <fields>
                \(Documents.field(
                    "text", "TEXT", read: "ALL",
                    options: "<option name=\"maxLength\">\(textBytes)</option>"))
                \(Documents.field(
                    "box", "BELONGS_TO", read: "ALL",
                    options: "<option name=\"model\">Box</option>"))
              </fields>
              \(Documents.credentials(read: "ALL"))
            </model>
            """
        }.joined())

    /// Twenty things of a million bytes each. Ten are each in a box of the same size.
    private func person() async throws -> Person {
        let person = try await TestBench(Self.document).person("a")
        let text = JSONValue.string(String(repeating: "a", count: Self.textBytes))
        for number in 1...20 {
            let isInBox = number <= 10
            let box: JSONValue = isInBox ? .string(guid(100 + number)) : .null
            let thing = create(number, model: "Thing", ["text": text, "box": box])
            let changes =
                isInBox ? [create(100 + number, model: "Box", ["text": text]), thing] : [thing]
            _ = try await person.sync(changes, limit: 1)
        }
        return person
    }

    @Test func batchesEndByBytes() async throws {
        let person = try await person()
        let sorted = try await count { _ = try await person.find(sort: "-$guid", limit: 3) }
        #expect((Self.textBytes..<Self.mostBytes).contains(sorted.most))
        let joined = try await count {
            _ = try await person.find(#"{"like": ["box.text", "%b%"]}"#)
        }
        #expect((Self.textBytes..<Self.mostBytes).contains(joined.most))
        let walked = try await count { _ = try await person.find() }
        #expect((Self.textBytes..<Self.mostBytes).contains(walked.most))
        var query = FindQuery(limit: 100)
        query.isByCreation = true
        let created = try await count { [query] in
            _ = try await person.bench.engine.find(
                query, of: "Thing", for: try await person.caller())
        }
        #expect((Self.textBytes..<Self.mostBytes).contains(created.most))
        for counted in [sorted, joined, walked, created] { #expect(counted.taken == 0) }
    }

    @Test func everythingIsFoundInSmallBatches() async throws {
        let person = try await person()
        var (found, cursor) = ([Int](), String?.none)
        repeat {
            let page = try await person.find(sort: "$guid", limit: 7, cursor: cursor)
            found += page.records.compactMap { record in
                (1...20).first { guid($0) == record.guid }
            }
            cursor = page.cursor
        } while cursor != nil
        #expect(found == Array(1...20))
        let inBox = try await person.find(#"{"like": ["box.text", "a%"]}"#, fields: ["box"])
        #expect(inBox.records.count == 10)
    }

    @Test func searchWithoutRoomIsRefused() async throws {
        let person = try await person()
        let memory = CountedMemory(room: Self.textBytes)
        await #expect(throws: SyncError.store(.memoryFull(isOwn: true))) {
            try await RequestMemory.$current.withValue(memory) {
                _ = try await person.find(sort: "$guid")
            }
        }
        #expect(memory.counted.taken == 0)
    }

    private func count(
        _ body: () async throws -> Void
    ) async throws -> CountedMemory.Counted {
        let memory = CountedMemory(room: .max)
        try await RequestMemory.$current.withValue(memory) { try await body() }
        return memory.counted
    }
}

private final class CountedMemory: ReadMemory {
    struct Counted {
        var taken = 0
        var most = 0
    }

    private let room: Int
    private let state = Mutex(Counted())

    init(room: Int) { self.room = room }

    var counted: Counted { state.withLock { $0 } }
    var mostBytes: Int { .max }

    func take(_ bytes: Int) throws(StoreError) {
        let isTaken = state.withLock { counted in
            guard counted.taken + bytes <= room else { return false }
            counted.taken += bytes
            counted.most = max(counted.most, counted.taken)
            return true
        }
        guard isTaken else { throw .memoryFull(isOwn: true) }
    }

    func give(_ bytes: Int) { state.withLock { $0.taken -= bytes } }
}
