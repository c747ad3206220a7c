import DefinitionModel
public import Foundation
import JSON
import SyncProtocol

/// A decimal number without binary rounding, of at most 38 digits.
///
/// Equal numbers are equal values: 1.50 is 1.5. In JSON it is a string, which keeps every digit.
public struct ExactDecimal: Hashable, Sendable {
    let number: DecimalNumber

    init(_ number: DecimalNumber) {
        self.number = number
    }

    /// Nil unless the text is digits with an optional minus sign and an optional fraction, of at
    /// most 38 digits in all. No exponent, no plus sign, no bare point.
    public init?(_ text: String) {
        guard let number = DecimalNumber(text) else { return nil }
        self.number = number
    }

    /// Nil when the number is not one (`Decimal.nan`) or has more than 38 digits.
    public init?(_ value: Decimal) {
        self.init(value.description)
    }

    /// The default of a field, as generated code writes it; the compiler of the definition has
    /// checked it. A text that is not a number gives 0.
    public init(canonical text: String) {
        number = DecimalNumber(text) ?? DecimalNumber(0)
    }

    /// A whole number.
    public init(_ number: Int64) {
        self.number = DecimalNumber(number)
    }

    /// The same number, to calculate with.
    public var value: Decimal {
        Decimal(string: description) ?? .nan
    }
}

extension ExactDecimal: CustomStringConvertible {
    /// Plain digits without needless zeros, such as `-12.5`, `0.001` or `7`.
    public var description: String { number.description }
}

extension ExactDecimal: ExpressibleByIntegerLiteral {
    /// A whole number, from a literal.
    public init(integerLiteral number: Int64) {
        self.init(number)
    }
}

extension ExactDecimal: Comparable {
    /// Compares the numbers.
    public static func < (left: ExactDecimal, right: ExactDecimal) -> Bool {
        left.number < right.number
    }
}

extension ExactDecimal: StorableValue {
    /// Nil if the field is not a decimal number.
    public init?(_ stored: StoredField) {
        switch stored.json {
        case .string(let text)?, .decimal(let text)?: self.init(text)
        case .integer(let number)?: self.init(number)
        case nil, .null?, .boolean?, .array?, .object?, .unrepresentable?: return nil
        }
    }

    /// The number as a text.
    public var stored: StoredField { StoredField(.string(description)) }
}

extension ExactDecimal: Codable {
    /// Decodes a string of plain digits. Throws if it is not one, or has more than 38 digits.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let number = Self(text) else {
            throw DecodingError.dataCorruptedError(
                in: container,
                debugDescription: "'\(text)' is not plain digits, or more than 38 of them")
        }
        self = number
    }

    /// Encodes a string of plain digits.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
