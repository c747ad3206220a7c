import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import TestKit
import Testing

/// The engine serves wires whose clients know times and opaque ids, but neither cursors nor
/// revisions.
@Suite("Stamps, deleted records and opaque ids")
struct ForeignWireTests {
    // MARK: - Stamps

    /// Two changes in one millisecond, and one after the clock went back.
    @Test(arguments: stores) func stampsAscendWithCommits(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        try await desk.create(1, at: 10)
        try await desk.create(2, at: 10)
        try await desk.create(3, at: 5)
        try await desk.update(1, from: 1, at: 20)
        let found = try await desk.found(.byChange)
        #expect(found.map { noteNumber($0.record.guid) } == [2, 3, 1])
        #expect(found.map(\.changedAt.milliseconds) == [11, 12, 20])
        #expect(found.map(\.createdAt.milliseconds) == [11, 12, 10])
    }

    /// A batch is one transaction, but each of its records has a stamp of its own.
    @Test(arguments: stores) func stampsOfBatchDiffer(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        try await desk.push((1...5).map { .creation($0) }, at: 10)
        #expect(
            try await desk.found(.byChange).map(\.changedAt.milliseconds) == Array(10...14))
    }

    /// Every bound, with every size of a page.
    @Test(arguments: stores) func bound(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        for number in 1...6 { try await desk.create(number, at: Int64(number * 10)) }
        try await desk.update(3, from: 1, at: 70)
        let order: [(number: Int, stamp: Int64)] = [
            (1, 10), (2, 20), (4, 40), (5, 50), (6, 60), (3, 70),
        ]
        for bound in stride(from: Int64(5), through: 75, by: 5) {
            for (comparison, wanted) in [
                (QueryFilter.Comparison.gt, order.filter { $0.stamp > bound }),
                (.ge, order.filter { $0.stamp >= bound }),
            ] {
                for limit in 1...7 {
                    var query = FindQuery.byChange
                    query.filter = .changedAt(comparison, bound)
                    query.limit = limit
                    let found = try await desk.found(query)
                    try #require(
                        found.map { noteNumber($0.record.guid) } == wanted.map(\.number),
                        "\(comparison) \(bound), \(limit) a page")
                }
            }
        }
    }

    /// A guest may see one of many records: pages have few records, or none, but go on.
    @Test(arguments: stores) func scanOfInvisibleRecordsIsLimited(_ kind: StoreKind) async throws {
        var limits = Limits()
        limits.scannedRecords = 40
        let desk = try await FindDesk(kind, limits: limits)
        try await desk.push((1...100).map { .creation($0) }, at: 1)
        try await desk.push([.creation(200)], by: .gil, at: 2)
        var query = FindQuery.byChange
        let first = try await desk.engine.find(query, of: "Note", for: desk.caller(.gil))
        #expect(first.found.isEmpty && first.hasMore)
        // 40, 40 and 21 records, whatever the batches are.
        var (pages, last) = (1, first)
        while let cursor = last.cursor {
            query.cursor = cursor
            last = try await desk.engine.find(query, of: "Note", for: desk.caller(.gil))
            pages += 1
        }
        #expect(pages == 3)
        query.cursor = nil
        #expect(try await desk.numbers(query, for: .gil) == [200])
        query.filter = .changedAt(.gt, 100)
        #expect(try await desk.numbers(query, for: .gil) == [200])
    }

    /// To sort or to count, all of them would have to be read.
    @Test(arguments: stores) func countOfTooManyRecordsIsRefused(_ kind: StoreKind) async throws {
        var limits = Limits()
        limits.filteredRecords = 40
        let desk = try await FindDesk(kind, limits: limits)
        try await desk.push((1...100).map { .creation($0) }, at: 1)
        var query = FindQuery.byChange
        query.counts = true
        await #expect(throws: SyncError.find(.tooMuchToScan(max: 40))) {
            try await desk.found(query, for: .gil)
        }
    }

    // MARK: - Deleted records

    @Test(arguments: stores) func deletedRecordIsFoundOnRequest(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        for number in 1...3 { try await desk.create(number, at: Int64(number)) }
        try await desk.delete(2, from: 1, at: 9)
        #expect(try await desk.numbers(FindQuery()) == [1, 3])
        var query = FindQuery()
        query.includesDeleted = true
        let found = try await desk.found(query)
        #expect(found.map { noteNumber($0.record.guid) } == [1, 3, 2])
        #expect(found.map(\.record.isDeleted) == [false, false, true])
        #expect(found.last?.record.fields == nil)
        #expect(found.last?.changedAt.milliseconds == 9)
        query.filter = .compare(.eq, operand: "$deleted", with: .value(.boolean(true)))
        #expect(try await desk.numbers(query) == [2])
    }

    /// A sync by time filters by a value: the deletion must arrive with the same filter.
    @Test(arguments: stores) func deletedRecordMatchesByItsLastValues(
        _ kind: StoreKind
    ) async throws {
        let desk = try await FindDesk(kind)
        for number in 1...3 { try await desk.create(number, at: Int64(number)) }
        try await desk.delete(2, from: 1, at: 9)
        var query = FindQuery()
        query.includesDeleted = true
        for (operand, value, wanted) in [
            ("code", "2", [2]), ("code", "3", [3]), ("$guid", noteGuid(2), [2]), ("code", "4", []),
        ] {
            query.filter = .compare(.eq, operand: operand, with: .value(.string(value)))
            #expect(try await desk.numbers(query) == wanted, "\(operand)")
        }
    }

    /// Guests see no notes of users, deleted or not. Users match no text of others.
    @Test(arguments: stores) func deletedRecordKeepsItsRights(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        try await desk.create(1, at: 1)
        try await desk.delete(1, from: 1, at: 2)
        var query = FindQuery()
        query.includesDeleted = true
        #expect(try await desk.numbers(query, for: .gil) == [])
        #expect(try await desk.numbers(query, for: .bob) == [1])
        query.filter = .compare(.eq, operand: "text", with: .value(.string("text 1")))
        #expect(try await desk.numbers(query, for: .bob) == [])
        #expect(try await desk.numbers(query, for: .ann) == [1])
    }

    @Test(arguments: stores) func relatedRecordHasNoStamps(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        for operand in ["parent.$changedAt", "parent.$createdAt", "parent.$deleted", "parent.$id"] {
            var query = FindQuery()
            query.filter = .null(operand: operand)
            await #expect(throws: SyncError.self, "\(operand)") { try await desk.found(query) }
        }
    }

    // MARK: - Opaque ids

    @Test(arguments: stores) func opaqueIDStaysBesideGuid(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let ids = [
            "Movie 007", "\u{E9}", "e\u{301}", String(repeating: "x", count: 255),
            String(repeating: "日", count: 255), String(repeating: "\u{1F41D}", count: 127),
        ]
        let records = try await desk.engine.recordIDs(of: ids, in: "Note").map { try #require($0) }
        #expect(Set(records.map(\.guid)).count == ids.count)
        try await desk.push(
            records.enumerated().map { .creation($0.offset, $0.element) }, at: 1)
        for (id, record) in zip(ids, records) {
            var query = FindQuery()
            query.filter = .compare(.eq, operand: "$id", with: .value(.string(id)))
            query.includesNames = true
            let found = try await desk.found(query)
            #expect(found.map(\.id) == [id] && found.map(\.record.guid) == [record.guid])
            query.includesNames = false
            query.filter = .compare(.eq, operand: "$guid", with: .value(.string(record.guid)))
            #expect(try await desk.found(query).map(\.id) == [record.guid])
        }
        var sorted = FindQuery(sort: [FindQuery.SortKey("$id")])
        sorted.includesNames = true
        #expect(
            try await desk.found(sorted).map(\.id)
                == ids.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) })
    }

    /// A guid that a record of another model has is an opaque id here.
    @Test(arguments: stores) func guidIsItsOwnID(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let found = try await desk.engine.recordIDs(
            of: [noteGuid(1), "", String(repeating: "日", count: 256)], in: "Note")
        #expect(found.map { $0?.guid } == [noteGuid(1), nil, nil])
        #expect(found.first??.name == nil)
        try await desk.create(1, at: 1)
        let other = try await desk.engine.recordIDs(of: [noteGuid(1)], in: "Page").first
        #expect(other??.name == noteGuid(1) && other??.guid != noteGuid(1))
    }

    @Test(arguments: stores) func guidOfAnotherIDIsRefused(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let forged = [
            Change.creation(1, guid: noteGuid(1), name: "a"),
            .creation(2, guid: RecordNaming.test.guid(of: "b", in: "Note") ?? "", name: "c"),
        ]
        let outcomes = try await desk.outcomes(of: forged, at: 1)
        #expect(outcomes.allSatisfy { $0.causes == [Cause(.change(.illegalGuid))] })
        #expect(outcomes.count == 2)
    }

    /// A purged record leaves its guid behind, so its id is taken for good.
    @Test(arguments: stores) func purgedIDIsNotFree(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let record = try #require(
            try await desk.engine.recordIDs(of: ["a"], in: "Note").first ?? nil)
        try await desk.push([.creation(1, record)], at: 1)
        try await desk.push([.deletion(of: record.guid, from: 1)], at: 2)
        #expect(try await desk.engine.sweep(before: Instant(milliseconds: 9)).records == 1)
        let outcomes = try await desk.outcomes(of: [.creation(3, record)], at: 3)
        #expect(outcomes.map(\.causes) == [[Cause(.change(.guidTaken))]])
    }

    /// A guid that is its own id stands for none.
    @Test(arguments: stores) func idOfGuidStays(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let records = try await desk.engine.recordIDs(of: ["a", "b", "none"], in: "Note")
            .compactMap { $0 }
        try await desk.push(
            [.creation(1, records[0]), .creation(2, records[1]), .creation(3)], at: 1)
        let wanted = [records[0].guid: "a", records[1].guid: "b"]
        let guids = records.map(\.guid) + [noteGuid(3), records[0].guid]
        #expect(try await desk.engine.names(of: guids) == wanted)
        try await desk.push([.deletion(of: records[0].guid, from: 1)], at: 2)
        #expect(try await desk.engine.names(of: guids) == wanted)
        #expect(try await desk.engine.sweep(before: Instant(milliseconds: 9)).records == 1)
        #expect(try await desk.engine.names(of: guids) == wanted)
    }

    // MARK: - Outcomes

    /// A repeated change gets its first outcome; after that has expired, from the history.
    @Test(arguments: stores) func outcomeExpires(_ kind: StoreKind) async throws {
        let desk = try await FindDesk(kind)
        let change = Change.creation(1)
        let first = try await desk.outcomes(of: [change], at: 1000, keptFor: 10)
        #expect(try await desk.engine.sweepOutcomes(at: Instant(milliseconds: 11_000)) == 0)
        #expect(try await desk.outcomes(of: [change], at: 9000) == first)
        #expect(try await desk.engine.sweepOutcomes(at: Instant(milliseconds: 11_001)) == 1)
        #expect(try await desk.outcomes(of: [change], at: 12_000) == first)
    }
}

