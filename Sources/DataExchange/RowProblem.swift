import ChangeRules

/// The reason why a row was not imported, with its place.
package struct RowProblem: Hashable, Sendable {
    /// The line in which the row begins, from 1.
    package let line: Int
    /// The column of a CSV file, from 1; nil for a problem of the row as a whole, and for JSON.
    package let column: Int?
    /// The name of the field; nil for a problem of the row as a whole.
    package let field: String?
    /// A stable code for programs.
    package let code: String
    /// A sentence for people: the problem and its remedy.
    package let message: String

    package init(
        line: Int, column: Int? = nil, field: String? = nil, code: String, message: String
    ) {
        self.line = line
        self.column = column
        self.field = field
        self.code = code
        self.message = message
    }
}

extension RowProblem {
    /// - Parameter line: The line of a refused row whose record is missing.
    init(_ cause: Cause, of row: ImportedRow, needing line: Int? = nil) {
        let description = CauseDescription(cause)
        let message = line.map {
            "'\(cause.field ?? "")' refers to the record of line \($0), which was refused"
        }
        self.init(
            line: row.line, column: cause.field.flatMap { row.columns[$0] }, field: cause.field,
            code: description.code, message: message ?? description.message)
    }

    /// A problem of a whole row.
    static func row(_ line: Int, _ code: String, _ message: String) -> RowProblem {
        RowProblem(line: line, code: code, message: message)
    }
}
