import DefinitionModel

/// The order of two values.
enum ValueOrder: Hashable, Sendable {
    case before, same, after

    init<Value: Comparable>(_ left: Value, _ right: Value) {
        self = left < right ? .before : right < left ? .after : .same
    }

    /// Compares UTF-8 bytes, the only order that is the same in every store and language.
    init(bytesOf left: String, _ right: String) {
        var (left, right) = (left.utf8.makeIterator(), right.utf8.makeIterator())
        while true {
            switch (left.next(), right.next()) {
            case (let one?, let other?) where one == other: continue
            case (let one?, let other?):
                self = one < other ? .before : .after
                return
            case (nil, nil):
                self = .same
                return
            case (nil, _?):
                self = .before
                return
            case (_?, nil):
                self = .after
                return
            }
        }
    }
}

extension FieldValue {
    /// Returns the order of two values; exact for numbers of different types. Returns nil for
    /// values of different kinds.
    func order(to other: FieldValue) -> ValueOrder? {
        switch (self, other) {
        case (.text(let left), .text(let right)): ValueOrder(bytesOf: left, right)
        case (.integer(let left), .integer(let right)): ValueOrder(left, right)
        case (.decimal(let left), .decimal(let right)): ValueOrder(left, right)
        case (.integer(let left), .decimal(let right)): ValueOrder(DecimalNumber(left), right)
        case (.decimal(let left), .integer(let right)): ValueOrder(left, DecimalNumber(right))
        case (.boolean(let left), .boolean(let right)): ValueOrder(left ? 1 : 0, right ? 1 : 0)
        case (.date(let left), .date(let right)): ValueOrder(left, right)
        case (.reference(let left), .reference(let right)): ValueOrder(bytesOf: left, right)
        case (.file(let left), .file(let right)):
            ValueOrder(bytesOf: left.guid + left.filename, right.guid + right.filename)
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _),
            (.reference, _), (.file, _):
            nil
        }
    }
}
