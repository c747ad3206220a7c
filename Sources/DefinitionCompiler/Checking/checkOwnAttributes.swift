import DefinitionModel

/// The `description` of an element; nil if it is missing or empty.
func description(of element: Element) -> String? {
    element[own: "description"].map(\.value).flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
}

/// All of Waggle's own attributes of an element, in document order.
func writtenExtensions(of element: Element, in text: SourceText) -> [WrittenOption] {
    element.ownAttributes.map {
        WrittenOption(
            name: $0.name, value: $0.value, place: text.place(at: $0.nameRange.lowerBound))
    }
}

// MARK: - Earlier names

/// The names of an element in earlier definitions.
func earlierNames(of element: Element) -> [String] {
    element[own: "renamedFrom"].map { parts(in: $0.value).map(String.init) } ?? []
}

private func parts(in text: String) -> [Substring] { text.split(whereSeparator: \.isWhitespace) }

/// An earlier name must be valid, must not be in use, and must be claimed only once.
func checkRenames(
    of elements: [Element], as kind: NameKind, among names: DeclaredNames,
    reportingTo collector: inout DiagnosticCollector
) {
    var claims: [String: Range<Int>] = [:]
    for element in elements {
        guard let attribute = element[own: "renamedFrom"] else { continue }
        let earlier = parts(in: attribute.value)
        if earlier.isEmpty { collector.report(.noEarlierName(of: kind, at: attribute.nameRange)) }
        for word in earlier {
            let name = String(word)
            let range = place(of: word, in: attribute.value, at: attribute.valueRange)
            if !isLegal(name) {
                collector.report(.illegalName(name, of: kind, at: range))
            } else if let present = names.place(of: name) {
                collector.report(.renamedFromPresent(name, of: kind, at: range, present: present))
            } else if let first = claims[name] {
                collector.report(.renamedFromTwice(name, of: kind, at: range, first: first))
            }
            claims[name] = claims[name] ?? range
        }
    }
}

// MARK: - Aliases

/// An alias is a name for the clients of other products. It must be valid, and no other element may
/// have it as its name or alias, in any case.
func checkAliases(
    of elements: [Element], as kind: NameKind, reportingTo collector: inout DiagnosticCollector
) {
    guard elements.contains(where: { $0[own: "alias"] != nil }) else { return }
    var places: [String: (index: Int, range: Range<Int>)] = [:]
    for (index, element) in elements.enumerated() {
        guard let name = element["name"] else { continue }
        places[name.value.lowercased()] = (index, name.valueRange)
    }
    for (index, element) in elements.enumerated() {
        guard let attribute = element[own: "alias"] else { continue }
        let (alias, range) = (attribute.value, attribute.valueRange)
        if !isLegal(alias) {
            collector.report(.illegalName(alias, of: kind, at: range))
        } else if alias.utf8.count > maxAliasLength {
            collector.report(.nameTooLong(alias, of: kind, limit: maxAliasLength, at: range))
        } else if let other = places[alias.lowercased()], other.index != index {
            collector.report(.aliasTaken(alias, of: kind, at: range, other: other.range))
        } else {
            places[alias.lowercased()] = (index, range)
        }
    }
}

/// Names of tables and columns elsewhere are longer than those of definitions.
private let maxAliasLength = 128

// MARK: - Limits

extension FieldTypeName {
    /// Waggle's own attributes that limit a field of this type.
    var ownLimits: [String] {
        switch self {
        case .text: ["unique", "minLength", "pattern", "allowedValues", "format", "maxBytes"]
        case .integer, .decimal: ["unique", "allowedValues"]
        case .date: ["unique", "minDate", "maxDate"]
        case .belongsTo: ["unique"]
        case .boolean, .file: []
        }
    }

    /// The limits of all types, each once.
    static let allOwnLimits = [
        "unique", "minLength", "pattern", "allowedValues", "format", "maxBytes", "minDate",
        "maxDate",
    ]
}

/// A default is not allowed: two records created without a value would both have it.
func checkUnique(
    _ options: Options, default attribute: Attribute?,
    reportingTo collector: inout DiagnosticCollector
) -> Bool {
    let isUnique = options.flag("unique", absent: false, reportingTo: &collector)
    if isUnique, let attribute {
        collector.report(
            .uniqueWithDefault(
                attribute.value, at: attribute.valueRange, unique: options["unique"]?.nameRange))
    }
    return isUnique
}

