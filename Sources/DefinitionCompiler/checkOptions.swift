import DefinitionModel

/// The options of a field and our own attributes that limit it, as far as they are ones of its
/// type, each once.
struct Options {
    fileprivate(set) var all: [Option] = []

    /// Without our own attributes.
    var ofOriginals: [Option] { all.filter { $0.origin == .option } }

    /// Few enough to look through.
    subscript(name: String) -> Option? { all.first { $0.written.name == name } }
}

struct Option {
    /// What a message calls it.
    enum Origin: String { case option, attribute }

    let origin: Origin
    let written: WrittenOption
    /// Where its name stands.
    let nameRange: Range<Int>
    /// Where its value stands, or the element's name when it has none.
    let valueRange: Range<Int>
}

func checkOptions(
    of field: Element, for type: FieldTypeName, in scope: Scope,
    reportingTo findings: inout Findings
) -> Options {
    var options = Options()
    for element in field.items("option", in: "options") {
        guard let attribute = element["name"] else { continue }
        guard type.options.contains(attribute.value) else {
            findings.report(problem(ofOption: attribute, for: type))
            continue
        }
        if let first = options[attribute.value] {
            findings.report(
                .duplicateOption(
                    attribute.value, at: attribute.valueRange, first: first.nameRange))
            continue
        }
        let written = WrittenOption(
            name: attribute.value, value: element.text,
            place: scope.text.place(at: start(of: element)))
        options.all.append(
            Option(
                origin: .option, written: written, nameRange: attribute.valueRange,
                valueRange: element.text.isEmpty ? element.nameRange : element.textRange))
    }
    addOwnAttributes(of: field, for: type, in: scope, to: &options, reportingTo: &findings)
    return options
}

