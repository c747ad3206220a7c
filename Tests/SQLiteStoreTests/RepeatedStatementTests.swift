import GRDB
import SyncEngine
import Testing

@testable import SQLiteStore

@Suite("Repeated statements")
struct RepeatedStatementTests {
    private func withThings(_ body: (Database) throws -> Void) throws {
        let queue = try DatabaseQueue()
        try queue.write { db in
            try db.execute(
                sql: "CREATE TABLE things (name TEXT PRIMARY KEY, number INT NOT NULL, note TEXT)")
            try body(db)
        }
    }

    private func number(of name: String, _ db: Database) throws -> Int64? {
        try RepeatedStatement("SELECT number FROM things WHERE name = ?", db)
            .first([.text(name)]) { $0.number(0) }
    }

    /// Including U+0000, at which GRDB truncates.
    @Test func textsAndNumbersComeBackAsTheyWere() throws {
        let texts = [
            "", "a", "a\u{0}b", "a\u{0}", "é", "e\u{301}", "👩‍👩‍👧", String(repeating: "x", count: 5000),
        ]
        let numbers: [Int64] = [.min, -1, 0, 1, .max]
        try withThings { db in
            let insert = try RepeatedStatement("INSERT INTO things VALUES (?, ?, ?)", db)
            let select = try RepeatedStatement(
                "SELECT name, number, note FROM things WHERE name = ?", db)
            for (index, text) in texts.enumerated() {
                let number = numbers[index % numbers.count]
                try insert.run([.text(text), .integer(number), .flag(index % 2 == 0)])
            }
            for (index, text) in texts.enumerated() {
                let found = try select.first([.text(text)]) {
                    (try $0.text(0), $0.number(1), try $0.text(2))
                }
                #expect(found.map { Array($0.0.utf8) } == Array(text.utf8))
                #expect(found?.1 == numbers[index % numbers.count])
                #expect(found?.2 == (index % 2 == 0 ? "1" : "0"))
            }
            #expect(try select.first([.text("b")]) { _ in } == nil)
        }
    }

    @Test func failedStatementReportsItsErrorAndRunsAgain() throws {
        try withThings { db in
            let insert = try RepeatedStatement("INSERT INTO things VALUES (?, ?, 'n')", db)
            try insert.run([.text("a"), .integer(1)])
            let error = #expect(throws: DatabaseError.self) {
                try insert.run([.text("a"), .integer(2)])
            }
            #expect(error?.extendedResultCode == .SQLITE_CONSTRAINT_PRIMARYKEY)
            try insert.run([.text("b"), .integer(2)])
            #expect(try number(of: "a", db) == 1 && number(of: "b", db) == 2)
        }
    }

    /// An unbound parameter would keep the value of the previous execution.
    @Test func everyValueIsGiven() throws {
        try withThings { db in
            let insert = try RepeatedStatement("INSERT INTO things VALUES (?, ?, 'n')", db)
            try insert.run([.text("a"), .integer(1)])
            for values in [[], [.text("b")], [.text("b"), .integer(1), .integer(1)]]
                as [[RepeatedStatement.Value]]
            {
                let error = #expect(throws: DatabaseError.self) { try insert.run(values) }
                #expect(error?.resultCode == .SQLITE_MISUSE)
            }
            #expect(try number(of: "b", db) == nil)
        }
    }

    @Test func nullIsRefusedAsText() throws {
        try withThings { db in
            try db.execute(sql: "INSERT INTO things VALUES ('a', 1, NULL)")
            let select = try RepeatedStatement("SELECT note FROM things WHERE name = ?", db)
            #expect(throws: StoreError.damagedRow(column: "note")) {
                try select.first([.text("a")]) { try $0.text(0) }
            }
        }
    }
}
