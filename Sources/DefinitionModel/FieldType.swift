/// What a field holds, and within which limits.
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

/// A type without its limits, named as in a definition.
package enum FieldTypeName: String, Hashable, Sendable, CaseIterable {
    case text = "TEXT"
    case integer = "INTEGER"
    case decimal = "DECIMAL"
    case boolean = "BOOLEAN"
    case date = "DATE"
    case belongsTo = "BELONGS_TO"
    case file = "FILE"
}

/// How long a `TEXT` may be, and what may stand in it.
package struct TextLimits: Hashable, Sendable {
    /// The original Java client's default; the iOS one had 4096.
    package static let defaultMaxLength = 255

    /// In UTF-16 code units, as the other one; 0 for no limit.
    package let minLength: Int
    /// In UTF-16 code units, as both the Java and the iOS client count.
    package let maxLength: Int
    /// What the whole text must match.
    package let pattern: TextPattern?
    /// The only texts there may be; empty where any may.
    package let allowedValues: [String]

    package init(
        minLength: Int = 0, maxLength: Int = defaultMaxLength, pattern: TextPattern? = nil,
        allowedValues: [String] = []
    ) {
        self.minLength = minLength
        self.maxLength = maxLength
        self.pattern = pattern
        self.allowedValues = allowedValues
    }
}

/// Between which numbers an `INTEGER` may lie, both included.
package struct IntegerLimits: Hashable, Sendable {
    package let minValue: Int64
    package let maxValue: Int64
    /// The only numbers there may be; empty where any may.
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

/// Between which instants a `DATE` may lie, both included; nil leaves a side open.
package struct DateLimits: Hashable, Sendable {
    /// Since 1970 in UTC, as the other one.
    package let minMilliseconds: Int64?
    package let maxMilliseconds: Int64?

    package init(minMilliseconds: Int64? = nil, maxMilliseconds: Int64? = nil) {
        self.minMilliseconds = minMilliseconds
        self.maxMilliseconds = maxMilliseconds
    }
}

/// How exact a `DECIMAL` may be, and between which numbers it may lie; nil leaves a side open.
package struct DecimalLimits: Hashable, Sendable {
    package static let defaultScale = 3

    /// Fraction digits at most.
    package let scale: Int
    package let minValue: ExactDecimal?
    package let maxValue: ExactDecimal?
    package let includesMinValue: Bool
    package let includesMaxValue: Bool
    /// The only numbers there may be; empty where any may.
    package let allowedValues: [ExactDecimal]

    package init(
        scale: Int = defaultScale, minValue: ExactDecimal? = nil, maxValue: ExactDecimal? = nil,
        includesMinValue: Bool = true, includesMaxValue: Bool = true,
        allowedValues: [ExactDecimal] = []
    ) {
        self.scale = scale
        self.minValue = minValue
        self.maxValue = maxValue
        self.includesMinValue = includesMinValue
        self.includesMaxValue = includesMaxValue
        self.allowedValues = allowedValues
    }
}

/// A `BELONGS_TO` field: the guid of a record of another model, or of the same.
package struct Relation: Hashable, Sendable {
    package let model: String
    /// The record and what it belongs to count as one graph when conflicts are looked for.
    package let analyzesConflict: Bool

    package init(model: String, analyzesConflict: Bool = false) {
        self.model = model
        self.analyzesConflict = analyzesConflict
    }
}
