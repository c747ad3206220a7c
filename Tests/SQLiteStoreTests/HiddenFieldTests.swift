import AccessPolicy
import DefinitionModel
import GRDB
import GRDBSQLite
import TestKit
import Testing

@testable import SQLiteStore
@testable import SyncEngine

@Suite("Fields of hidden records")
struct HiddenFieldTests {
    /// Twenty records with 1 MB each: the page reads about one of them.
    @Test func costNoReads() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let long = #"{"text":"\#(String(repeating: "x", count: 1_000_000))"}"#
        let records = (1...20).map { StoredRecord.test("\($0)", fieldsText: long) }
        try await test.database.write(WriteSet(records: records), in: environment)

        var request = PageRequest(
            environment: environment, afterSequence: 0, limit: 100, maxScanned: 1000,
            maxBytes: 1 << 20, skipsDeleted: false, knownSequence: 0)
        let asker = Asker(
            login: "a", group: "guests", role: Role(group: "guests", deviceCategory: "mobile"))
        request.readable = ReadableRecords(of: asker, by: [:])
        let (texts, reads) = try await test.database.read { [request] db in
            let before = pageReads(of: db)
            let scan = try scan(for: request, db)
            let page = scan.page(of: try currentState(of: environment, db))
            return (page.records.map(\.fieldsText), pageReads(of: db) - before)
        }
        #expect(texts == Array(repeating: "{}", count: 20))
        #expect(reads < 2 * long.utf8.count / 4096, "\(reads) pages were read")
    }
}

/// The pages that the connection did not find in its cache.
private func pageReads(of db: Database) -> Int32 {
    var (current, highest): (Int32, Int32) = (0, 0)
    sqlite3_db_status(
        db.sqliteConnection, SQLITE_DBSTATUS_CACHE_MISS, &current, &highest, 0)
    return current
}
