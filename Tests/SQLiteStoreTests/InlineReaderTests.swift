import Dispatch
import Foundation
import GRDB
import SyncEngine
import Synchronization
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Small pages are read on the calling thread")
struct InlineReaderTests {
    /// Forty records with the sequences 1 to 40: every fourth is deleted, every tenth in conflict,
    /// and the 35th has a long text.
    private func filled() async throws -> (TestDatabase, EnvironmentID) {
        let test = try TestDatabase()
        let environment = try await test.environment()
        var writes = WriteSet()
        writes.records = (1...40).map { number in
            let text = String(repeating: "é", count: number == 35 ? 40_000 : 3)
            return .test(
                "\(number)", deleted: number % 4 == 0, conflicted: number % 10 == 0,
                fieldsText: #"{"x":"\#(text)"}"#)
        }
        writes.openedConflicts = [10, 20, 30, 40].map {
            StoredConflict(guid: "\($0)", revision: 1, text: "{}")
        }
        try await test.database.write(writes, in: environment)
        return (test, environment)
    }

    private func request(
        in environment: EnvironmentID, after sequence: Int64, limit: Int, maxScanned: Int = 1000,
        skipsDeleted: Bool = false
    ) -> PageRequest {
        PageRequest(
            environment: environment, afterSequence: sequence, limit: limit,
            maxScanned: maxScanned, maxBytes: 1 << 20, skipsDeleted: skipsDeleted, knownSequence: 0)
    }

    /// Reads with a connection of the pool.
    private func far(_ request: PageRequest, _ database: SQLiteDatabase) async throws -> Page {
        try await database.read { db in
            try scan(for: request, db).page(of: currentState(of: request.environment, db))
        }
    }

    @Test(arguments: [1, 5, 16, 17, 100], [false, true])
    func inlineReadEqualsPooledRead(limit: Int, skipsDeleted: Bool) async throws {
        let (test, environment) = try await filled()
        for sequence in Int64(0)...41 {
            let request = request(
                in: environment, after: sequence, limit: limit, skipsDeleted: skipsDeleted)
            let far = try await far(request, test.database)
            let inline = try test.database.inlineReader.page(request)
            #expect(inline == nil || inline == far, "after \(sequence)")
            let isCutShort = far.scanned > 16 || (sequence < 35 && far.lastSequence > 35)
            let isMoreThanRows = far.records.contains(where: \.isConflicted)
            #expect((inline == nil) == (isCutShort || isMoreThanRows), "after \(sequence)")
        }
    }

    private func create(
        _ guid: String, reading request: PageRequest, _ database: SQLiteDatabase
    ) async throws -> Page? {
        let need = ReadSet(
            environment: request.environment, device: .test, changeIDs: [], guids: [],
            baseRevisions: [:])
        let committed = try await database.commit(need, reading: request) { _ in
            []
        } deciding: { _ throws(StoreError) in
            (WriteSet(records: [.test(guid)]), ())
        }
        return committed.page
    }

    /// Including records that the transaction has just written.
    @Test(arguments: [1, 16, 17, 100])
    func pageReadWithCommitIsTheSame(limit: Int) async throws {
        let (test, environment) = try await filled()
        for number in Int64(41)...60 {
            let request = request(in: environment, after: 2 * number - 80, limit: limit)
            let page = try await create("\(number)", reading: request, test.database)
            let isLittle = limit <= 16 || number - request.afterSequence <= 16
            let inline = isLittle ? try test.database.inlineReader.page(request) : nil
            #expect(page == inline, "after \(request.afterSequence)")
            if limit == 1, number > 56 { #expect(inline != nil) }
        }
    }

    /// Neither the push nor other pushes in the same transaction are lost.
    @Test func commitSurvivesUnreadablePage() async throws {
        let (test, environment) = try await filled()
        try test.database.close()
        try damageTheLongText(of: test.path)
        let database = try SQLiteDatabase(path: test.path)
        let damaged = request(in: environment, after: 34, limit: 1)
        #expect(throws: DatabaseError.self) { try database.inlineReader.page(damaged) }
        #expect(try await create("41", reading: damaged, database) == nil)
        let whole = request(in: environment, after: 40, limit: 16)
        let page = try await create("42", reading: whole, database)
        #expect(page?.records.map(\.guid) == ["41", "42"])
        try database.close()
    }

    /// Corrupts the link from the first overflow page to the next one.
    private func damageTheLongText(of path: String) throws {
        var file = try Data(contentsOf: URL(filePath: path))
        let text = Data(String(repeating: "é", count: 2000).utf8)
        let found = try #require(file.firstRange(of: text))
        let pageBytes = 4096
        let start = found.lowerBound / pageBytes * pageBytes
        file.replaceSubrange(start..<start + 4, with: [0xFF, 0xFF, 0xFF, 0xFF])
        try file.write(to: URL(filePath: path))
    }

    /// Like a page that ends at its scan limit.
    @Test func pageMayEndAtItsScanLimit() async throws {
        let (test, environment) = try await filled()
        let request = request(in: environment, after: 0, limit: 9, maxScanned: 3)
        let page = try #require(try test.database.inlineReader.page(request))
        #expect(page.records.map(\.guid) == ["1", "2", "3"] && page.hasMore)
        #expect(page.lastSequence == 3)
    }

    /// The row does not contain the previous owner.
    @Test func recordsWithPreviousOwnerUsePool() async throws {
        let (test, environment) = try await filled()
        let given = StoredRecord(
            guid: "1", model: "Note", owner: "b", group: "users", revision: 2, isDeleted: false,
            isConflicted: false, fieldsText: "{}")
        try await test.database.write(WriteSet(records: [given]), in: environment)
        let request = request(in: environment, after: 40, limit: 1)
        #expect(try test.database.inlineReader.page(request) == nil)
        #expect(try await test.database.page(request).pasts.map(\.ownershipChanges.count) == [1])
    }

    @Test func readWithoutFreeConnectionUsesPool() async throws {
        let (test, environment) = try await filled()
        let request = request(in: environment, after: 0, limit: 1)
        let inline = test.database.inlineReader
        try taking(InlineReader.connectionCount - 1, of: inline) {
            let page = try inline.page(request)
            #expect(page != nil)
        }
        try taking(InlineReader.connectionCount, of: inline) {
            let page = try inline.page(request)
            #expect(page == nil)
        }
        #expect(try inline.page(request)?.records.map(\.guid) == ["1"])
    }

    private func taking(
        _ count: Int, of inline: InlineReader, _ body: () throws -> Void
    ) throws {
        guard count > 0 else { return try body() }
        let wasTaken: Bool? = try inline.withConnection { _ in
            try taking(count - 1, of: inline, body)
            return true
        }
        #expect(wasTaken == true)
    }

    /// The result arrives although all pooled readers are blocked until then.
    @Test func inlineReadWaitsForNoReader() async throws {
        let (test, environment) = try await filled()
        let readers = test.database.pool.configuration.maximumReaderCount
        try await test.database.write(WriteSet(records: [.test("41")]), in: environment)
        let (end, all) = (DispatchSemaphore(value: 0), DispatchGroup())
        let timedOut = Atomic(0)
        for _ in 0..<readers {
            all.enter()
            test.database.pool.asyncRead { _ in
                if end.wait(timeout: .now() + 20) == .timedOut {
                    timedOut.add(1, ordering: .relaxed)
                }
                all.leave()
            }
        }
        let few = try await test.database.page(request(in: environment, after: 38, limit: 1))
        let allNew = try await test.database.page(request(in: environment, after: 40, limit: 100))
        for _ in 0..<readers { end.signal() }
        await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
        #expect(few.records.map(\.guid) == ["39"] && allNew.records.map(\.guid) == ["41"])
        #expect(timedOut.load(ordering: .relaxed) == 0)
    }

    @Test func environmentThatIsGoneIsMissed() async throws {
        let (test, _) = try await filled()
        let request = request(in: EnvironmentID(number: 99), after: 0, limit: 1)
        #expect(throws: StoreError.environmentGone) { try test.database.inlineReader.page(request) }
    }

    /// Also if its task was cancelled: otherwise the next reader would see the old snapshot.
    @Test func momentEndsWithItsReading() async throws {
        let (test, environment) = try await filled()
        for number in 41...44 {
            let request = request(in: environment, after: Int64(number) - 1, limit: 20)
            #expect(try await test.database.page(request).records.isEmpty)
            let reading = Task { try await far(request, test.database) }
            if number % 2 == 0 { reading.cancel() }
            _ = try? await reading.value
            try await test.database.write(
                WriteSet(records: [.test("\(number)")]), in: environment)
            #expect(try await test.database.page(request).records.map(\.guid) == ["\(number)"])
            #expect(
                try await far(request, test.database).records.map(\.guid) == ["\(number)"])
        }
    }

    /// Writes during a read are not part of its snapshot.
    @Test func readIsSnapshot() async throws {
        let (test, environment) = try await filled()
        let other = try DatabaseQueue(path: test.path)
        let counts = try await test.database.read { db in
            let before = try Int.fetchOne(db, sql: "SELECT count(*) FROM records")
            try other.write { try $0.execute(sql: "DELETE FROM records WHERE guid = '1'") }
            return [before, try Int.fetchOne(db, sql: "SELECT count(*) FROM records")]
        }
        #expect(counts == [40, 40])
        let now = try await far(request(in: environment, after: 0, limit: 100), test.database)
        #expect(now.records.count == 39)
        try other.close()
    }
}
