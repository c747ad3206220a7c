import GRDB
import Testing

@testable import SQLiteStore

@Suite("Plans of the statements of SQLite")
struct PlanTests {
    /// Anybody may ask for a mail address, so that users without it are not read.
    @Test func mailAddressesHaveAnIndex() throws {
        let test = try TestDatabase()
        let plan = try DatabaseQueue(path: test.path).read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + SQLiteDatabase.loginsByMail,
                arguments: [1, "a@b.c", 2]
            ).map { try $0.decode(String.self, forColumn: "detail") }
        }
        #expect(plan.count == 1 && plan[0].contains("users_by_folded_mail"), "\(plan)")
        withExtendedLifetime(test) {}
    }
}
