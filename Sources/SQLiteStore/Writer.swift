import GRDB

/// The connection that writes, for as long as a transaction that many calls may share: a statement
/// that one of them has looked up is at hand for the others.
///
/// GRDB keeps statements by their text, and to find one takes as long as SQLite takes to look up a
/// row with it. Here they are found by the line that asks.
final class Writer {
    let db: Database
    private var statements: [(line: Line, statement: RepeatedStatement)] = []

    private struct Line: Equatable {
        let file: UnsafePointer<UInt8>
        let number: UInt
    }

    init(_ db: Database) { self.db = db }

    /// A line may ask for one text only.
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
