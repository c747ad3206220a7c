import DefinitionModel

/// A value of a field that can be typed on a command line unquoted.
struct SampleValue {
    let field: Field
    let value: FieldValue

    /// Such as `title=Hello`.
    var assignment: String { "\(field.name)=\(value.writtenText)" }
}

/// Values within the field's limits, the most telling first; empty if none was found.
func sampleValues(of field: Field) -> [SampleValue] {
    candidates(for: field.type)
        .filter { field.type.violations(of: $0).isEmpty && isPlain($0.writtenText) }
        .map { SampleValue(field: field, value: $0) }
}

private func candidates(for type: FieldType) -> [FieldValue] {
    switch type {
    case .text(let limits): texts(within: limits).map { .text($0) }
    case .integer(let limits): integers(within: limits).map { .integer($0) }
    case .decimal(let limits): decimals(within: limits).map { .decimal($0) }
    case .boolean: [.boolean(true), .boolean(false)]
    case .date(let limits): dates(within: limits).map { .date(milliseconds: $0) }
    // These need another record or file first.
    case .belongsTo, .file: []
    }
}

private func texts(within limits: TextLimits) -> [String] {
    guard limits.allowedValues.isEmpty else { return limits.allowedValues }
    if let format = limits.format { return texts(in: format.kind) }
    guard limits.minLength <= maxLength else { return [] }
    let words = ["Hello", "Goodbye"].map { word in
        let count = max(0, limits.minLength - word.count)
        return String((word + String(repeating: "o", count: count)).prefix(limits.maxLength))
    }
    guard let pattern = limits.pattern else { return words + ["a", "b"] }
    return words + (0..<examples).compactMap { number in example(of: pattern, number: number) }
}

/// A shell would take the brackets of JSON for its own, and a position has a comma.
private func texts(in format: TextFormat.Kind) -> [String] {
    switch format {
    case .json, .geo: []
    case .base64: ["SGVsbG8h", "SGVs", "AAAA"]
    }
}

/// Deterministic for a number.
private func example(of pattern: TextPattern, number: Int) -> String? {
    var state = number
    return pattern.example { count in
        state = (state &* 1_103_515_245 &+ 12345) & 0x7fff_ffff
        return (state >> 8) % count
    }
}

private let examples = 32

private func integers(within limits: IntegerLimits) -> [Int64] {
    guard limits.allowedValues.isEmpty else { return limits.allowedValues }
    let ends = [limits.minValue, limits.maxValue]
    return [1, 2] + ends + ends.map { $0 &+ 1 } + [0]
}

private func decimals(within limits: DecimalLimits) -> [DecimalNumber] {
    guard limits.allowedValues.isEmpty else { return limits.allowedValues }
    let plain = ["1.5", "2.5", "1", "2", "0.5", "0.1", "10", "100", "0", "-1"]
    return plain.compactMap { DecimalNumber($0) }
        + [limits.minValue, limits.maxValue].compactMap(\.self)
}

private func dates(within limits: DateLimits) -> [Int64] {
    let starts =
        [1_804_982_400_000]
        + [limits.minMilliseconds, limits.maxMilliseconds]
        .compactMap(\.self)
    return starts.flatMap { [$0, $0 &+ millisecondsPerDay, $0 &- millisecondsPerDay] }
}

private let millisecondsPerDay: Int64 = 86_400_000

/// The maximum length that is convenient to type.
private let maxLength = 40

/// Whether neither a shell nor an app that splits at spaces needs quotes.
private func isPlain(_ text: String) -> Bool {
    !text.isEmpty && text.utf8.count <= maxLength && text.utf8.allSatisfy(isPlain)
}

private func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
    case _: Array("._:/@+-".utf8).contains(byte)
    }
}
