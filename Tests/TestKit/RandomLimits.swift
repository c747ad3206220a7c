import DefinitionModel

/// A random type of a field with limits, as written and as meant, and perhaps a default within
/// them.
struct RandomLimits {
    typealias Written = (name: String, value: String)

    let type: FieldType
    var options: [Written] = []
    /// Waggle's own attributes.
    var extensions: [Written] = []
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

// MARK: - Text

extension RandomLimits {
    fileprivate static func text(using random: inout SplitMix64) -> RandomLimits {
        if random.number(in: 0...3) == 0 { return formattedText(using: &random) }
        let maxLength = random.one(of: [2, 20, 255, 1_000_000]) ?? 2
        let isMaxWritten = maxLength != TextLimits.defaultMaxLength || random.flip()
        let allowed = random.some(of: ["a", "bé", "<&", "日本", "\"'", "x\ty", "e\u{301}"]).filter {
            $0.utf16.count <= maxLength
        }
        let text = allowed.first ?? String.random(upTo: maxLength, using: &random)
        let minLength = ([text] + allowed).map(\.utf16.count).min() ?? 0
        let isMinWritten = minLength > 0 || random.flip()
        let pattern = random.one(of: [nil, ".*", "[\\w\\W]*", "[^<&\"'é]*|.*"]) ?? nil
        var extensions: [Written] = []
        if isMinWritten {
            extensions.append(("minLength", digits(Int64(minLength), using: &random)))
        }
        if let pattern { extensions.append(("pattern", pattern)) }
        if !allowed.isEmpty { extensions.append(list(of: allowed, using: &random)) }
        return RandomLimits(
            type: .text(
                TextLimits(
                    minLength: minLength, maxLength: maxLength,
                    pattern: pattern.flatMap { try? TextPattern($0) }, allowedValues: allowed)),
            options: isMaxWritten ? [("maxLength", digits(Int64(maxLength), using: &random))] : [],
            extensions: extensions, defaultValue: (text, .text(text)))
    }

    private static func formattedText(using random: inout SplitMix64) -> RandomLimits {
        let kind = random.flip() ? TextFormat.Kind.json : .base64
        let maxBytes = random.one(of: [3, 4000, TextFormat.defaultMaxBytes]) ?? 3
        let format = TextFormat(kind, maxBytes: maxBytes)
        let isMaxWritten = maxBytes != TextFormat.defaultMaxBytes || random.flip()
        let maxLength = random.flip() ? format.maxLength : 1000
        let extensions: [Written] =
            [("format", kind.rawValue)]
            + (isMaxWritten ? [("maxBytes", digits(Int64(maxBytes), using: &random))] : [])
        let written = kind == .json ? " [ 1 ] " : "AAAA"
        return RandomLimits(
            type: .text(TextLimits(maxLength: maxLength, format: format)),
            options: maxLength == format.maxLength
                ? [] : [("maxLength", digits(Int64(maxLength), using: &random))],
            extensions: extensions,
            defaultValue: maxLength < 7
                ? nil : (written, .text(format.canonicalText(of: written) ?? written)))
    }

    /// White space around a value is ignored.
    private static func list(of values: [String], using random: inout SplitMix64) -> Written {
        let words = values.map { random.flip() ? $0 : " \($0)\n" }
        return ("allowedValues", words.joined(separator: "|"))
    }
}

extension String {
    /// A text with every character that XML or Waggle treats specially, of at most `length` UTF-16
    /// code units.
    static func random(upTo length: Int, using random: inout SplitMix64) -> String {
        let parts: [Unicode.Scalar] = [
            "a", "Z", "0", " ", "<", ">", "&", "\"", "'", "\n", "\t", "\r", "]", ";", "|", "$", "{",
            "é", "e", "\u{301}", "ż", "日", "\u{1F600}", "\u{85}", "\u{2028}", "\u{FFFD}", "\u{A0}",
        ]
        var text = ""
        for _ in 0..<random.number(in: 0...30) {
            guard let part = random.one(of: parts) else { break }
            guard text.utf16.count + UTF16.width(part) <= length else { break }
            text.unicodeScalars.append(part)
        }
        return text
    }
}

// MARK: - Numbers

extension RandomLimits {
    fileprivate static func integer(using random: inout SplitMix64) -> RandomLimits {
        let typical = IntegerLimits()
        let numbers = [
            Int64.min, -5_000_000_000, typical.minValue, -100, -1, 0, 1, 7, typical.maxValue, .max,
        ]
        let chosen = (0..<3).compactMap { _ in random.one(of: numbers) }.sorted()
        var options: [Written] = []
        if chosen[0] != typical.minValue || random.flip() {
            options.append(("minValue", digits(chosen[0], using: &random)))
        }
        if chosen[2] != typical.maxValue || random.flip() {
            options.append(("maxValue", digits(chosen[2], using: &random)))
        }
        let allowed = random.flip() ? [] : Set(chosen).shuffled(using: &random)
        let texts = allowed.map { digits($0, using: &random) }
        return RandomLimits(
            type: .integer(
                IntegerLimits(minValue: chosen[0], maxValue: chosen[2], allowedValues: allowed)),
            options: options, extensions: allowed.isEmpty ? [] : [list(of: texts, using: &random)],
            defaultValue: (digits(chosen[1], using: &random), .integer(chosen[1])))
    }

