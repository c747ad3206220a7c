import DefinitionModel

/// The valid options of a field and the attributes of Waggle that limit it, each once.
struct Options {
    fileprivate(set) var all: [Option] = []

    /// Without Waggle's own attributes.
    var ofOriginals: [Option] { all.filter { $0.origin == .option } }

    /// Options are few, so a linear search is fast.
    subscript(name: String) -> Option? { all.first { $0.written.name == name } }
}

struct Option {
    /// The raw value is used in messages.
    enum Origin: String { case option, attribute }

    let origin: Origin
    let written: WrittenOption
    /// The range of the name.
    let nameRange: Range<Int>
    /// The range of the value; the element's name if it has none.
    let valueRange: Range<Int>
}

func checkOptions(
    of field: Element, for type: FieldTypeName, in context: CheckContext,
    reportingTo collector: inout DiagnosticCollector
) -> Options {
    var options = Options()
    for element in field.items("option", in: "options") {
        guard let attribute = element["name"] else { continue }
        guard type.options.contains(attribute.value) else {
            collector.report(problem(ofOption: attribute, for: type))
            continue
        }
        if let first = options[attribute.value] {
            collector.report(
                .duplicateOption(
                    attribute.value, at: attribute.valueRange, first: first.nameRange))
            continue
        }
        let written = WrittenOption(
            name: attribute.value, value: element.text,
            place: context.text.place(at: start(of: element)))
        options.all.append(
            Option(
                origin: .option, written: written, nameRange: attribute.valueRange,
                valueRange: element.text.isEmpty ? element.nameRange : element.textRange))
    }
    addOwnAttributes(of: field, for: type, in: context, to: &options, reportingTo: &collector)
    return options
}

private func addOwnAttributes(
    of field: Element, for type: FieldTypeName, in context: CheckContext, to options: inout Options,
    reportingTo collector: inout DiagnosticCollector
) {
    for attribute in field.ownAttributes where FieldTypeName.allOwnLimits.contains(attribute.name) {
        guard type.ownLimits.contains(attribute.name) else {
            let owners = FieldTypeName.allCases.filter { $0.ownLimits.contains(attribute.name) }
            collector.report(
                .limitOfAnotherType(
                    attribute.name, for: type, owners: owners, at: attribute.nameRange))
            continue
        }
        let written = WrittenOption(
            name: attribute.name, value: attribute.value,
            place: context.text.place(at: attribute.nameRange.lowerBound))
        options.all.append(
            Option(
                origin: .attribute, written: written, nameRange: attribute.nameRange,
                valueRange: attribute.value.isEmpty ? attribute.nameRange : attribute.valueRange))
    }
}

private func problem(ofOption attribute: Attribute, for type: FieldTypeName) -> Problem {
    let owners = FieldTypeName.allCases.filter { $0.options.contains(attribute.value) }
    return owners.isEmpty
        ? .unknownOption(
            attribute.value, for: type, known: type.options, at: attribute.valueRange)
        : .optionOfAnotherType(
            attribute.value, for: type, owners: owners, at: attribute.valueRange)
}

/// The field's type with its limits; nil if it is invalid, which has then been reported.
func checkType(
    _ type: FieldTypeName, of field: Element, options: Options, models: DeclaredNames,
    reportingTo collector: inout DiagnosticCollector
) -> FieldType? {
    switch type {
    case .text: return checkText(options, reportingTo: &collector)
    case .integer: return checkInteger(options, of: field, reportingTo: &collector)
    case .decimal: return checkDecimal(options, of: field, reportingTo: &collector)
    case .belongsTo:
        return checkRelation(options, of: field, models: models, reportingTo: &collector)
    case .boolean: return .boolean
    case .date: return checkDate(options, reportingTo: &collector)
    case .file: return .file
    }
}

private func checkText(
    _ options: Options, reportingTo collector: inout DiagnosticCollector
) -> FieldType {
    let format = checkFormat(options, reportingTo: &collector)
    let limits = TextLimits(
        minLength: options.number(
            "minLength", within: 0...1_000_000, absent: 0, reportingTo: &collector),
        maxLength: options.number(
            "maxLength", within: 1...1_000_000,
            absent: format?.maxLength ?? TextLimits.defaultMaxLength, reportingTo: &collector),
        format: format)
    guard format == nil else { return .text(limits) }
    if let option = options["minLength"], limits.minLength > limits.maxLength {
        collector.report(
            .minLengthOverMaxLength(
                limits, at: option.valueRange, other: options["maxLength"]?.valueRange))
        return .text(limits)
    }
    let pattern = checkPattern(options, maxLength: limits.maxLength, reportingTo: &collector)
    let unlisted = TextLimits(
        minLength: limits.minLength, maxLength: limits.maxLength, pattern: pattern)
    let allowed = checkAllowedValues(options, of: .text(unlisted), reportingTo: &collector)
    return .text(
        TextLimits(
            minLength: limits.minLength, maxLength: limits.maxLength, pattern: pattern,
            allowedValues: allowed.compactMap(\.text)))
}

