import ChangeRules
import DefinitionModel

extension ComputedFunction {
    /// Nil, which is null, for parts of other types than the function takes. There are as many
    /// parts as `argumentCounts` allows.
    func result(of parts: [ComputedResult]) -> ComputedResult? {
        switch self {
        case .add: return parts.computed(.add, +)
        case .subtract: return parts.computed(.subtract, -)
        case .multiply: return parts.computed(.multiply, *)
        case .divide: return parts.computed(.divide, /)
        case .modulo:
            return parts.computed(.remainder) { $0.truncatingRemainder(dividingBy: $1) }
        case .negate: return ComputedFunction.subtract.result(of: [.value(.integer(0))] + parts)
        case .floor: return parts.rounded(.down)
        case .ceiling: return parts.rounded(.up)
        case .round: return parts.rounded(.toNearestOrAwayFromZero)
        case .startsWith: return parts.tested { $0.utf8.starts(with: $1.utf8) }
        case .endsWith: return parts.tested { $0.utf8.reversed().starts(with: $1.utf8.reversed()) }
        case .contains:
            return parts.tested { TextScalars($0).firstIndex(of: TextScalars($1)) != nil }
        case .length: return parts.text().map { ComputedResult($0.unicodeScalars.count) }
        case .index: return position(parts)
        // These keep about the length, so that long texts can be searched.
        case .lowercase: return parts.text().map { .value(.text($0.lowercased())) }
        case .uppercase: return parts.text().map { .value(.text($0.uppercased())) }
        case .trim: return parts.changed(trimmed)
        case .replace: return replaced(parts)
        case .substring:
            return parts.changed { TextScalars($0).part(parts.dropFirst().map(\.integer)) }
        case .concatenate: return parts.changed { text in parts.text(1).map { text + $0 } }
        case .year: return parts.datePart(0)
        case .month: return parts.datePart(1)
        case .day: return parts.datePart(2)
        case .hour: return parts.datePart(3)
        case .minute: return parts.datePart(4)
        case .second: return parts.datePart(5)
        }
    }
}

extension ComputedResult {
    fileprivate init(_ count: Int) { self = .value(.integer(Int64(count))) }
}

extension [ComputedResult] {
    fileprivate func text(_ index: Int = 0) -> String? {
        index < count ? self[index].text : nil
    }

    /// The exact result where `DecimalNumber` has one, otherwise the next double.
    fileprivate func computed(
        _ operation: DecimalNumber.Operation, _ rounded: (Double, Double) -> Double
    ) -> ComputedResult? {
        guard count == 2 else { return nil }
        if let left = self[0].decimal, let right = self[1].decimal,
            let result = left.result(of: operation, with: right)
        {
            return .value(result.whole.map { .integer($0) } ?? .decimal(result))
        }
        guard let left = self[0].number, let right = self[1].number else { return nil }
        let number = rounded(left, right)
        return number.isFinite ? .double(number) : nil
    }

    fileprivate func rounded(_ rule: FloatingPointRoundingRule) -> ComputedResult? {
        guard let part = first, let number = part.number else { return nil }
        return part.integer == nil ? .double(number.rounded(rule)) : part
    }

    fileprivate func tested(_ test: (String, String) -> Bool) -> ComputedResult? {
        guard let text = self.text(), let part = self.text(1) else { return nil }
        return .value(.boolean(test(text, part)))
    }

    fileprivate func changed(_ change: (String) -> String?) -> ComputedResult? {
        guard let text = self.text().flatMap(change),
            text.utf8.count <= ComputedValue.maxTextBytes
        else { return nil }
        return .value(.text(text))
    }

    /// One of year, month, day, hour, minute and second.
    fileprivate func datePart(_ place: Int) -> ComputedResult? {
        guard let time = first?.milliseconds else { return nil }
        let numbers = readableInstant(milliseconds: time).split { !("0"..."9").contains($0) }
        guard numbers.count >= 6 else { return nil }
        return Int64(numbers[place]).map { .value(.integer($0)) }
    }
}

private func position(_ parts: [ComputedResult]) -> ComputedResult? {
    guard let text = parts.text(), let part = parts.text(1) else { return nil }
    return ComputedResult(TextScalars(text).firstIndex(of: TextScalars(part)) ?? -1)
}

private func replaced(_ parts: [ComputedResult]) -> ComputedResult? {
    guard let old = parts.text(1), let new = parts.text(2) else { return nil }
    return parts.changed {
        TextScalars($0).replacing(
            TextScalars(old), with: new, maxBytes: ComputedValue.maxTextBytes)
    }
}

private func trimmed(_ text: String) -> String {
    let rest = text.unicodeScalars.drop(while: \.properties.isWhitespace)
    guard let last = rest.lastIndex(where: { !$0.properties.isWhitespace }) else { return "" }
    return String(rest[...last])
}