    /// Perhaps with leading zeros, which change nothing.
    private static func digits(_ number: Int64, using random: inout SplitMix64) -> String {
        let zeros = String(repeating: "0", count: max(0, random.number(in: -4...2)))
        return (number < 0 ? "-" : "") + zeros + String(number.magnitude)
    }

    fileprivate static func decimal(using random: inout SplitMix64) -> RandomLimits {
        let scale = random.one(of: [0, 1, 3, 9, 30]) ?? 3
        let texts = (0..<3).map { _ in random.number(in: -9999...9999) }.sorted().map {
            decimalText(units: $0, scale: scale, using: &random)
        }
        let numbers = texts.compactMap(DecimalNumber.init)
        let hasMin = random.flip()
        let hasMax = random.flip()
        let includesMin = numbers[0] == numbers[1] || random.flip()
        let includesMax = numbers[1] == numbers[2] || random.flip()
        var options: [Written] = []
        if scale != DecimalLimits.defaultScale || random.flip() {
            options.append(("scale", "\(scale)"))
        }
        if hasMin { options.append(("minValue", texts[0])) }
        if hasMax { options.append(("maxValue", texts[2])) }
        if !includesMin || random.flip() { options.append(("includeMinValue", "\(includesMin)")) }
        if !includesMax || random.flip() { options.append(("includeMaxValue", "\(includesMax)")) }
        let isListed = random.flip()
        return RandomLimits(
            type: .decimal(
                DecimalLimits(
                    scale: scale, minValue: hasMin ? numbers[0] : nil,
                    maxValue: hasMax ? numbers[2] : nil, includesMinValue: includesMin,
                    includesMaxValue: includesMax, allowedValues: isListed ? [numbers[1]] : [])),
            options: options, extensions: isListed ? [list(of: [texts[1]], using: &random)] : [],
            defaultValue: (texts[1], .decimal(numbers[1])))
    }

    /// A number of units of the last place, perhaps with trailing zeros, which change nothing.
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

// MARK: - The others

extension RandomLimits {
    fileprivate static func boolean(using random: inout SplitMix64) -> RandomLimits {
        let flag = random.flip()
        return RandomLimits(type: .boolean, defaultValue: ("\(flag)", .boolean(flag)))
    }

    fileprivate static func date(using random: inout SplitMix64) -> RandomLimits {
        let chosen = [random.number(in: 0..<instants.count), random.number(in: 0..<instants.count)]
            .sorted().map { instants[$0] }
        let hasMin = random.flip()
        let hasMax = random.flip()
        let instant = random.flip() ? chosen[0].first : chosen[1].last
        return RandomLimits(
            type: .date(
                DateLimits(
                    minMilliseconds: hasMin ? chosen[0].first : nil,
                    maxMilliseconds: hasMax ? chosen[1].last : nil)),
            extensions: (hasMin ? [("minDate", chosen[0].text)] : [])
                + (hasMax ? [("maxDate", chosen[1].text)] : []),
            defaultValue: (digits(instant, using: &random), .date(milliseconds: instant)))
    }

    /// In ascending order, with the first and the last millisecond that each stands for.
    private static let instants: [(text: String, first: Int64, last: Int64)] = [
        ("-9223372036854775808", .min, .min),
        ("0001-01-01", -62_135_596_800_000, -62_135_510_400_001),
        ("1969-12-31", -86_400_000, -1),
        ("0", 0, 0),
        ("2000-02-29T23:59Z", 951_868_740_000, 951_868_740_000),
        ("2026-11-21T10:30:15Z", 1_795_257_015_000, 1_795_257_015_000),
        ("2026-11-21T10:30:15.5Z", 1_795_257_015_500, 1_795_257_015_500),
        ("9999-12-31", 253_402_214_400_000, 253_402_300_799_999),
        ("9223372036854775807", .max, .max),
    ]

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
