import GRDB
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Another process")
struct StalledProcessTests {
    /// A writer has begun a transaction and stalls. A pull meanwhile sees nothing of it, and one
    /// afterwards sees everything.
    @Test func stalledWriterIsNotPassed() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await test.database.write(WriteSet(records: [.test("before")]), in: environment)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: test.path, configuration: configuration)
        try other.inDatabase { db in
            try db.execute(
                sql: """
                    BEGIN IMMEDIATE;
                    UPDATE environments SET sequence = sequence + 1;
                    INSERT INTO records (place, environment, guid, model, owner, group_name,
                            revision, is_deleted, is_conflicted, fields)
                        SELECT place + 1, environment, 'stalled', model, owner, group_name,
                            revision, is_deleted, is_conflicted, fields
                        FROM records;
                    """)
        }
        let before = try await test.database.page(in: environment)
        #expect(before.records.map(\.guid) == ["before"] && before.lastSequence == 1)
        async let waiting: Void = test.database.write(
            WriteSet(records: [.test("after")]), in: environment)
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        try await waiting
        let after = try await test.database.page(in: environment, after: before.lastSequence)
        #expect(after.records.map(\.guid) == ["stalled", "after"])
        try other.close()
    }
}