private func addOwnAttributes(
    of field: Element, for type: FieldTypeName, in scope: Scope, to options: inout Options,
    reportingTo findings: inout Findings
) {
    for attribute in field.ownAttributes where FieldTypeName.allOwnLimits.contains(attribute.name) {
        guard type.ownLimits.contains(attribute.name) else {
            let owners = FieldTypeName.allCases.filter { $0.ownLimits.contains(attribute.name) }
            findings.report(
                .limitOfAnotherType(
                    attribute.name, for: type, owners: owners, at: attribute.nameRange))
            continue
        }
        let written = WrittenOption(
            name: attribute.name, value: attribute.value,
            place: scope.text.place(at: attribute.nameRange.lowerBound))
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

/// The field's type with its limits; nil when there is no telling them, which has been reported.
func checkType(
    _ type: FieldTypeName, of field: Element, options: Options, models: Names,
    reportingTo findings: inout Findings
) -> FieldType? {
    switch type {
    case .text: return checkText(options, reportingTo: &findings)
    case .integer: return checkInteger(options, of: field, reportingTo: &findings)
    case .decimal: return checkDecimal(options, of: field, reportingTo: &findings)
    case .belongsTo:
        return checkRelation(options, of: field, models: models, reportingTo: &findings)
    case .boolean: return .boolean
    case .date: return checkDate(options, reportingTo: &findings)
    case .file: return .file
    }
}

private func checkText(_ options: Options, reportingTo findings: inout Findings) -> FieldType {
    let limits = TextLimits(
        minLength: options.number(
            "minLength", within: 0...1_000_000, absent: 0, reportingTo: &findings),
        maxLength: options.number(
            "maxLength", within: 1...1_000_000, absent: TextLimits.defaultMaxLength,
            reportingTo: &findings))
    if let option = options["minLength"], limits.minLength > limits.maxLength {
        findings.report(
            .minLengthOverMaxLength(
                limits, at: option.valueRange, other: options["maxLength"]?.valueRange))
    }
    let pattern = checkPattern(options, maxLength: limits.maxLength, reportingTo: &findings)
    let unlisted = TextLimits(
        minLength: limits.minLength, maxLength: limits.maxLength, pattern: pattern)
    let allowed = checkAllowedValues(options, of: .text(unlisted), reportingTo: &findings)
    return .text(
        TextLimits(
            minLength: limits.minLength, maxLength: limits.maxLength, pattern: pattern,
            allowedValues: allowed.compactMap(\.text)))
}

private func checkInteger(
    _ options: Options, of field: Element, reportingTo findings: inout Findings
) -> FieldType {
    let typical = IntegerLimits()
    let all = Int64.min...Int64.max
    let limits = IntegerLimits(
        minValue: options.number(
            "minValue", within: all, absent: typical.minValue, reportingTo: &findings),
        maxValue: options.number(
            "maxValue", within: all, absent: typical.maxValue, reportingTo: &findings))
    guard limits.minValue <= limits.maxValue else {
        let range = DecimalLimits(
            scale: 0, minValue: ExactDecimal(limits.minValue),
            maxValue: ExactDecimal(limits.maxValue))
        findings.report(options.emptyRange(range, of: .integer, field: field))
        return .integer(limits)
    }
    let allowed = checkAllowedValues(options, of: .integer(limits), reportingTo: &findings)
    return .integer(
        IntegerLimits(
            minValue: limits.minValue, maxValue: limits.maxValue,
            allowedValues: allowed.compactMap(\.integer)))
}

private func checkDecimal(
    _ options: Options, of field: Element, reportingTo findings: inout Findings
) -> FieldType {
    let limits = DecimalLimits(
        scale: options.number(
            "scale", within: 0...30, absent: DecimalLimits.defaultScale, reportingTo: &findings),
        minValue: options.decimal("minValue", reportingTo: &findings),
        maxValue: options.decimal("maxValue", reportingTo: &findings),
        includesMinValue: options.flag("includeMinValue", absent: true, reportingTo: &findings),
        includesMaxValue: options.flag("includeMaxValue", absent: true, reportingTo: &findings))
    guard !limits.isEmpty else {
        findings.report(options.emptyRange(limits, of: .decimal, field: field))
        return .decimal(limits)
    }
    let allowed = checkAllowedValues(options, of: .decimal(limits), reportingTo: &findings)
    return .decimal(
        DecimalLimits(
            scale: limits.scale, minValue: limits.minValue, maxValue: limits.maxValue,
            includesMinValue: limits.includesMinValue, includesMaxValue: limits.includesMaxValue,
            allowedValues: allowed.compactMap(\.decimal)))
}

private func checkRelation(
    _ options: Options, of field: Element, models: Names, reportingTo findings: inout Findings
) -> FieldType? {
    let analyzesConflict = options.flag(
        "analyzeConflict", absent: false, reportingTo: &findings)
    guard let option = options["model"] else {
        findings.report(.missingModelOption(at: field.nameRange))
        return nil
    }
    let model = option.written.value
    guard models.contains(model) else {
        findings.report(.unknownModel(model, known: models.inOrder, at: option.valueRange))
        return nil
    }
    return .belongsTo(Relation(model: model, analyzesConflict: analyzesConflict))
}

extension FieldTypeName {
    /// The options that a field of this type may have.
    var options: [String] {
        switch self {
        case .text: ["maxLength"]
        case .integer: ["minValue", "maxValue"]
        case .decimal: ["scale", "minValue", "maxValue", "includeMinValue", "includeMaxValue"]
        case .belongsTo: ["model", "analyzeConflict"]
        case .boolean, .date, .file: []
        }
    }
}

/// Digits with an optional minus sign, however many.
private func isWholeNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    return !digits.isEmpty && text.utf8.count - digits.count <= 1
        && digits.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
}

/// An option's value, or what stands for its absence; so also when it is wrong, which is then
/// reported.
extension Options {
    func number<Number: FixedWidthInteger>(
        _ name: String, within range: ClosedRange<Number>, absent: Number,
        reportingTo findings: inout Findings
    ) -> Number {
        guard let option = self[name] else { return absent }
        let value = option.written.value
        let place = option.valueRange
        guard isWholeNumber(value) else {
            findings.report(.unreadableOption(option, .wholeNumber, at: place))
            return absent
        }
        guard let number = Number(value), range.contains(number) else {
            findings.report(
                .optionOutOfRange(
                    option, from: "\(range.lowerBound)", to: "\(range.upperBound)", at: place))
            return absent
        }
        return number
    }

    func decimal(
        _ name: String, reportingTo findings: inout Findings
    ) -> ExactDecimal? {
        guard let option = self[name] else { return nil }
        let value = option.written.value
        let place = option.valueRange
        if let number = ExactDecimal(value) { return number }
        findings.report(.unreadableOption(option, .decimal, at: place))
        return nil
    }

    func flag(
        _ name: String, absent: Bool, reportingTo findings: inout Findings
    ) -> Bool {
        guard let option = self[name] else { return absent }
        let value = option.written.value
        let place = option.valueRange
        if value == "true" || value == "false" { return value == "true" }
        findings.report(.unreadableOption(option, .boolean, at: place))
        return absent
    }

    /// At the limit that was written last, or at the field when there is none.
    func emptyRange(
        _ limits: DecimalLimits, of type: FieldTypeName, field: Element
    ) -> Problem {
        let places = ["minValue", "maxValue"].compactMap { self[$0]?.valueRange }
            .sorted { $0.lowerBound < $1.lowerBound }
        let related = places.dropLast().first
        return .emptyRange(limits, of: type, at: places.last ?? field.nameRange, other: related)
    }
}
