import DefinitionModel
import JSON
import SyncProtocol

/// A value that keeps the limits of a field; nil where none was found. Some are unlike all others,
/// so that what became of them can be told, and some are common, so that they meet.
func legalValue(
    of field: Field, number: Int, among seen: [SeenRecord], on client: Client, _ dice: inout Dice
) -> FieldValue? {
    let isCommon = dice.chance(field.isUnique ? 60 : 30)
    let rare = isCommon ? dice.roll(4) : 100 + number
    let candidates: [FieldValue] =
        switch field.type {
        case .text(let limits): texts(rare, within: limits, &dice).map { .text($0) }
        case .integer(let limits): integers(rare, within: limits, &dice).map { .integer($0) }
        case .decimal(let limits): decimals(rare, within: limits, &dice).map { .decimal($0) }
        case .boolean: [.boolean(dice.chance(50))]
        case .date(let limits):
            dates(rare, client.clockSeconds, within: limits).map { .date(milliseconds: $0) }
        case .belongsTo(let relation):
            dice.one(of: seen.filter { $0.model == relation.model && !$0.isDeleted })
                .map { [.reference(guid: $0.guid)] } ?? []
        case .file:
            [.file(FileReference(guid: guid(ofRecord: rare, by: client.number), filename: "f"))]
        }
    return candidates.first { field.type.violations(of: $0).isEmpty }
}

private func texts(_ number: Int, within limits: TextLimits, _ dice: inout Dice) -> [String] {
    if let allowed = dice.one(of: limits.allowedValues) { return [allowed] }
    let plain = "t\(number)"
    let padding = String(repeating: "-", count: max(0, limits.minLength - plain.count))
    guard let pattern = limits.pattern else {
        return [plain + padding, String("\(number)".suffix(limits.maxLength)), ""]
    }
    return (0..<8).compactMap { _ in pattern.example { dice.roll($0) } } + [plain]
}

private func integers(_ number: Int, within limits: IntegerLimits, _ dice: inout Dice) -> [Int64] {
    if let allowed = dice.one(of: limits.allowedValues) { return [allowed] }
    let width = limits.maxValue.subtractingReportingOverflow(limits.minValue)
    let sides = width.overflow ? Int64.max : max(1, min(width.partialValue, .max - 1) + 1)
    return [Int64(number), limits.minValue + Int64(number) % sides, limits.minValue]
}

private func decimals(
    _ number: Int, within limits: DecimalLimits, _ dice: inout Dice
) -> [ExactDecimal] {
    if let allowed = dice.one(of: limits.allowedValues) { return [allowed] }
    let plain = ["\(number).5", "\(number)", "\(number % 10)", "0.\(number)", "1", "0", "-1"]
    return plain.compactMap { ExactDecimal($0) }
        + [limits.minValue, limits.maxValue].compactMap(\.self)
}

/// By the device's own clock, which may be years ahead or behind.
private func dates(_ number: Int, _ clockSeconds: Int64, within limits: DateLimits) -> [Int64] {
    let now = (1_800_000_000 + clockSeconds) * 1000 + Int64(number)
    return [now, limits.minMilliseconds, limits.maxMilliseconds].compactMap(\.self)
}
