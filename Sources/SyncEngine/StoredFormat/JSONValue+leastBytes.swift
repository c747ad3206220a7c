import ChangeRules
import DefinitionModel
import JSON

extension JSONValue {
    /// At most the size of the value as stored text, for which nothing is encoded.
    var leastBytes: Int {
        switch self {
        case .null, .boolean, .integer, .unrepresentable: 1
        case .decimal(let text), .string(let text): text.utf8.count
        case .array(let elements): elements.leastBytes
        case .object(let members): members.leastBytes
        }
    }
}

extension [JSONValue] {
    fileprivate var leastBytes: Int { reduce(0) { $0 + $1.leastBytes } }
}

extension [String: JSONValue] {
    var leastBytes: Int { reduce(0) { $0 + $1.key.utf8.count + $1.value.leastBytes } }
}

extension Change {
    /// At most the size of the values that it gives.
    var leastBytes: Int { values.values.reduce(0) { $0 + $1.leastBytes } }
}

extension GivenValue {
    fileprivate var leastBytes: Int {
        switch self {
        case .null, .unreadable: 1
        case .value(let value), .added(let value): value.leastBytes
        case .edited(let edits): edits.reduce(0) { $0 + $1.action.leastBytes }
        }
    }
}

extension FieldValue {
    fileprivate var leastBytes: Int {
        switch self {
        case .text(let text), .reference(let text): text.utf8.count
        case .boolean, .integer, .decimal, .date: 1
        case .file: JSONValue(self).leastBytes
        }
    }
}

extension JSONEdit.Action {
    fileprivate var leastBytes: Int {
        switch self {
        case .removeMember: 0
        case .set(let value), .increment(let value): value.leastBytes
        case .append(let elements), .appendMissing(let elements), .removeElements(let elements):
            elements.leastBytes
        }
    }
}
