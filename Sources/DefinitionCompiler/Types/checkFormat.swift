import DefinitionModel

/// The format of a text; nil for plain text, and for an invalid format, which is then reported. A
/// format takes the place of the limits that are about the text.
func checkFormat(
    _ options: Options, reportingTo collector: inout DiagnosticCollector
) -> TextFormat? {
    guard let option = options["format"] else {
        if let limit = options["maxBytes"] {
            collector.report(.maxBytesWithoutFormat(at: limit.nameRange))
        }
        return nil
    }
    guard let kind = TextFormat.Kind(rawValue: option.written.value) else {
        collector.report(
            .unknownValue(
                option.written.value, of: "format", known: TextFormat.Kind.allCases.map(\.rawValue),
                at: option.valueRange))
        return nil
    }
    for name in kind.replacedLimits {
        guard let other = options[name] else { continue }
        collector.report(
            .limitBesideFormat(name, kind, at: other.nameRange, format: option.nameRange))
    }
    let maxBytes = options.number(
        "maxBytes", within: 1...kind.greatestMaxBytes, absent: TextFormat.defaultMaxBytes,
        reportingTo: &collector)
    return TextFormat(kind, maxBytes: maxBytes)
}

extension TextFormat.Kind {
    /// Waggle's own attributes that a text with this format cannot have.
    fileprivate var replacedLimits: [String] {
        switch self {
        case .json: ["minLength", "pattern", "allowedValues", "unique"]
        case .base64: ["minLength", "pattern", "allowedValues"]
        case .geo: ["minLength", "pattern", "allowedValues", "unique", "maxBytes"]
        }
    }
}