// MARK: - Calls

extension FindDesk {
    fileprivate func create(_ number: Int, at time: Int64) async throws {
        try await push([.creation(number)], at: time)
    }

    fileprivate func update(_ number: Int, from base: Int64, at time: Int64) async throws {
        let change = Change(
            id: "update-\(number)", action: .update, model: "Note", guid: noteGuid(number),
            baseRevision: base, fields: ["code": .value(.text("new \(number)"))])
        try await push([change], at: time)
    }

    fileprivate func delete(_ number: Int, from base: Int64, at time: Int64) async throws {
        try await push([.deletion(of: noteGuid(number), from: base)], at: time)
    }

    /// Pushes changes, which must be accepted.
    fileprivate func push(
        _ changes: [Change], by person: FindPerson = .ann, at time: Int64
    ) async throws {
        let outcomes = try await outcomes(of: changes, by: person, at: time)
        try #require(outcomes.allSatisfy { $0.kind == .accepted }, "\(outcomes)")
    }

    fileprivate func outcomes(
        of changes: [Change], by person: FindPerson = .ann, at time: Int64,
        keptFor seconds: Int64? = nil
    ) async throws -> [Outcome] {
        try await engine.sync(
            PushPull(changes: changes, outcomeSeconds: seconds), encoder: NoEncoder(),
            from: caller(person), at: Instant(milliseconds: time)
        ).outcomes
    }

