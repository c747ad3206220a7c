import ChangeRules
import DefinitionModel

/// A computed value whose operands exist.
indirect enum ComputedOperand: Hashable, Sendable {
    case operand(Operand)
    case constant(FieldValue)
    case call(ComputedFunction, [ComputedOperand])

    var operands: [Operand] {
        switch self {
        case .operand(let operand): [operand]
        case .constant: []
        case .call(_, let parts): parts.flatMap(\.operands)
        }
    }

    /// Nil is null. Adds to `steps` the bytes of the texts that functions get.
    func result(in record: JoinedRecord, counting steps: inout Int) -> ComputedResult? {
        switch self {
        case .operand(let operand): return record.value(of: operand).map(ComputedResult.value)
        case .constant(let value): return .value(value)
        case .call(let function, let parts):
            var results: [ComputedResult] = []
            for part in parts {
                guard let result = part.result(in: record, counting: &steps) else { return nil }
                steps += result.text?.utf8.count ?? 0
                results.append(result)
            }
            return function.result(of: results)
        }
    }
}

/// The value of a computed operand for one record.
enum ComputedResult: Hashable, Sendable {
    case value(FieldValue)
    /// A number that is not exact.
    case double(Double)

    /// Nil for values of different kinds. Exact unless a number is not.
    func order(to other: ComputedResult) -> ValueOrder? {
        if case (.value(let left), .value(let right)) = (self, other),
            let order = left.order(to: right)
        {
            return order
        }
        if let left = number, let right = other.number { return ValueOrder(left, right) }
        guard let left = text, let right = other.text else { return nil }
        return ValueOrder(bytesOf: left, right)
    }

    var text: String? {
        switch self {
        case .value(.text(let text)), .value(.reference(let text)): text
        case .value(.file(let file)): file.filename
        case .value(.integer), .value(.decimal), .value(.boolean), .value(.date), .double: nil
        }
    }

    var integer: Int64? {
        guard case .value(.integer(let number)) = self else { return nil }
        return number
    }

    /// An exact number.
    var decimal: DecimalNumber? {
        switch self {
        case .value(.integer(let number)): DecimalNumber(number)
        case .value(.decimal(let number)): number
        case .value(.text), .value(.boolean), .value(.date), .value(.reference), .value(.file),
            .double:
            nil
        }
    }

    var number: Double? {
        switch self {
        case .value(.integer(let number)): Double(number)
        case .value(.decimal(let number)): Double(number.description)
        case .double(let number): number
        case .value(.text), .value(.boolean), .value(.date), .value(.reference), .value(.file): nil
        }
    }

    var milliseconds: Int64? {
        guard case .value(.date(let milliseconds)) = self else { return nil }
        return milliseconds
    }
}
