import ChangeRules
import DefinitionModel

/// The values of a filter that can be compared with each other.
enum ComparedKind: Hashable, Sendable {
    case text, number, boolean, time

    init(_ type: FieldTypeName) {
        switch type {
        // Rows show the id of a related row, and the name of a file.
        case .text, .belongsTo, .file: self = .text
        case .integer, .decimal: self = .number
        case .boolean: self = .boolean
        case .date: self = .time
        }
    }

    init(_ value: FieldValue) {
        switch value {
        case .text, .reference, .file: self = .text
        case .integer, .decimal: self = .number
        case .boolean: self = .boolean
        case .date: self = .time
        }
    }

    /// In words for people.
    var name: String {
        switch self {
        case .text: "a text"
        case .number: "a number"
        case .boolean: "true or false"
        case .time: "a time"
        }
    }

    /// A constant as one of this kind, as far as clients write it so; nil for any other.
    ///
    /// The original servers kept true and false as 1 and 0, with which clients compare them.
    /// Clients take a text that looks like a time for one, and keep a date without a time as a
    /// text.
    func value(_ constant: FieldValue) -> FieldValue? {
        switch (self, constant) {
        case (.boolean, .integer(let number)) where number == 0 || number == 1:
            .boolean(number == 1)
        case (.text, .date(let milliseconds)):
            .text(
                String(
                    preciseInstant(milliseconds: milliseconds)
                        .prefix(milliseconds.isMultiple(of: 86_400_000) ? 10 : .max)))
        case (_, let constant): ComparedKind(constant) == self ? constant : nil
        }
    }
}

extension ComputedFunction {
    var kind: ComparedKind {
        switch self {
        case .startsWith, .endsWith, .contains: .boolean
        case .lowercase, .uppercase, .trim, .replace, .substring, .concatenate: .text
        case .add, .subtract, .multiply, .divide, .modulo, .negate, .length, .index, .day, .month,
            .year, .hour, .minute, .second, .floor, .ceiling, .round:
            .number
        }
    }

    /// The kind that a part must have.
    func kind(ofPart index: Int) -> ComparedKind {
        switch self {
        case .add, .subtract, .multiply, .divide, .modulo, .negate, .floor, .ceiling, .round:
            .number
        case .startsWith, .endsWith, .contains, .length, .lowercase, .uppercase, .trim, .index,
            .replace, .concatenate:
            .text
        case .substring: index == 0 ? .text : .number
        case .day, .month, .year, .hour, .minute, .second: .time
        }
    }
}
