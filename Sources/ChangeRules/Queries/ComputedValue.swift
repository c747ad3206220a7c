package import DefinitionModel

/// A value that is computed from values of a record as the asker sees it. Whether its operands
/// exist is not checked yet.
///
/// It is null where a part is null or not of the type that the function takes, where a number is
/// divided by 0, and where a text would have more than `maxTextBytes`, but for a change of case.
/// Sums and differences are exact where they have at most 38 digits, other results where numbers
/// and steps to them have at most 18, and doubles otherwise. A quotient has a fraction, also of
/// whole numbers.
package indirect enum ComputedValue: Hashable, Sendable {
    case operand(String)
    case constant(FieldValue)
    case call(ComputedFunction, [ComputedValue])

    package static let maxTextBytes = 1 << 16
}

/// A function of computed values. Texts consist of Unicode scalars, positions count from 0, and
/// times are in UTC.
package enum ComputedFunction: String, Hashable, Sendable, CaseIterable {
    case add, subtract, multiply, divide, modulo, negate
    /// Takes a text and a part of it.
    case startsWith, endsWith, contains
    case length, lowercase, uppercase, trim
    /// The position of the first occurrence of a part in a text; -1 if there is none.
    case index
    /// Takes a text, the part to replace everywhere, and its replacement.
    case replace
    /// Takes a text, the position where the part begins, and optionally its length.
    case substring
    case concatenate
    case day, month, year, hour, minute, second
    /// Takes a number; `round` rounds halves away from zero.
    case floor, ceiling, round

    package var argumentCounts: ClosedRange<Int> {
        switch self {
        case .negate, .length, .lowercase, .uppercase, .trim, .day, .month, .year, .hour, .minute,
            .second, .floor, .ceiling, .round:
            1...1
        case .add, .subtract, .multiply, .divide, .modulo, .startsWith, .endsWith, .contains,
            .index, .concatenate:
            2...2
        case .substring: 2...3
        case .replace: 3...3
        }
    }
}
