package import DefinitionModel

/// A changed limit of a field.
package struct LimitChange {
    /// The name of the option.
    package let option: String
    /// The new and the old value, such as "is 80, and was 120".
    package let words: String
    /// Whether a value within the old limit may violate the new one.
    package let isTighter: Bool
}

/// For two types with the same name, or of which the new one is wider. A limit that became both
/// tighter and looser, such as a list, gives two changes.
package func limitChanges(from old: FieldType, to new: FieldType) -> [LimitChange] {
    switch (old, new) {
    case (.text(let old), .text(let new)): changes(from: old, to: new)
    case (.integer(let old), .integer(let new)): changes(from: old, to: new)
    case (.decimal(let old), .decimal(let new)): changes(from: old, to: new)
    case (.integer(let old), .decimal(let new)):
        changes(from: old.ofDecimals(scale: new.scale), to: new)
    case (.date(let old), .date(let new)): changes(from: old, to: new)
    case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
        (.file, _):
        []
    }
}

private func changes(from old: TextLimits, to new: TextLimits) -> [LimitChange] {
    lowest("minLength", from: old.leastLength, to: new.leastLength)
        + highest("maxLength", from: old.ownMaxLength, to: new.ownMaxLength)
        + pattern(from: old.pattern, to: new.pattern)
        + format(from: old.format, to: new.format)
        + list(
            from: old.allowedValues.map(ExactText.init), to: new.allowedValues.map(ExactText.init))
}

extension TextLimits {
    /// Nil if an empty text is allowed.
    fileprivate var leastLength: Int? { minLength > 0 ? minLength : nil }

    /// Nil if `maxBytes` sets it.
    fileprivate var ownMaxLength: Int? {
        format.map { maxLength < $0.maxLength ? maxLength : nil } ?? maxLength
    }
}

private func changes(from old: IntegerLimits, to new: IntegerLimits) -> [LimitChange] {
    lowest("minValue", from: old.minValue, to: new.minValue)
        + highest("maxValue", from: old.maxValue, to: new.maxValue)
        + list(from: old.allowedValues, to: new.allowedValues)
}

private func changes(from old: DecimalLimits, to new: DecimalLimits) -> [LimitChange] {
    highest("scale", from: old.scale, to: new.scale)
        + lowest("minValue", from: old.minValue, to: new.minValue)
        + (new.minValue == nil
            ? []
            : inclusion("includeMinValue", from: old.includesMinValue, to: new.includesMinValue))
        + highest("maxValue", from: old.maxValue, to: new.maxValue)
        + (new.maxValue == nil
            ? []
            : inclusion("includeMaxValue", from: old.includesMaxValue, to: new.includesMaxValue))
        + list(from: old.allowedValues, to: new.allowedValues)
}

extension IntegerLimits {
    /// Whole numbers are within every scale.
    fileprivate func ofDecimals(scale: Int) -> DecimalLimits {
        DecimalLimits(
            scale: scale, minValue: DecimalNumber(minValue), maxValue: DecimalNumber(maxValue),
            allowedValues: allowedValues.map { DecimalNumber($0) })
    }
}

private func changes(from old: DateLimits, to new: DateLimits) -> [LimitChange] {
    lowest(
        "minDate", from: old.minMilliseconds, to: new.minMilliseconds,
        readableInstant(milliseconds:))
        + highest(
            "maxDate", from: old.maxMilliseconds, to: new.maxMilliseconds,
            readableInstant(milliseconds:))
}

/// Nil is no limit.
private func lowest<Bound: Comparable>(
    _ option: String, from old: Bound?, to new: Bound?,
    _ words: (Bound) -> String = { "\($0)" }
) -> [LimitChange] {
    bound(option, from: old, to: new, words) { $1 > $0 }
}

private func highest<Bound: Comparable>(
    _ option: String, from old: Bound?, to new: Bound?,
    _ words: (Bound) -> String = { "\($0)" }
) -> [LimitChange] {
    bound(option, from: old, to: new, words) { $1 < $0 }
}

private func bound<Bound: Comparable>(
    _ option: String, from old: Bound?, to new: Bound?, _ words: (Bound) -> String,
    isTighter: (_ old: Bound, _ new: Bound) -> Bool
) -> [LimitChange] {
    guard old != new else { return [] }
    let isTighter =
        switch (old, new) {
        case (nil, _): true
        case (_, nil): false
        case (.some(let old), .some(let new)): isTighter(old, new)
        }
    let text = changed(from: old.map(words), to: new.map(words))
    return [LimitChange(option: option, words: text, isTighter: isTighter)]
}

private func inclusion(_ option: String, from old: Bool, to new: Bool) -> [LimitChange] {
    guard old != new else { return [] }
    return [
        LimitChange(option: option, words: changed(from: "\(old)", to: "\(new)"), isTighter: !new)
    ]
}

/// Patterns cannot be compared, so any change counts as tighter.
private func pattern(from old: TextPattern?, to new: TextPattern?) -> [LimitChange] {
    guard old != new else { return [] }
    let text = changed(
        from: old.map { "'\($0.source)'" }, to: new.map { "'\($0.source)'" })
    return [LimitChange(option: "pattern", words: text, isTighter: new != nil)]
}

/// The limit of bytes is compared within a format only: a format comes and goes with its limit.
private func format(from old: TextFormat?, to new: TextFormat?) -> [LimitChange] {
    if let old, let new, old.kind == new.kind {
        return highest("maxBytes", from: old.maxBytes, to: new.maxBytes)
    }
    guard old != new else { return [] }
    let text = changed(from: old?.kind.rawValue, to: new?.kind.rawValue)
    return [LimitChange(option: "format", words: text, isTighter: new != nil)]
}

/// Compared byte by byte, as texts are everywhere.
private struct ExactText: Hashable, CustomStringConvertible {
    let description: String

    init(_ text: String) {
        description = text
    }

    static func == (left: ExactText, right: ExactText) -> Bool {
        left.description.hasSameBytes(as: right.description)
    }
}

/// An empty list allows every value.
private func list<Value: Hashable>(from old: [Value], to new: [Value]) -> [LimitChange] {
    let option = "allowedValues"
    if old.isEmpty != new.isEmpty {
        let text = changed(
            from: old.isEmpty ? nil : quoted(old), to: new.isEmpty ? nil : quoted(new))
        return [LimitChange(option: option, words: text, isTighter: old.isEmpty)]
    }
    let removed = old.filter { !new.contains($0) }
    let added = new.filter { !old.contains($0) }
    return
        (removed.isEmpty
        ? []
        : [LimitChange(option: option, words: "lacks \(quoted(removed)) now", isTighter: true)])
        + (added.isEmpty
            ? []
            : [LimitChange(option: option, words: "has \(quoted(added)) now", isTighter: false)])
}

/// Such as "'a'", "'a' and 'b'", "'a', 'b' and 'c'".
private func quoted<Value>(_ values: [Value]) -> String {
    listed(values.map { "'\($0)'" })
}

private func changed(from old: String?, to new: String?) -> String {
    switch (old, new) {
    case (nil, .some(let new)): "is \(new), and was not there"
    case (.some(let old), nil): "is gone, and was \(old)"
    case (.some(let old), .some(let new)): "is \(new), and was \(old)"
    case (nil, nil): "is the same"
    }
}
