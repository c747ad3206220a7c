import DefinitionModel

/// What people wrote about an element; nil when there is nothing.
func description(of element: Element) -> String? {
    element[own: "description"].map(\.value).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
}

/// All of our own attributes of an element, in the order of the document.
func writtenExtensions(of element: Element, in text: SourceText) -> [WrittenOption] {
    element.ownAttributes.map {
        WrittenOption(
            name: $0.name, value: $0.value, place: text.place(at: $0.nameRange.lowerBound))
    }
}

// MARK: - Earlier names

/// The names that an element had in earlier definitions.
func earlierNames(of element: Element) -> [String] {
    element[own: "renamedFrom"].map { words(in: $0.value).map(String.init) } ?? []
}

private func words(in text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

/// An earlier name must be one that there could have been, that nothing has now, and that nothing
/// else had.
func checkRenames(
    of elements: [Element], as kind: NameKind, among names: Names,
    reportingTo findings: inout Findings
) {
    var claims: [String: Range<Int>] = [:]
    for element in elements {
        guard let attribute = element[own: "renamedFrom"] else { continue }
        let earlier = words(in: attribute.value)
        if earlier.isEmpty { findings.report(.noEarlierName(of: kind, at: attribute.nameRange)) }
        for word in earlier {
            let name = String(word)
            let range = place(of: word, in: attribute.value, at: attribute.valueRange)
            if !isLegal(name) {
                findings.report(.illegalName(name, of: kind, at: range))
            } else if let present = names.place(of: name) {
                findings.report(.renamedFromPresent(name, of: kind, at: range, present: present))
            } else if let first = claims[name] {
                findings.report(.renamedFromTwice(name, of: kind, at: range, first: first))
            }
            claims[name] = claims[name] ?? range
        }
    }
}

// MARK: - Limits

extension FieldTypeName {
    /// Our own attributes that limit a field of this type.
    var ownLimits: [String] {
        switch self {
        case .text: ["unique", "minLength", "pattern", "allowedValues"]
        case .integer, .decimal: ["unique", "allowedValues"]
        case .date: ["unique", "minDate", "maxDate"]
        case .belongsTo: ["unique"]
        case .boolean, .file: []
        }
    }

    /// Those of all types, each once.
    static let allOwnLimits = [
        "unique", "minLength", "pattern", "allowedValues", "minDate", "maxDate",
    ]
}

/// Two records that are made without the field would have the same default.
func checkUnique(
    _ options: Options, default attribute: Attribute?, reportingTo findings: inout Findings
) -> Bool {
    let isUnique = options.flag("unique", absent: false, reportingTo: &findings)
    if isUnique, let attribute {
        findings.report(
            .uniqueWithDefault(
                attribute.value, at: attribute.valueRange, unique: options["unique"]?.nameRange))
    }
    return isUnique
}

/// Nil when there is none, or it is wrong, which is then reported.
func checkPattern(
    _ options: Options, maxLength: Int, reportingTo findings: inout Findings
) -> TextPattern? {
    guard let option = options["pattern"] else { return nil }
    do {
        let pattern = try TextPattern(option.written.value)
        let steps = pattern.stepCount * maxLength
        if steps > mostPatternSteps {
            findings.report(
                .patternTooCostly(
                    stepsPerCharacter: pattern.stepCount, maxLength: maxLength,
                    limit: mostPatternSteps, at: option.valueRange,
                    length: options["maxLength"]?.valueRange))
        }
        return pattern
    } catch {
        findings.report(.illegalPattern(error, at: option.range(at: error.offset)))
        return nil
    }
}

/// For one value: some hundredths of a second.
private let mostPatternSteps = 10_000_000

/// A day as the earliest begins with its first millisecond, and as the latest ends with its last.
func checkDate(_ options: Options, reportingTo findings: inout Findings) -> FieldType {
    let earliest = options.instant("minDate", reportingTo: &findings)
    let latest = options.instant("maxDate", reportingTo: &findings)
    let limits = DateLimits(
        minMilliseconds: earliest?.firstMilliseconds, maxMilliseconds: latest?.lastMilliseconds)
    if let min = limits.minMilliseconds, let max = limits.maxMilliseconds, min > max,
        let option = options["maxDate"]
    {
        findings.report(
            .minDateAfterMaxDate(at: option.valueRange, other: options["minDate"]?.valueRange))
    }
    return .date(limits)
}

extension Options {
    fileprivate func instant(
        _ name: String, reportingTo findings: inout Findings
    ) -> WrittenInstant? {
        guard let option = self[name] else { return nil }
        if let instant = WrittenInstant(option.written.value) { return instant }
        findings.report(.unreadableOption(option, .instant, at: option.valueRange))
        return nil
    }
}

/// The values of a list, as far as they are of the type and keep its other limits.
func checkAllowedValues(
    _ options: Options, of type: FieldType, reportingTo findings: inout Findings
) -> [FieldValue] {
    guard let option = options["allowedValues"] else { return [] }
    let words = option.written.value.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingBlanks() }
    guard !words.allSatisfy(\.isEmpty) else {
        findings.report(.unreadableOption(option, .list, at: option.valueRange))
        return []
    }
    var values: [FieldValue] = []
    var seen: Set<FieldValue> = []
    for part in words {
        let word = String(part)
        let range = place(of: part, in: option.written.value, at: option.valueRange)
        guard !word.isEmpty, let value = FieldValue(text: word, of: type.name) else {
            findings.report(.allowedValueNotOfType(word, type.name, at: range))
            continue
        }
        for violation in type.violations(of: value) {
            let limit = violation.option.flatMap { options[$0]?.valueRange }
            findings.report(
                .allowedValueBreaksLimit(word, violation, at: range, limit: limit))
        }
        if seen.insert(value).inserted {
            values.append(value)
        } else {
            findings.report(.duplicateAllowedValue(word, at: range))
        }
    }
    return values
}

extension Substring {
    fileprivate func trimmingBlanks() -> Substring {
        let rest = drop(while: \.isWhitespace)
        let end = rest.lastIndex { !$0.isWhitespace }
        return end.map { rest[...$0] } ?? rest
    }
}

extension FieldValue {
    var text: String? { if case .text(let text) = self { text } else { nil } }
    var integer: Int64? { if case .integer(let number) = self { number } else { nil } }
    var decimal: ExactDecimal? { if case .decimal(let number) = self { number } else { nil } }
}

// MARK: - Places within a value

/// Where a part of a value stands; all of the value when it is not written as it reads, or the part
/// is empty.
private func place(of part: Substring, in value: String, at whole: Range<Int>) -> Range<Int> {
    guard value.utf8.count == whole.count, !part.isEmpty else { return whole }
    let start = whole.lowerBound + value.utf8.distance(from: value.startIndex, to: part.startIndex)
    return start..<start + part.utf8.count
}

extension Option {
    /// From a scalar of the value to its end; all of the value when that cannot be told.
    fileprivate func range(at offset: Int) -> Range<Int> {
        let value = written.value
        let part = value.unicodeScalars.dropFirst(offset)
        return place(of: value[part.startIndex...], in: value, at: valueRange)
    }
}