    /// All pages.
    fileprivate func found(
        _ query: FindQuery, for person: FindPerson = .ann
    ) async throws -> [FoundView] {
        var (query, found) = (query, [FoundView]())
        repeat {
            let page = try await engine.find(query, of: "Note", for: caller(person))
            found += page.found
            query.cursor = page.cursor
        } while query.cursor != nil
        return found
    }

    fileprivate func numbers(
        _ query: FindQuery, for person: FindPerson = .ann
    ) async throws -> [Int] {
        try await found(query, for: person).map { noteNumber($0.record.guid) }
    }
}

private func noteNumber(_ guid: String) -> Int { 1000 - (Int(guid.suffix(12)) ?? 0) }

private struct NoEncoder: RecordEncoder {
    let name = "none"

    func write(_ records: ShownRecords, to writer: inout JSONWriter) {}
}

extension FindQuery {
    fileprivate static let byChange = FindQuery(sort: [SortKey("$changedAt")])
}

extension QueryFilter {
    fileprivate static func changedAt(_ comparison: Comparison, _ bound: Int64) -> QueryFilter {
        .compare(comparison, operand: "$changedAt", with: .value(.integer(bound)))
    }
}

extension Change {
    fileprivate static func creation(
        _ number: Int, guid: String? = nil, name: String? = nil
    ) -> Change {
        Change(
            id: "create-\(number)", action: .create, model: "Note", guid: guid ?? noteGuid(number),
            baseRevision: nil,
            fields: [
                "code": .value(.text("\(number)")), "text": .value(.text("text \(number)")),
            ], name: name)
    }

    fileprivate static func creation(_ number: Int, _ record: RecordID) -> Change {
        creation(number, guid: record.guid, name: record.name)
    }

    fileprivate static func deletion(of guid: String, from base: Int64) -> Change {
        Change(
            id: "delete-\(guid)", action: .delete, model: "Note", guid: guid, baseRevision: base,
            fields: [:])
    }
}
