import DefinitionModel

/// A field's type with its limits, as the document writes them and as they are meant; and perhaps a
/// default within them.
struct RandomLimits {
    let type: FieldType
    var options: [(name: String, value: String)] = []
    var defaultValue: (text: String, value: FieldValue)?

    static func some(
        of type: FieldTypeName, models: [String], using random: inout SplitMix64
    ) -> RandomLimits {
        var limits =
            switch type {
            case .text: text(using: &random)
            case .integer: integer(using: &random)
            case .decimal: decimal(using: &random)
            case .boolean: boolean(using: &random)
            case .date: date(using: &random)
            case .belongsTo: relation(to: models, using: &random)
            case .file: RandomLimits(type: .file)
            }
        limits.options.shuffle(using: &random)
        if random.flip() { limits.defaultValue = nil }
        return limits
    }
}

extension RandomLimits {
    fileprivate static func text(using random: inout SplitMix64) -> RandomLimits {
        let maxLength = random.one(of: [1, 2, 20, 255, 1_000_000]) ?? 1
        let value = words(upTo: maxLength, using: &random)
        let isWritten = maxLength != TextLimits.defaultMaxLength || random.flip()
        return RandomLimits(
            type: .text(TextLimits(maxLength: maxLength)),
            options: isWritten ? [("maxLength", digits(Int64(maxLength), using: &random))] : [],
            defaultValue: (value, .text(value)))
    }

    /// With all that XML and our own texts treat in a way of their own.
    private static func words(upTo length: Int, using random: inout SplitMix64) -> String {
        let parts: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "<", ">", "&", "\"", "'", "\n", "\t", "\r", "]", ";", "|", "$", "{",
            "é", "e", "\u{301}", "ż", "日", "\u{1F600}", "\u{85}", "\u{2028}", "\u{FFFD}", "\u{A0}",
        ]
        var words = String.UnicodeScalarView()
        for _ in 0..<random.number(in: 0...30) {
            guard let part = random.one(of: parts) else { break }
            guard String(words).utf16.count + UTF16.width(part) <= length else { break }
            words.append(part)
        }
        return String(words)
    }

    fileprivate static func integer(using random: inout SplitMix64) -> RandomLimits {
        let typical = IntegerLimits()
        let numbers = [
            Int64.min, -5_000_000_000, typical.minValue, -100, -1, 0, 1, 7, typical.maxValue, .max,
        ]
        let chosen = (0..<3).compactMap { _ in random.one(of: numbers) }.sorted()
        var options: [(String, String)] = []
        if chosen[0] != typical.minValue || random.flip() {
            options.append(("minValue", digits(chosen[0], using: &random)))
        }
        if chosen[2] != typical.maxValue || random.flip() {
            options.append(("maxValue", digits(chosen[2], using: &random)))
        }
        return RandomLimits(
            type: .integer(IntegerLimits(minValue: chosen[0], maxValue: chosen[2])),
            options: options,
            defaultValue: (digits(chosen[1], using: &random), .integer(chosen[1])))
    }

    /// With zeros in front, perhaps, which change nothing.
    private static func digits(_ number: Int64, using random: inout SplitMix64) -> String {
        let zeros = String(repeating: "0", count: max(0, random.number(in: -4...2)))
        return (number < 0 ? "-" : "") + zeros + String(number.magnitude)
    }

    fileprivate static func boolean(using random: inout SplitMix64) -> RandomLimits {
        let flag = random.flip()
        return RandomLimits(type: .boolean, defaultValue: ("\(flag)", .boolean(flag)))
    }

    fileprivate static func date(using random: inout SplitMix64) -> RandomLimits {
        let instant = random.one(of: [Int64.min, -1, 0, 1_370_000_000_000, .max]) ?? 0
        return RandomLimits(
            type: .date,
            defaultValue: (digits(instant, using: &random), .date(milliseconds: instant)))
    }

    fileprivate static func relation(
        to models: [String], using random: inout SplitMix64
    ) -> RandomLimits {
        guard let model = random.one(of: models) else { return RandomLimits(type: .file) }
        let analyzesConflict = random.flip()
        let isWritten = analyzesConflict || random.flip()
        return RandomLimits(
            type: .belongsTo(Relation(model: model, analyzesConflict: analyzesConflict)),
            options: [("model", model)]
                + (isWritten ? [("analyzeConflict", "\(analyzesConflict)")] : []))
    }
}

extension RandomLimits {
    fileprivate static func decimal(using random: inout SplitMix64) -> RandomLimits {
        let scale = random.one(of: [0, 1, 3, 9, 30]) ?? 3
        let texts = (0..<3).map { _ in random.number(in: -9999...9999) }.sorted().map {
            decimalText(units: $0, scale: scale, using: &random)
        }
        let numbers = texts.compactMap(ExactDecimal.init)
        var options: [(String, String)] = []
        if scale != DecimalLimits.defaultScale || random.flip() {
            options.append(("scale", "\(scale)"))
        }
        let hasMin = random.flip()
        let hasMax = random.flip()
        let includesMin = numbers[0] == numbers[1] || random.flip()
        let includesMax = numbers[1] == numbers[2] || random.flip()
        if hasMin { options.append(("minValue", texts[0])) }
        if hasMax { options.append(("maxValue", texts[2])) }
        if !includesMin || random.flip() { options.append(("includeMinValue", "\(includesMin)")) }
        if !includesMax || random.flip() { options.append(("includeMaxValue", "\(includesMax)")) }
        return RandomLimits(
            type: .decimal(
                DecimalLimits(
                    scale: scale, minValue: hasMin ? numbers[0] : nil,
                    maxValue: hasMax ? numbers[2] : nil, includesMinValue: includesMin,
                    includesMaxValue: includesMax)),
            options: options, defaultValue: (texts[1], .decimal(numbers[1])))
    }

    /// So many units of the last place; with zeros behind, perhaps, which change nothing.
    private static func decimalText(
        units: Int, scale: Int, using random: inout SplitMix64
    ) -> String {
        let digits = String(units.magnitude)
        let padded = String(repeating: "0", count: max(0, scale + 1 - digits.count)) + digits
        let fraction = padded.suffix(scale) + (scale > 0 && random.flip() ? "0" : "")
        return (units < 0 ? "-" : "") + padded.dropLast(scale)
            + (fraction.isEmpty ? "" : "." + fraction)
    }
}
