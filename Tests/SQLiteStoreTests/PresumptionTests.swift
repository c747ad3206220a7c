import GRDB
import GRDBSQLite
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Presumptions of SQLite")
struct PresumptionTests {
    @Test(
        arguments: [
            (["a"], true, ["records"]), (["a", "b"], true, []), ([], true, ["records"]),
            (["a", "b"], false, ["outcomes"]), ([], false, ["outcomes", "records"]),
        ] as [(Set<String>, Bool, Set<String>)])
    func newRowsAreNotLookedFor(
        created: Set<String>, areNew: Bool, lookups: Set<String>
    ) async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let found = try await test.database.create(
            ["a", "b"], expecting: created, changes: ["1", "2"], areNew: areNew, in: environment)
        #expect(found == FoundByCreation())
        #expect(Set(test.lookups().keys) == lookups)
    }

    /// Nothing is presumed for a time.
    @Test(arguments: [Duration.zero, .seconds(3600)], [true, false])
    func wrongOneIsRepeated(pause: Duration, hasRecord: Bool) async throws {
        var limits = CommitLimits()
        limits.presumptionPause = pause
        let test = try TestDatabase(commits: limits)
        let environment = try await test.environment()
        var writes = WriteSet(records: hasRecord ? [.test("a")] : [])
        if !hasRecord { writes.outcomes = [StoredOutcome(changeID: "1", text: "{}")] }
        try await test.database.write(writes, in: environment)
        _ = try await test.database.create(
            ["a", "b"], expecting: ["a", "b"], changes: ["1", "2"], areNew: true, in: environment)
        let before = test.lookups()
        _ = try await test.database.create(
            ["c"], expecting: ["c"], changes: ["3"], areNew: true, in: environment)
        #expect((test.lookups() == before) == (pause == .zero))
    }
}

extension TestDatabase {
    /// How often the writer has looked for records and outcomes by their keys.
    fileprivate func lookups() -> [String: Int32] {
        database.pool.writeWithoutTransaction { db in
            var runs: [String: Int32] = [:]
            var statement = sqlite3_next_stmt(db.sqliteConnection, nil)
            while let found = statement {
                let text = sqlite3_sql(found).map { String(cString: $0) } ?? ""
                for table in ["records", "outcomes"] where text.isLookup(of: table) {
                    runs[table, default: 0] += sqlite3_stmt_status(
                        found, SQLITE_STMTSTATUS_RUN, 0)
                }
                statement = sqlite3_next_stmt(db.sqliteConnection, found)
            }
            return runs.filter { $0.value > 0 }
        }
    }
}

extension String {
    fileprivate func isLookup(of table: String) -> Bool {
        let key = ["records": "guid", "outcomes": "change_id"][table] ?? ""
        return hasPrefix("SELECT") && contains("FROM \(table)") && hasSuffix("\(key) = ?")
    }
}
