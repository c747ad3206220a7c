import GRDB
import SyncEngine
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

    /// Lists in the order of creation read some places of each owner for each page, and go on
    /// where the last page ended.
    @Test(arguments: [RecordRun.Owners.only("a"), .everybody, .allBut("a")])
    func recordsOfOwnerComeByCreationFromIndex(owners: RecordRun.Owners) throws {
        let test = try TestDatabase()
        let run = RecordRun(
            model: "Note", group: "users", owners: owners,
            start: RecordRun.Start(owner: "a", created: 7, guid: "g"))
        let (text, values) = run.statement(
            selecting: RecordRun.placeColumns, in: EnvironmentID(number: 1))
        let arguments = StatementArguments((0...values.count).map { _ in 1 })
        let (plan, read) = try DatabaseQueue(path: test.path).read { db in
            let plan = try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + text, arguments: arguments
            ).map { try $0.decode(String.self, forColumn: "detail") }
            let read = try Row.fetchAll(db, sql: "EXPLAIN " + text, arguments: arguments)
                .filter { try $0.decode(String.self, forColumn: "opcode") == "Column" }
                .map { try $0.decode(Int.self, forColumn: "p1") }
            return (plan, read)
        }
        let start = owners == .only("a") ? "owner=? AND (created,guid)" : "(owner,created,guid)"
        #expect(plan.count == 1 && plan[0].contains("records_by_owner"), "\(plan)")
        #expect(plan[0].contains("group_name=? AND \(start)>("), "\(plan)")
        #expect(Set(read).count == 1, "of the index, and not of the table")
        withExtendedLifetime(test) {}
    }
}
