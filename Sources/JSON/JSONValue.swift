import Foundation

/// Any JSON value, as a message may carry it in a record's fields.
///
/// Strings and keys are equal when their bytes are, see `FieldValue`.
package enum JSONValue: Sendable {
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number that is no 64-bit integer, in plain decimal digits (`12.5`).
    /// Always written as a string, which every client can read exactly.
    case decimal(String)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])
    /// A number beyond what can be held exactly, such as 1e400.
    case unrepresentable
}

extension JSONValue: Codable {
    /// Numbers of `parseJSON` are exact; of another decoder's numbers only what two of its readings
    /// agree on is taken, and of more than 38 digits the rest may be lost. So let none but
    /// `decodeMessage` read what a client sends.
    package init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let string = try? container.decode(String.self) {
            self = .string(string)
        } else if let integer = try? container.decode(Int64.self),
            let decimal = try? container.decode(Decimal.self), decimal == Decimal(integer)
        {
            self = .integer(integer)
        } else if let boolean = try? container.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let object = try? container.decode([String: JSONValue].self) {
            self = .object(object)
        } else if let array = try? container.decode([JSONValue].self) {
            self = .array(array)
        } else if let decimal = try? container.decode(Decimal.self), decimal.isFinite {
            self = .decimal(decimal.description)
        } else {
            self = .unrepresentable
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let boolean): try container.encode(boolean)
        case .integer(let integer): try container.encode(integer)
        case .decimal(let text), .string(let text): try container.encode(text)
        case .array(let array): try container.encode(array)
        case .object(let object): try container.encode(object)
        case .unrepresentable: try container.encodeNil()
        }
    }
}

extension JSONValue: Hashable {
    package static func == (left: JSONValue, right: JSONValue) -> Bool {
        switch (left, right) {
        case (.null, .null), (.unrepresentable, .unrepresentable): true
        case (.boolean(let left), .boolean(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)): haveSameBytes(left, right)
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): haveSameMembers(left, right)
        case (.null, _), (.boolean, _), (.integer, _), (.decimal, _), (.string, _), (.array, _),
            (.object, _), (.unrepresentable, _):
            false
        }
    }

    package func hash(into hasher: inout Hasher) {
        switch self {
        case .null: hasher.combine(0)
        case .boolean(let boolean): hasher.combine(boolean)
        case .integer(let integer): hasher.combine(integer)
        case .decimal(let text), .string(let text): hasher.combine(text)
        case .array(let array): hasher.combine(array)
        case .object(let object): hasher.combine(object)
        case .unrepresentable: hasher.combine(1)
        }
    }
}

/// Whether two objects have the same keys, by their bytes, with the same values.
private func haveSameMembers(
    _ left: [String: JSONValue], _ right: [String: JSONValue]
) -> Bool {
    left.count == right.count
        && left.allSatisfy { key, value in
            guard let index = right.index(forKey: key) else { return false }
            let other = right[index]
            return haveSameBytes(key, other.key) && value == other.value
        }
}