/// Nil if there is no pattern or an invalid one, which is then reported.
func checkPattern(
    _ options: Options, maxLength: Int, reportingTo collector: inout DiagnosticCollector
) -> TextPattern? {
    guard let option = options["pattern"] else { return nil }
    do {
        let pattern = try TextPattern(option.written.value)
        let steps = pattern.stepCount * maxLength
        if steps > PatternBudget.stepsOfChange {
            collector.report(
                .patternTooCostly(
                    stepsPerCharacter: pattern.stepCount, maxLength: maxLength,
                    limit: PatternBudget.stepsOfChange, at: option.valueRange,
                    length: options["maxLength"]?.valueRange))
        }
        return pattern
    } catch {
        collector.report(.illegalPattern(error, at: option.range(at: error.offset)))
        return nil
    }
}

/// A day as the minimum means its first millisecond, as the maximum its last.
func checkDate(_ options: Options, reportingTo collector: inout DiagnosticCollector) -> FieldType {
    let earliest = options.instant("minDate", reportingTo: &collector)
    let latest = options.instant("maxDate", reportingTo: &collector)
    let limits = DateLimits(
        minMilliseconds: earliest?.firstMilliseconds, maxMilliseconds: latest?.lastMilliseconds)
    if let min = limits.minMilliseconds, let max = limits.maxMilliseconds, min > max,
        let option = options["maxDate"]
    {
        collector.report(
            .minDateAfterMaxDate(at: option.valueRange, other: options["minDate"]?.valueRange))
    }
    return .date(limits)
}

extension Options {
    fileprivate func instant(
        _ name: String, reportingTo collector: inout DiagnosticCollector
    ) -> WrittenInstant? {
        guard let option = self[name] else { return nil }
        if let instant = WrittenInstant(option.written.value) { return instant }
        collector.report(.unreadableOption(option, .instant, at: option.valueRange))
        return nil
    }
}

/// The values of the list that are of the field's type and within its other limits.
func checkAllowedValues(
    _ options: Options, of type: FieldType, reportingTo collector: inout DiagnosticCollector
) -> [FieldValue] {
    guard let option = options["allowedValues"] else { return [] }
    let parts = option.written.value.split(separator: "|", omittingEmptySubsequences: false)
        .map { $0.trimmingBlanks() }
    guard !parts.allSatisfy(\.isEmpty) else {
        collector.report(.unreadableOption(option, .list, at: option.valueRange))
        return []
    }
    var values: [FieldValue] = []
    var seen: Set<FieldValue> = []
    for part in parts {
        let word = String(part)
        let range = place(of: part, in: option.written.value, at: option.valueRange)
        guard !word.isEmpty, let value = FieldValue(text: word, of: type.name) else {
            collector.report(.allowedValueNotOfType(word, type.name, at: range))
            continue
        }
        for violation in type.violations(of: value) {
            let limit = violation.option.flatMap { options[$0]?.valueRange }
            collector.report(
                .allowedValueBreaksLimit(word, violation, at: range, limit: limit))
        }
        if seen.insert(value).inserted {
            values.append(value)
        } else {
            collector.report(.duplicateAllowedValue(word, at: range))
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
    var decimal: DecimalNumber? { if case .decimal(let number) = self { number } else { nil } }
}

// MARK: - Places within a value

/// The range of a part of a value. The whole value if it is written with references, or if the part
/// is empty.
private func place(of part: Substring, in value: String, at whole: Range<Int>) -> Range<Int> {
    guard value.utf8.count == whole.count, !part.isEmpty else { return whole }
    let start = whole.lowerBound + value.utf8.distance(from: value.startIndex, to: part.startIndex)
    return start..<start + part.utf8.count
}

extension Option {
    /// The range from a scalar of the value to its end; the whole value if that cannot be
    /// determined.
    fileprivate func range(at offset: Int) -> Range<Int> {
        let value = written.value
        let part = value.unicodeScalars.dropFirst(offset)
        return place(of: value[part.startIndex...], in: value, at: valueRange)
    }
}
