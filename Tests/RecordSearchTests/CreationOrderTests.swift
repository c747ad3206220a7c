import ChangeRules
import EngineKit
import JSON
import SyncProtocol
import Testing

@testable import RecordSearch
@testable import SyncEngine

/// Records in the order of their creation, whoever owns them, and rows that are passed over.
@Suite struct CreationOrderTests {
    /// Thing `n` is the nth one, of each owner in turn. Its guid tells nothing of that.
    private func bench(
        _ count: Int, owners: Int, _ change: (inout Limits) -> Void = { _ in }
    ) async throws -> Person {
        var limits = Limits()
        change(&limits)
        let bench = try await TestBench(Documents.things, limits: limits)
        for number in 1...count {
            let fields: [String: JSONValue] = ["code": .string("c\(number)")]
            _ = try await bench.person("p\(number % owners)")
                .push(create(1000 - number, model: "Thing", fields))
        }
        return bench.person("p0")
    }

    /// The codes of all pages, and the number of rows that were passed over.
    private func codes(
        of query: FindQuery, for person: Person
    ) async throws -> (codes: [String], skipped: Int) {
        var (query, codes, skipped) = (query, [String](), 0)
        let skip = query.skip
        repeat {
            query.skip = skip - skipped
            let page = try await person.bench.engine.find(
                query, of: "Thing", for: try await person.caller())
            codes += page.records.compactMap { $0.fields?["code"]?.written }
            skipped += page.skipped
            query.cursor = page.cursor
        } while query.cursor != nil
        return (codes, skipped)
    }

    private static let all = (1...30).map { "c\($0)" }

    /// However few records may be read for a page or to sort.
    @Test(arguments: [1, 4, 7, 1000], [1, 3, 100])
    func pagesAreInOrderOfCreation(limit: Int, scanned: Int) async throws {
        let person = try await bench(30, owners: 4) {
            $0.scannedRecords = scanned
            $0.filteredRecords = 2
        }
        var query = FindQuery(limit: limit)
        query.isByCreation = true
        #expect(try await codes(of: query, for: person).codes == Self.all)
        query.filter = .not(.compare(.eq, operand: "code", with: .value("c9")))
        #expect(
            try await codes(of: query, for: person).codes == Self.all.filter { $0 != "c9" })
    }

    @Test(arguments: [0, 1, 13, 29, 30, 31], [true, false])
    func rowsArePassedOver(skip: Int, walks: Bool) async throws {
        let person = try await bench(30, owners: 4) { $0.scannedRecords = 5 }
        var query = FindQuery(limit: 4)
        query.skip = skip
        if walks {
            query.isByCreation = true
        } else {
            query.sort = [FindQuery.SortKey("$createdAt")]
        }
        let found = try await codes(of: query, for: person)
        #expect(found.codes == Array(Self.all.dropFirst(skip)))
        #expect(found.skipped == min(skip, 30))
    }

    /// Also with deleted records, and although one of them changes between two pages.
    @Test func deletedRecordsAreInOrderOfCreation() async throws {
        let person = try await bench(30, owners: 4)
        _ = try await person.push(delete(1000 - 8, id: "d", base: 1, model: "Thing"))
        var query = FindQuery(limit: 7)
        query.isByCreation = true
        query.includesDeleted = true
        var guids: [String] = []
        repeat {
            let page = try await person.bench.engine.find(
                query, of: "Thing", for: try await person.caller())
            guids += page.records.map(\.guid)
            query.cursor = page.cursor
            if guids.count == 7 {
                _ = try await person.push(
                    update(1000 - 4, id: "u", base: 1, model: "Thing", ["code": "new"]))
            }
        } while query.cursor != nil
        #expect(guids == (1...30).map { guid(1000 - $0) })
    }

    /// However few records there are, and however little of them may be sorted.
    @Test(arguments: [7, 40, 1000], [1, 100_000])
    func manyOwnersAreMerged(limit: Int, most: Int) async throws {
        let person = try await bench(210, owners: 102) {
            $0.filteredRecords = most
            $0.filteredBytes = 1
        }
        var query = FindQuery(limit: limit)
        query.isByCreation = true
        #expect(try await codes(of: query, for: person).codes == (1...210).map { "c\($0)" })
    }

    /// Records of more owners than are merged are sorted, if they are not too many to sort.
    @Test(arguments: [(102, true), (101, false)] as [(Int, Bool)])
    func tooManyOwnersAreSortedWithinLimit(most: Int, isFound: Bool) async throws {
        let person = try await bench(102, owners: 102) {
            $0.mergedOwners = 101
            $0.filteredRecords = most
        }
        var query = FindQuery(limit: 40)
        query.isByCreation = true
        guard isFound else {
            await #expect(throws: SyncError.find(.tooMuchToScan(max: most))) {
                try await codes(of: query, for: person)
            }
            return
        }
        #expect(try await codes(of: query, for: person).codes == (1...102).map { "c\($0)" })
    }
}

extension JSONValue {
    fileprivate var written: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
