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
    /// - Parameter message: The problem in words of an import, if those for clients do not fit.
    init(_ cause: Cause, of row: ImportedRow, message: String? = nil) {
        let description = CauseDescription(cause)
        self.init(
            line: row.line, column: cause.field.flatMap { row.columns[$0] }, field: cause.field,
            code: description.code, message: message ?? description.message)
    }

    /// The guid of a row is taken.
    static func taken(_ row: ImportedRow, byDeleted isDeleted: Bool) -> RowProblem {
        RowProblem(
            Cause(.change(.guidTaken)), of: row,
            message: isDeleted
                ? "the record is deleted, and a guid is never used again, choose a new one"
                : "another record has this guid, or had it long ago, choose a new one")
    }

    /// A row refers to a record that is not there.
    static func missing(_ cause: Cause, of row: ImportedRow, isDeleted: Bool) -> RowProblem {
        guard case .notFound(_, let model) = cause.reason else { return RowProblem(cause, of: row) }
        let field = cause.field ?? ""
        return RowProblem(
            cause, of: row,
            message: isDeleted
                ? "'\(field)' refers to a deleted record of '\(model)', name another"
                : "'\(field)' refers to no record of '\(model)', import that one too")
    }

    /// A row needs the record of a row that was refused.
    static func needing(_ cause: Cause, of row: ImportedRow, line: Int) -> RowProblem {
        let field = cause.field ?? ""
        return RowProblem(
            cause, of: row,
            message: "'\(field)' refers to the record of line \(line), which was refused")
    }

    /// A problem of a whole row.
    static func row(_ line: Int, _ code: String, _ message: String) -> RowProblem {
        RowProblem(line: line, code: code, message: message)
    }
}
