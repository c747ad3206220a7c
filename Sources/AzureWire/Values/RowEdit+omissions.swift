import DefinitionModel
import JSON

/// The columns that clients leave out whose serializer writes neither null nor false nor zero.
extension RowEdit {
    /// Adds those of a new row whose absence means something else here: false or zero, where the
    /// column is required or has a default.
    mutating func addOmitted(in table: Table, where maySet: (Field) -> Bool) {
        for field in table.model.fields where values[field.name] == nil {
            guard field.isRequired || field.defaultValue != nil, let zero = field.zero,
                maySet(field)
            else { continue }
            values[field.name] = zero
        }
    }

    /// Adds those that the row showed with a value: the client has removed it. A required column
    /// becomes false or zero, or stays as it is if it can be neither.
    mutating func addOmitted(
        replacing seen: [String: JSONValue], in table: Table, where maySet: (Field) -> Bool
    ) {
        for field in table.model.fields where values[field.name] == nil {
            guard let shown = seen[field.name], !field.isOmitted(shown), maySet(field) else {
                continue
            }
            values[field.name] = field.isRequired ? field.zero : .null
        }
    }

    /// Adds those of a deleted row that comes back, whose values the client does not see.
    mutating func addOmitted(restoringIn table: Table, where maySet: (Field) -> Bool) {
        for field in table.model.fields where values[field.name] == nil {
            guard let zero = field.zero, maySet(field) else { continue }
            values[field.name] = zero
        }
    }
}

extension Field {
    /// False or zero; nil if the field has other values, or its limits do not allow zero.
    fileprivate var zero: JSONValue? {
        switch type {
        case .boolean: .boolean(false)
        case .integer: type.violations(of: .integer(0)).isEmpty ? .integer(0) : nil
        case .decimal: type.violations(of: .decimal(DecimalNumber(0))).isEmpty ? .integer(0) : nil
        case .text, .date, .belongsTo, .file: nil
        }
    }

    /// Whether a client that has this value leaves it out. Files cannot be set here.
    fileprivate func isOmitted(_ value: JSONValue) -> Bool {
        switch (type.name, value) {
        case (.file, _), (_, .null), (.boolean, .boolean(false)), (.integer, .integer(0)): true
        case (.decimal, .string(let digits)): Double(digits) == 0
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _):
            false
        }
    }
}
