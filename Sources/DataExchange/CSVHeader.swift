import ChangeRules
import DefinitionModel

/// The first row of a CSV file: the names of its columns.
struct CSVHeader {
    let columns: RowColumns
    let names: [String]
    /// The numbers of the columns, from 1, by the names that problems give them.
    let numbers: [String: Int]
    private(set) var problems: [RowProblem] = []

    init(_ cells: [CSVCell], line: Int, _ columns: RowColumns) {
        self.columns = columns
        names = cells.map { $0.text ?? "" }
        var numbers: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            let number = index + 1
            let column = columns[name]
            if numbers.updateValue(number, forKey: column?.problemName ?? name) != nil {
                problems.append(
                    RowProblem(
                        line: line, column: number, field: name.shortenedName,
                        code: "repeatedColumn",
                        message: "the column '\(name.shortenedName)' is there twice, remove one"))
            } else if column == nil {
                problems.append(
                    RowProblem(
                        line: line, column: number, field: name.shortenedName,
                        code: "unknownField",
                        message: "'\(columns.model.name)' has no field '\(name.shortenedName)', "
                            + "rename or remove the column"))
            }
        }
        self.numbers = numbers
    }
}
