import DefinitionModel

// The fields of definitions that change.

extension Evolution.AddedField {
    /// With the rights of another field.
    func field(named name: String, like other: Field) -> Field {
        let (type, defaultValue): (FieldType, FieldValue?) =
            switch self {
            case .text, .filled: (.text(TextLimits()), nil)
            case .number: (.integer(IntegerLimits(minValue: 0, maxValue: 1000)), nil)
            case .defaulted:
                (.integer(IntegerLimits(minValue: 0, maxValue: 1000)), .integer(7))
            }
        return Field(
            name: name, type: type, isRequired: self == .defaulted || self == .filled,
            defaultValue: defaultValue, credentials: other.credentials, writtenOptions: [],
            writtenDefault: nil, place: other.place)
    }
}

extension Field {
    /// Whether a deployment can bring the same short text to all records.
    var canBeFilled: Bool {
        guard case .text(let limits) = type else { return false }
        return limits.isPlain && !isUnique
    }

    /// Whether records need a value that a deployment can bring.
    var needsValue: Bool { canBeFilled && isRequired && defaultValue == nil }

    /// The same field with narrower limits, in which its default stays legal. Nil without any.
    var narrowed: Field? {
        var least: Int64 = 2
        if case .integer(let number)? = defaultValue { least = max(least, number) }
        return type.narrowed(keeping: least).map { changed(type: $0) }
    }

    /// The same field with decimals; nil if it has no whole numbers.
    var asDecimal: Field? {
        guard case .integer(let limits) = type, limits.allowedValues.isEmpty else { return nil }
        var value = defaultValue
        if case .integer(let number)? = defaultValue { value = .decimal(DecimalNumber(number)) }
        return changed(
            type: .decimal(
                DecimalLimits(
                    minValue: DecimalNumber(limits.minValue),
                    maxValue: DecimalNumber(limits.maxValue))),
            defaultValue: value)
    }
}

extension TextLimits {
    fileprivate var isPlain: Bool {
        pattern == nil && format == nil && allowedValues.isEmpty && minLength < 2
    }
}

extension FieldType {
    func refers(to model: String) -> Bool {
        guard case .belongsTo(let relation) = self else { return false }
        return relation.model == model
    }

    /// Nil if the limits cannot be narrowed further. The values that deployments bring stay legal.
    ///
    /// - Parameter least: A number that stays legal.
    fileprivate func narrowed(keeping least: Int64) -> FieldType? {
        switch self {
        case .text(let limits):
            guard limits.isPlain, limits.maxLength > 4 else { return nil }
            return .text(
                TextLimits(
                    minLength: limits.minLength,
                    maxLength: limits.maxLength > 12 ? 12 : max(4, limits.maxLength - 3)))
        case .integer(let limits):
            guard limits.allowedValues.isEmpty, limits.maxValue > least, limits.minValue < least
            else { return nil }
            let most = limits.maxValue > 100 ? 100 : limits.maxValue - 2
            return .integer(
                IntegerLimits(minValue: limits.minValue, maxValue: max(least, most)))
        case .decimal, .boolean, .date, .belongsTo, .file: return nil
        }
    }

    var widened: FieldType? {
        switch self {
        case .text(let limits):
            guard limits.isPlain, limits.maxLength < 1000 else { return nil }
            return .text(
                TextLimits(minLength: limits.minLength, maxLength: limits.maxLength * 2))
        case .integer(let limits):
            guard limits.allowedValues.isEmpty, limits.maxValue < 10_000 else { return nil }
            return .integer(
                IntegerLimits(minValue: limits.minValue, maxValue: limits.maxValue + 20))
        case .decimal, .boolean, .date, .belongsTo, .file: return nil
        }
    }
}