private func checkInteger(
    _ options: Options, of field: Element, reportingTo collector: inout DiagnosticCollector
) -> FieldType {
    let typical = IntegerLimits()
    let all = Int64.min...Int64.max
    let limits = IntegerLimits(
        minValue: options.number(
            "minValue", within: all, absent: typical.minValue, reportingTo: &collector),
        maxValue: options.number(
            "maxValue", within: all, absent: typical.maxValue, reportingTo: &collector))
    guard limits.minValue <= limits.maxValue else {
        let range = DecimalLimits(
            scale: 0, minValue: DecimalNumber(limits.minValue),
            maxValue: DecimalNumber(limits.maxValue))
        collector.report(options.emptyRange(range, of: .integer, field: field))
        return .integer(limits)
    }
    let allowed = checkAllowedValues(options, of: .integer(limits), reportingTo: &collector)
    return .integer(
        IntegerLimits(
            minValue: limits.minValue, maxValue: limits.maxValue,
            allowedValues: allowed.compactMap(\.integer)))
}

private func checkDecimal(
    _ options: Options, of field: Element, reportingTo collector: inout DiagnosticCollector
) -> FieldType {
    let limits = DecimalLimits(
        scale: options.number(
            "scale", within: 0...30, absent: DecimalLimits.defaultScale, reportingTo: &collector),
        minValue: options.decimal("minValue", reportingTo: &collector),
        maxValue: options.decimal("maxValue", reportingTo: &collector),
        includesMinValue: options.flag("includeMinValue", absent: true, reportingTo: &collector),
        includesMaxValue: options.flag("includeMaxValue", absent: true, reportingTo: &collector))
    guard !limits.isEmpty else {
        collector.report(options.emptyRange(limits, of: .decimal, field: field))
        return .decimal(limits)
    }
    let allowed = checkAllowedValues(options, of: .decimal(limits), reportingTo: &collector)
    return .decimal(
        DecimalLimits(
            scale: limits.scale, minValue: limits.minValue, maxValue: limits.maxValue,
            includesMinValue: limits.includesMinValue, includesMaxValue: limits.includesMaxValue,
            allowedValues: allowed.compactMap(\.decimal)))
}

private func checkRelation(
    _ options: Options, of field: Element, models: DeclaredNames,
    reportingTo collector: inout DiagnosticCollector
) -> FieldType? {
    let analyzesConflict = options.flag(
        "analyzeConflict", absent: false, reportingTo: &collector)
    guard let option = options["model"] else {
        collector.report(.missingModelOption(at: field.nameRange))
        return nil
    }
    let model = option.written.value
    guard models.contains(model) else {
        collector.report(.unknownModel(model, known: models.inOrder, at: option.valueRange))
        return nil
    }
    return .belongsTo(Relation(model: model, analyzesConflict: analyzesConflict))
}

extension FieldTypeName {
    /// The options that are valid for a field of this type.
    var options: [String] {
        switch self {
        case .text: ["maxLength"]
        case .integer: ["minValue", "maxValue"]
        case .decimal: ["scale", "minValue", "maxValue", "includeMinValue", "includeMaxValue"]
        case .belongsTo: ["model", "analyzeConflict"]
        case .boolean, .date, .file: []
        }
    }

    /// The options of all types.
    static let allOptions = Set(allCases.flatMap(\.options))
}

/// Any number of digits with an optional minus sign.
private func isWholeNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return !digits.isEmpty && text.utf8.count - digits.count <= 1
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

/// Typed values of options. A missing option has its default; an invalid value is reported and
/// treated as missing.
extension Options {
    func number<Number: FixedWidthInteger>(
        _ name: String, within range: ClosedRange<Number>, absent: Number,
        reportingTo collector: inout DiagnosticCollector
    ) -> Number {
        guard let option = self[name] else { return absent }
        let value = option.written.value
        let place = option.valueRange
        guard isWholeNumber(value) else {
            collector.report(.unreadableOption(option, .wholeNumber, at: place))
            return absent
        }
        guard let number = Number(value), range.contains(number) else {
            collector.report(
                .optionOutOfRange(
                    option, from: "\(range.lowerBound)", to: "\(range.upperBound)", at: place))
            return absent
        }
        return number
    }

    func decimal(
        _ name: String, reportingTo collector: inout DiagnosticCollector
    ) -> DecimalNumber? {
        guard let option = self[name] else { return nil }
        let value = option.written.value
        let place = option.valueRange
        if let number = DecimalNumber(value) { return number }
        collector.report(.unreadableOption(option, .decimal, at: place))
        return nil
    }

    func flag(
        _ name: String, absent: Bool, reportingTo collector: inout DiagnosticCollector
    ) -> Bool {
        guard let option = self[name] else { return absent }
        let value = option.written.value
        let place = option.valueRange
        if value == "true" || value == "false" { return value == "true" }
        collector.report(.unreadableOption(option, .boolean, at: place))
        return absent
    }

    /// Reported at the limit that comes last in the document, or at the field if there is none.
    func emptyRange(
        _ limits: DecimalLimits, of type: FieldTypeName, field: Element
    ) -> Problem {
        let places = ["minValue", "maxValue"].compactMap { self[$0]?.valueRange }
            .sorted { $0.lowerBound < $1.lowerBound }
        let related = places.dropLast().first
        return .emptyRange(limits, of: type, at: places.last ?? field.nameRange, other: related)
    }
}
