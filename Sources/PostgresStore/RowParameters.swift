/// How a statement gets rows of parameters.
///
/// PostgreSQL copies every element of an array before it yields the first row. It does not copy
/// the values of a single row, which saves 50 microseconds of a small push, and more of one of some
/// megabytes.
enum RowForm: CaseIterable {
    case values
    case arrays
}

/// The texts of a statement whose first parameter is the environment, and the others rows.
///
/// Arrays are expanded by a `SELECT` list, in which each yields one value for a row. A function in
/// `FROM` would store all values of each array before the first row is read.
struct RowTexts: Sendable {
    private let values: String
    private let arrays: String

    /// - Parameter types: The types of the rows' columns.
    /// - Parameter text: Gets what the statement selects the rows from.
    init(_ types: String..., text: (String) -> String) {
        self.init(types, isNumbered: false, text: text)
    }

    /// Each row has its 1-based index as the last column.
    init(numbered types: String..., text: (String) -> String) {
        self.init(types, isNumbered: true, text: text)
    }

    private init(_ types: [String], isNumbered: Bool, text: (String) -> String) {
        let values = types.enumerated().map { "$\($0.offset + 2)::\($0.element)" }
        let arrays = values.map { "\($0)[]" }
        let number = isNumbered ? ["1::bigint"] : []
        let numbers = isNumbered ? ["generate_series(1::bigint, cardinality(\(arrays[0])))"] : []
        self.values = text("(VALUES (\((values + number).joined(separator: ", "))))")
        let columns = arrays.map { "unnest(\($0))" } + numbers
        self.arrays = text("(SELECT \(columns.joined(separator: ", ")))")
    }

    subscript(form: RowForm) -> String {
        switch form {
        case .values: values
        case .arrays: arrays
        }
    }

    var all: [String] { RowForm.allCases.map { self[$0] } }
}

/// Rows that become parameters of a statement column by column.
struct RowParameters<Element> {
    private let rows: [Element]

    init(_ rows: [Element]) { self.rows = rows }

    var form: RowForm { rows.count == 1 ? .values : .arrays }

    func texts(_ value: (Element) -> String) -> Parameter {
        switch form {
        case .values: .text(value(rows[0]))
        case .arrays: .texts(rows.map(value))
        }
    }

    func integers(_ value: (Element) -> Int64) -> Parameter {
        switch form {
        case .values: .integer(value(rows[0]))
        case .arrays: .integers(rows.map(value))
        }
    }

    func flags(_ value: (Element) -> Bool) -> Parameter {
        switch form {
        case .values: .flag(value(rows[0]))
        case .arrays: .flags(rows.map(value))
        }
    }
}
