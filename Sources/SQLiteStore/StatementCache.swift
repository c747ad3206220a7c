import GRDB

/// A connection within one transaction, with the statements that the calls of the transaction
/// share.
///
/// GRDB caches statements by their text, and a lookup takes as long as SQLite takes to find a row.
/// Here statements are cached by the line of the caller.
final class StatementCache {
    let db: Database
    private var statements: [(line: Line, statement: RepeatedStatement)] = []

    private struct Line: Equatable {
        let file: UnsafePointer<UInt8>
        let number: UInt
    }

    init(_ db: Database) { self.db = db }

    /// Returns a statement. One source line must always ask for the same text.
    func statement(
        _ sql: @autoclosure () -> String, file: StaticString = #fileID, line: UInt = #line
    ) throws -> RepeatedStatement {
        let line = Line(file: file.utf8Start, number: line)
        if let known = statements.first(where: { $0.line == line }) { return known.statement }
        let statement = try RepeatedStatement(sql(), db)
        statements.append((line, statement))
        return statement
    }
}
