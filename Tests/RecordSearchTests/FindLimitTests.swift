import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

/// Answers stay within the limits, or are errors, however much is stored.
@Suite struct FindLimitTests {
    /// Six things of "a" and six of "b", half of each in box 101, with codes.
    private func bench(_ change: (inout Limits) -> Void) async throws -> TestBench {
        var limits = Limits()
        change(&limits)
        let bench = try await TestBench(Documents.things, limits: limits)
        _ = try await bench.person("a").push(create(101, model: "Box", ["name": "left"]))
        for number in 1...12 {
            let fields: [String: JSONValue] = [
                "name": "0123456789", "code": .string("c\(number)"), "secret": "s",
                "box": number.isMultiple(of: 4) ? .string(guid(101)) : .null,
            ]
            _ = try await bench.person(number.isMultiple(of: 2) ? "a" : "b")
                .push(create(number, model: "Thing", fields))
        }
        return bench
    }

    @Test func sortingOrCountingBeyondLimitIsRefused() async throws {
        for most in [11, 12] {
            let a = try await bench { $0.filteredRecords = most }.person("a")
            for (sort, counts) in [("name", false), ("", true), ("name", true)] {
                guard most < 12 else {
                    _ = try await a.find(sort: sort, counts: counts)
                    continue
                }
                await #expect(throws: SyncError.find(.tooMuchToScan(max: 11))) {
                    try await a.find(sort: sort, counts: counts)
                }
            }
        }
    }

    /// The texts have ten bytes each, and there are twelve.
    @Test(arguments: [(#"{"like": ["name", "%x%"]}"#, 1), (#"{"like": ["name", "%x%"]}"#, 2)])
    func searchedTextsAreLimited(filter: String, times: Int) async throws {
        let condition = Array(repeating: filter, count: times).joined(separator: ",")
        let filter = #"{"not": {"or": [\#(condition)]}}"#
        for most in [120 * times, 120 * times + 1] {
            let a = try await bench { $0.searchedBytes = most }.person("a")
            guard most == 120 * times else {
                #expect(try await a.find(filter, counts: true).count == 12)
                continue
            }
            await #expect(throws: SyncError.find(.tooMuchToScan(max: 100_000))) {
                try await a.find(filter, counts: true)
            }
        }
        let a = try await bench { $0.searchedBytes = 10 * times }.person("a")
        let page = try await a.find(filter)
        #expect(page.records.count == 1)
        #expect(page.more)
    }

    /// They have more than 300 bytes together, and each has fewer.
    @Test func visibleFieldsOfScannedRecordsAreLimited() async throws {
        let a = try await bench { ($0.filteredBytes, $0.scannedBytes) = (300, 300) }.person("a")
        for (sort, counts) in [("name", false), ("", true)] {
            await #expect(throws: SyncError.find(.tooMuchToScan(max: 100_000))) {
                try await a.find(sort: sort, counts: counts)
            }
        }
        let page = try await a.find()
        #expect((1..<12).contains(page.records.count))
        #expect(page.more)
        #expect(try await a.numbers(sort: "").sorted() == Array(1...12))
    }

    /// By guid, by a unique value, by a relation, and by a field that only owners may read.
    @Test(arguments: [
        (#"{"in": ["$guid", ["\#(guid(3))", "\#(guid(4))"]]}"#, 2, [3, 4]),
        (#"{"eq": ["code", "c7"]}"#, 1, [7]),
        (#"{"in": ["code", ["c7", "c8", "none"]]}"#, 2, [7, 8]),
        (#"{"eq": ["box", "\#(guid(101))"]}"#, 3, [4, 8, 12]),
        (#"{"eq": ["box.$guid", "\#(guid(101))"]}"#, 3, [4, 8, 12]),
        (#"{"and": [{"eq": ["name", "0123456789"]}, {"eq": ["code", "c7"]}]}"#, 1, [7]),
        (#"{"and": [{"eq": ["box", "\#(guid(101))"]}, {"eq": ["code", "c8"]}]}"#, 1, [8]),
        (#"{"or": [{"eq": ["code", "c7"]}, {"eq": ["$guid", "\#(guid(7))"]}]}"#, 1, [7]),
        (#"{"or": [{"eq": ["code", "c7"]}, {"eq": ["$guid", "\#(guid(6))"]}]}"#, 2, [6, 7]),
        (#"{"not": {"null": "secret"}}"#, 6, [2, 4, 6, 8, 10, 12]),
        (#"{"and": [{"eq": ["name", "x"]}, {"prefix": ["secret", "s"]}]}"#, 6, []),
    ])
    func narrowingConditionsKeepSearchWithinLimit(
        filter: String, looks: Int, numbers: [Int]
    ) async throws {
        let a = try await bench { $0.filteredRecords = looks }.person("a")
        #expect(try await a.numbers(filter) == numbers)
        guard looks > 1 else { return }
        let less = try await bench { $0.filteredRecords = looks - 1 }.person("a")
        await #expect(throws: SyncError.find(.tooMuchToScan(max: looks - 1))) {
            try await less.numbers(filter)
        }
    }

    @Test(arguments: [
        #"{"not": {"eq": ["code", "c7"]}}"#, #"{"ne": ["code", "c7"]}"#,
        #"{"or": [{"eq": ["code", "c7"]}, {"eq": ["name", "x"]}]}"#,
        #"{"eq": ["box.name", "left"]}"#, #"{"prefix": ["code", "c7"]}"#,
    ])
    func otherConditionsDoNotNarrowSearch(filter: String) async throws {
        let a = try await bench { $0.filteredRecords = 11 }.person("a")
        await #expect(throws: SyncError.find(.tooMuchToScan(max: 11))) {
            try await a.numbers(filter)
        }
    }

    /// Results and counts are the same whether the search starts from the many links to a box or
    /// from the few visible things.
    @Test func manyLinksOfOthersAreNoneOfOnesOwn() async throws {
        var limits = Limits()
        limits.filteredRecords = 2
        for level in ["OWN", "ALL"] {
            let bench = try await TestBench(
                Documents.things { _ in
                    Documents.recordCredentials(users: "OWN", guests: level)
                } fields: { _, _ in
                    Documents.fieldCredentials(read: "ALL")
                }, limits: limits)
            let (a, b) = (bench.person("a"), bench.person("b"))
            _ = try await b.push(create(5000, model: "Box", [:]))
            let box = JSONValue.string(guid(5000))
            for start in [10, 1010] {
                _ = try await b.sync(
                    (start..<start + 600).map { create($0, model: "Thing", ["box": box]) })
            }
            _ = try await a.push(
                create(1, model: "Thing", ["box": box]), create(2, model: "Thing", [:]),
                create(3, model: "Thing", ["box": box]))
            let isInBox = #"{"eq": ["box", "\#(guid(5000))"]}"#
            #expect(try await a.numbers(isInBox) == [1, 3])
            let isA = #"{"and": [\#(isInBox), {"eq": ["$owner", "a"]}]}"#
            let guest = bench.person("a", group: "guests", device: "2")
            if level == "OWN" {
                #expect(try await guest.numbers(isA) == [1, 3])
            } else {
                await #expect(throws: SyncError.find(.tooMuchToScan(max: 2))) {
                    try await guest.numbers(isA)
                }
            }
        }
    }

    /// A filter that cannot match does not scan.
    @Test func searchThatCannotFindAnythingCostsNothing() async throws {
        var limits = Limits()
        limits.filteredRecords = 0
        let bench = try await TestBench(
            Documents.things { _ in
                Documents.recordCredentials(users: "ALL", guests: "NONE")
            } fields: { _, field in
                Documents.fieldCredentials(read: field == "name" ? "NONE" : "ALL")
            }, limits: limits)
        _ = try await bench.person("a").push(create(1, model: "Thing", ["name": "t"]))
        let nothing = FindResponse(records: [], more: false, cursor: nil, count: 0)
        let a = bench.person("a")
        #expect(try await a.find(#"{"eq": ["name", "t"]}"#, counts: true) == nothing)
        await #expect(throws: SyncError.find(.tooMuchToScan(max: 0))) {
            try await a.find(#"{"null": "name"}"#, counts: true)
        }
        let guest = bench.person("g", group: "guests")
        #expect(try await guest.find(counts: true) == nothing)
    }

    /// Without an order, an answer scans a limited number of records and returns a cursor.
    @Test(arguments: 1...5)
    func walkEndsInTimeAndGoesOnFromThere(most: Int) async throws {
        let a = try await bench { limits in
            limits.scannedRecords = most
            limits.filteredRecords = 2
        }.person("a")
        for (filter, numbers) in [
            (nil, [2, 4, 6, 8, 10, 12, 1, 3, 5, 7, 9, 11]),
            (#"{"in": ["code", ["c1", "c2", "c12", "c9"]]}"#, [2, 12, 1, 9]),
            (#"{"like": ["code", "c_2"]}"#, [12]), (#"{"eq": ["name", "x"]}"#, []),
            (#"{"not": {"null": "box"}}"#, [4, 8, 12]),
        ] as [(String?, [Int])] {
            #expect(try await a.numbers(filter, sort: "") == numbers, "\(filter ?? "")")
        }
        let first = try await a.find(#"{"eq": ["name", "x"]}"#)
        #expect(first.records.isEmpty && first.more && first.cursor != nil)
    }

    /// A record is never cut: a page has at least one record, and ends with the one that reaches
    /// the limit.
    @Test func pageEndsWhenItHasSoManyBytes() async throws {
        for (bytes, records) in [(1, 1...1), (600, 2...11), (100_000, 12...12)] {
            let a = try await bench { $0.pageBytes = bytes }.person("a")
            for sort in ["", "-code"] {
                let page = try await a.find(sort: sort)
                #expect(records.contains(page.records.count), "\(page.records.count)")
                #expect(page.more == (page.records.count < 12))
                #expect(Set(try await a.numbers(sort: sort)) == Set(1...12))
            }
        }
    }

    @Test(arguments: [0, -1, 1001])
    func limitIsWithinItsRange(limit: Int) async throws {
        let a = try await TestBench(Documents.things).person("a")
        await #expect(throws: SyncError.limitOutOfRange(given: limit, max: 1000)) {
            try await a.find(limit: limit)
        }
    }

    @Test func pageHasDefaultSize() async throws {
        let a = try await bench { $0.defaultPageRecords = 4 }.person("a")
        #expect(try await a.find().records.count == 4)
        #expect(try await a.find(sort: "name").records.count == 4)
    }
}
