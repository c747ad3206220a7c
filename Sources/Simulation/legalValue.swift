import DefinitionModel
import JSON
import SyncProtocol

/// A value within the limits of a field; nil if none was found. Some values are unique, so that
/// they can be traced, and some are frequent, so that they collide.
func legalValue(
    of field: Field, number: Int, among seen: [DisplayedRecord], on client: Client,
    _ random: inout SeededRandom
) -> FieldValue? {
    let isCommon = random.chance(field.isUnique ? 60 : 30)
    let rare = isCommon ? random.int(below: 4) : 100 + number
    let candidates: [FieldValue] =
        switch field.type {
        case .text(let limits): texts(rare, within: limits, &random).map { .text($0) }
        case .integer(let limits): integers(rare, within: limits, &random).map { .integer($0) }
        case .decimal(let limits): decimals(rare, within: limits, &random).map { .decimal($0) }
        case .boolean: [.boolean(random.chance(50))]
        case .date(let limits):
            dates(rare, client.clockSeconds, within: limits).map { .date(milliseconds: $0) }
        case .belongsTo(let relation):
            random.one(of: seen.filter { $0.model == relation.model && !$0.isDeleted })
                .map { [.reference(guid: $0.guid)] } ?? []
        case .file:
            [.file(FileValue(guid: guid(ofRecord: rare, by: client.number), filename: "f"))]
        }
    return candidates.first { field.type.violations(of: $0).isEmpty }
}

private func texts(
    _ number: Int, within limits: TextLimits, _ random: inout SeededRandom
) -> [String] {
    if let allowed = random.one(of: limits.allowedValues) { return [allowed] }
    if let format = limits.format { return [text(number, in: format.kind)] }
    let plain = "t\(number)"
    let padding = String(repeating: "-", count: max(0, limits.minLength - plain.count))
    guard let pattern = limits.pattern else {
        return [plain + padding, String("\(number)".suffix(limits.maxLength)), ""]
    }
    return (0..<8).compactMap { _ in pattern.example { random.int(below: $0) } } + [plain]
}

private func text(_ number: Int, in format: TextFormat.Kind) -> String {
    switch format {
    case .json: "[\(number)]"
    case .geo: "\(number % 90),\(number % 180)"
    case .base64: String((String(number) + "AAA").prefix(4))
    }
}

private func integers(
    _ number: Int, within limits: IntegerLimits, _ random: inout SeededRandom
) -> [Int64] {
    if let allowed = random.one(of: limits.allowedValues) { return [allowed] }
    let width = limits.maxValue.subtractingReportingOverflow(limits.minValue)
    let sides = width.overflow ? Int64.max : max(1, min(width.partialValue, .max - 1) + 1)
    return [Int64(number), limits.minValue + Int64(number) % sides, limits.minValue]
}

private func decimals(
    _ number: Int, within limits: DecimalLimits, _ random: inout SeededRandom
) -> [DecimalNumber] {
    if let allowed = random.one(of: limits.allowedValues) { return [allowed] }
    let plain = ["\(number).5", "\(number)", "\(number % 10)", "0.\(number)", "1", "0", "-1"]
    return plain.compactMap { DecimalNumber($0) }
        + [limits.minValue, limits.maxValue].compactMap(\.self)
}

/// By the device's own clock, which may be years ahead or behind.
private func dates(_ number: Int, _ clockSeconds: Int64, within limits: DateLimits) -> [Int64] {
    let now = (1_800_000_000 + clockSeconds) * 1000 + Int64(number)
    return [now, limits.minMilliseconds, limits.maxMilliseconds].compactMap(\.self)
}
