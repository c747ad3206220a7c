import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncProtocol
import Synchronization
import Testing

@testable import RecordSearch
@testable import SyncEngine

/// A search reads few texts at a time, however large the records are, and counts what it keeps.
@Suite struct SearchMemoryTests {
    private static let textBytes = 1_000_000
    /// A batch with the record that reaches the limit.
    private static let mostBytes = BatchSize.maxBytes + textBytes + (64 << 10)

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
    private func person(limits: Limits = Limits()) async throws -> Person {
        let person = try await TestBench(Self.document, limits: limits).person("a")
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
        #expect((Self.textBytes..<Self.mostBytes).contains(sorted.mostRead))
        let joined = try await count {
            _ = try await person.find(#"{"like": ["box.text", "%b%"]}"#)
        }
        #expect((Self.textBytes..<Self.mostBytes).contains(joined.mostRead))
        let walked = try await count { _ = try await person.find() }
        #expect((Self.textBytes..<Self.mostBytes).contains(walked.mostRead))
        #expect((Self.textBytes..<2 * Self.mostBytes).contains(walked.memory.most))
        var query = FindQuery(limit: 100)
        query.isByCreation = true
        let created = try await count { [query] in
            _ = try await person.bench.engine.find(
                query, of: "Thing", for: try await person.caller())
        }
        #expect((Self.textBytes..<Self.mostBytes).contains(created.mostRead))
        for counted in [sorted, joined, walked, created] { #expect(counted.memory.taken == 0) }
    }

    /// A sort reads larger batches where no record is built of a text.
    @Test func presentRecordsAreSortedByTheirTexts() async throws {
        let person = try await TestBench(Self.document).person("a")
        _ = try await person.sync(
            (1...40).map { create($0, model: "Thing", ["text": "a"]) }, limit: 1)
        let isPresent = QueryFilter.compare(
            .eq, operand: "$deleted", with: .value(.boolean(false)))
        let isA = QueryFilter.compare(.eq, operand: "text", with: .value("a"))
        var reads: [Int] = []
        for filter in [
            nil, isPresent, .and([isPresent]), .and([isPresent, isA]),
        ] as [QueryFilter?] {
            let counted = CountedReads(most: .max)
            try await RequestWatch.$current.withValue(counted) {
                let query = FindQuery(filter: filter, sort: [FindQuery.SortKey("text")], limit: 1)
                let page = try await person.bench.engine.find(
                    query, of: "Thing", for: try await person.caller())
                #expect(page.records.map { number(of: $0.guid) } == [1])
            }
            reads.append(counted.counted.count)
        }
        #expect(Set(reads[..<3]).count == 1 && reads[3] > reads[0], "\(reads)")
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

    /// However many small things are in a large box. Values that a search does not use are not
    /// kept, so more boxes are known than a batch has bytes.
    @Test(
        arguments: [
            (#"{"like": ["box.text", "a%"]}"#, 1), (#"{"eq": ["box.$owner", "a"]}"#, 6),
        ])
    func largeRelatedRecordIsReadOnce(filter: String, boxes: Int) async throws {
        let person = try await TestBench(Self.document).person("a")
        let text = JSONValue.string(String(repeating: "a", count: Self.textBytes))
        for box in 1...boxes {
            _ = try await person.push(create(1000 + box, model: "Box", ["text": text]))
        }
        let things = (0..<50).map { number in
            create(1 + number, model: "Thing", ["box": .string(guid(1001 + number % boxes))])
        }
        _ = try await person.sync(things, limit: 1)
        let reads = try await count {
            let found = try await person.find(filter, limit: 50)
            #expect(found.records.count == 50)
        }
        #expect(reads.allRead < boxes * Self.textBytes + (256 << 10))
    }

    /// Every other thing is in a box that all of them share, and the rest each in their own. The
    /// search forgets the shared box now and then.
    @Test func knownRelatedRecordSplitsNoBatch() async throws {
        let person = try await TestBench(Self.document).person("a")
        let (bytes, things) = (512 << 10, 40)
        let text = JSONValue.string(String(repeating: "a", count: bytes))
        let boxes = (0..<things).map { $0.isMultiple(of: 2) ? 1000 : 1000 + $0 }
        for box in Set(boxes) {
            _ = try await person.push(create(box, model: "Box", ["text": text]))
        }
        _ = try await person.sync(
            boxes.enumerated().map { number, box in
                create(1 + number, model: "Thing", ["box": .string(guid(box))])
            }, limit: 1)
        let reads = try await count {
            let found = try await person.find(#"{"like": ["box.text", "a%"]}"#, limit: things)
            #expect(found.records.count == things)
        }
        #expect(reads.allRead < (Set(boxes).count + 6) * bytes)
    }

    @Test func unreadFieldsCountFewBytes() async throws {
        var limits = Limits()
        limits.filteredBytes = 100 << 10
        let person = try await person(limits: limits)
        #expect(try await person.find(limit: 1, counts: true).count == 20)
        await #expect(throws: SyncError.find(.tooMuchToScan(max: limits.filteredRecords))) {
            try await person.find(sort: "text", limit: 1)
        }
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

    /// The third read is one too many.
    @Test func searchEndsWhenNobodyWaits() async throws {
        let person = try await person()
        let reads = CountedReads(most: 2)
        await #expect(throws: SyncError.store(.cancelled)) {
            try await RequestWatch.$current.withValue(reads) {
                _ = try await person.find(sort: "$guid")
            }
        }
        #expect(reads.counted.count == 3)
    }

    private func count(
        _ body: () async throws -> Void
    ) async throws -> (memory: CountedMemory.Counted, mostRead: Int, allRead: Int) {
        let (memory, reads) = (CountedMemory(room: .max), CountedReads(most: .max))
        try await RequestWatch.$current.withValue(reads) {
            try await RequestMemory.$current.withValue(memory) { try await body() }
        }
        return (memory.counted, reads.counted.mostBytes, reads.counted.allBytes)
    }
}

private let everyGuid = (1...5).map { "\"\(guid($0))\"" }.joined(separator: ",")

/// The memory of a search tells nothing of hidden records and values: the same ones are refused.
@Suite struct HiddenSearchMemoryTests {
    private static let document = Documents.document(
        .overwrite,
        models: """
            <model name="Thing">
              <fields>
                \(Documents.field("text", "TEXT", read: "GROUP", options: length))
                \(Documents.field("secret", "TEXT", read: "OWN", options: length))
              </fields>
              \(Documents.credentials(read: "GROUP"))
            </model>
            """)
    private static let length = "<option name=\"maxLength\">1000000</option>"

    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }

    /// Three things of the asker with 100,000 bytes each, one of the same group with a secret, and
    /// one of another group, both of which have so many hidden bytes.
    private func asker(hidden bytes: Int) async throws -> Person {
        let bench = try await TestBench(Self.document)
        let asker = bench.person("b")
        for number in 1...3 {
            _ = try await asker.push(create(number, model: "Thing", ["text": text(100_000)]))
        }
        let secret = bytes == 0 ? JSONValue.null : text(bytes)
        _ = try await bench.person("c").push(
            create(4, model: "Thing", ["text": "x", "secret": secret]))
        _ = try await bench.person("a", group: "guests").push(
            create(5, model: "Thing", ["text": secret]))
        return asker
    }

    @Test(
        arguments: [
            (#"{"in": ["$guid", [\#(everyGuid)]]}"#, ""),
            (nil, ""), (nil, "$guid"), (nil, "-text"), (#"{"prefix": ["text", "a"]}"#, ""),
            (#"{"not": {"null": "text"}}"#, "secret"),
        ] as [(String?, String)])
    func refusalTellsNothing(filter: String?, sort: String) async throws {
        let (one, other) = (try await asker(hidden: 0), try await asker(hidden: 300_000))
        var refusals = 0
        for room in stride(from: 0, through: 400_000, by: 20_000) {
            var results: [[Int]?] = []
            for person in [one, other] {
                let memory = CountedMemory(room: room)
                results.append(
                    try await RequestMemory.$current.withValue(memory) {
                        do {
                            return try await person.find(filter, sort: sort).records
                                .map { number(of: $0.guid) }
                        } catch SyncError.store(.memoryFull(isOwn: true)) {
                            return nil
                        }
                    })
            }
            #expect(results[0] == results[1], "\(room)")
            if results[0] == nil { refusals += 1 }
        }
        #expect((1..<20).contains(refusals))
    }

    /// A page of stored texts keeps those of hidden fields for a few records only.
    @Test func hiddenTextsLeavePage() async throws {
        let bench = try await TestBench(Self.document)
        for number in 1...12 {
            _ = try await bench.person("c").push(
                create(number, model: "Thing", ["text": "x", "secret": text(1_000_000)]))
        }
        var query = FindQuery(limit: 100)
        query.keepsText = true
        let found = try await bench.engine.find(
            query, of: "Thing", for: try await bench.person("b").caller()
        ).found
        #expect(found.count == 12)
        #expect(found.reduce(0) { $0 + ($1.stored?.storedBytes ?? 0) } < 6 << 20)
    }
}

private final class CountedReads: SearchWatch {
    private let most: Int
    private let state = Mutex((count: 0, mostBytes: 0, allBytes: 0))

    init(most: Int) { self.most = most }

    var counted: (count: Int, mostBytes: Int, allBytes: Int) { state.withLock { $0 } }

    func goOn(afterReading bytes: Int) throws(StoreError) {
        let count = state.withLock { read in
            read = (read.count + 1, max(read.mostBytes, bytes), read.allBytes + bytes)
            return read.count
        }
        if count > most { throw .cancelled }
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
