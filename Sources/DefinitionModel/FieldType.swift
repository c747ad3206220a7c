/// The type of a field, with its limits.
package enum FieldType: Hashable, Sendable {
    case text(TextLimits)
    case integer(IntegerLimits)
    case decimal(DecimalLimits)
    case boolean
    case date(DateLimits)
    case belongsTo(Relation)
    case file

    /// The type's name in a definition: `TEXT`.
    package var name: FieldTypeName {
        switch self {
        case .text: .text
        case .integer: .integer
        case .decimal: .decimal
        case .boolean: .boolean
        case .date: .date
        case .belongsTo: .belongsTo
        case .file: .file
        }
    }
}

/// The name of a field type in a definition, without limits.
package enum FieldTypeName: String, Hashable, Sendable, CaseIterable {
    case text = "TEXT"
    case integer = "INTEGER"
    case decimal = "DECIMAL"
    case boolean = "BOOLEAN"
    case date = "DATE"
    case belongsTo = "BELONGS_TO"
    case file = "FILE"

    /// Whether each value of this type is one of the other, such as a whole number that of a
    /// decimal.
    package func widens(to other: FieldTypeName) -> Bool { self == .integer && other == .decimal }
}

/// The length limits, pattern, allowed values and format of a `TEXT` field.
package struct TextLimits: Hashable, Sendable {
    /// The default of the original Java client; the iOS client uses 4096.
    package static let defaultMaxLength = 255
    package static let greatestOriginalMaxLength = 4096

    /// In UTF-16 code units; 0 for no limit.
    package let minLength: Int
    /// In UTF-16 code units, as both the Java and the iOS client count.
    package let maxLength: Int
    /// A pattern that the whole text must match.
    package let pattern: TextPattern?
    /// The values that are allowed; empty if any value is.
    package let allowedValues: [String]
    /// Nil for plain text. A text with a format has no pattern and no list of values.
    package let format: TextFormat?

    package init(
        minLength: Int = 0, maxLength: Int = defaultMaxLength, pattern: TextPattern? = nil,
        allowedValues: [String] = [], format: TextFormat? = nil
    ) {
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        self.allowedValues = allowedValues
        self.format = format
    }
}

/// The inclusive range and the allowed values of an `INTEGER` field.
package struct IntegerLimits: Hashable, Sendable {
    package let minValue: Int64
    package let maxValue: Int64
    /// The values that are allowed; empty if any value is.
    package let allowedValues: [Int64]

    package init(
        minValue: Int64 = Int64(Int32.min), maxValue: Int64 = Int64(Int32.max),
        allowedValues: [Int64] = []
    ) {
        self.minValue = minValue
        self.maxValue = maxValue
        self.allowedValues = allowedValues
    }
}

/// The inclusive range of a `DATE` field; nil means unbounded.
package struct DateLimits: Hashable, Sendable {
    /// Since 1970 in UTC.
    package let minMilliseconds: Int64?
    package let maxMilliseconds: Int64?

    package init(minMilliseconds: Int64? = nil, maxMilliseconds: Int64? = nil) {
        self.minMilliseconds = minMilliseconds
        self.maxMilliseconds = maxMilliseconds
    }
}

/// The scale, range and allowed values of a `DECIMAL` field; a nil bound means unbounded.
package struct DecimalLimits: Hashable, Sendable {
    package static let defaultScale = 3

    /// The maximum number of fraction digits.
    package let scale: Int
    package let minValue: DecimalNumber?
    package let maxValue: DecimalNumber?
    package let includesMinValue: Bool
    package let includesMaxValue: Bool
    /// The values that are allowed; empty if any value is.
    package let allowedValues: [DecimalNumber]

    package init(
        scale: Int = defaultScale, minValue: DecimalNumber? = nil, maxValue: DecimalNumber? = nil,
        includesMinValue: Bool = true, includesMaxValue: Bool = true,
        allowedValues: [DecimalNumber] = []
    ) {
        self.scale = scale
        self.minValue = minValue
        self.maxValue = maxValue
        self.includesMinValue = includesMinValue
        self.includesMaxValue = includesMaxValue
        self.allowedValues = allowedValues
    }
}

/// The target of a `BELONGS_TO` field: a record of another model or of the same model.
package struct Relation: Hashable, Sendable {
    package let model: String
    /// Whether conflict detection treats the record and its target as one graph.
    package let analyzesConflict: Bool

    package init(model: String, analyzesConflict: Bool = false) {
        self.model = model
        self.analyzesConflict = analyzesConflict
    }
}
