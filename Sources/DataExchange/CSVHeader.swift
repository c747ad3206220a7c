import ChangeRules
import DefinitionModel

/// The first row of a CSV file: the names of its columns.
struct CSVHeader {
    let model: Model
    let names: [String]
    /// The columns by name, from 1.
    let columns: [String: Int]
    private(set) var problems: [RowProblem] = []

    init(_ cells: [CSVCell], line: Int, of model: Model) {
        self.model = model
        names = cells.map { $0.text ?? "" }
        var columns: [String: Int] = [:]
        for (index, name) in names.enumerated() {
            let column = index + 1
            if columns.updateValue(column, forKey: name) != nil {
                problems.append(
                    RowProblem(
                        line: line, column: column, field: name.shortenedName,
                        code: "repeatedColumn",
                        message: "the column '\(name.shortenedName)' is there twice, remove one"))
            } else if RowDraft.isUnknown(name, in: model) {
                problems.append(
                    RowProblem(
                        line: line, column: column, field: name.shortenedName,
                        code: "unknownField",
                        message: "'\(model.name)' has no field '\(name.shortenedName)', "
                            + "rename or remove the column"))
            }
        }
        self.columns = columns
    }
}
