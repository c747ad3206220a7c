import Foundation

/// A JSON value of the kinds that Waggle writes.
enum JSONNode: Hashable, Decodable {
    case null
    case boolean(Bool)
    case integer(Int)
    case text(String)
    case list([JSONNode])
    case object([String: JSONNode])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .boolean(value)
        } else if let value = try? container.decode(Int.self) {
            self = .integer(value)
        } else if let value = try? container.decode(String.self) {
            self = .text(value)
        } else if let value = try? container.decode([JSONNode].self) {
            self = .list(value)
        } else {
            self = .object(try container.decode([String: JSONNode].self))
        }
    }

    init(parsing text: String) throws {
        self = try JSONDecoder().decode(JSONNode.self, from: Data(text.utf8))
    }

    /// The value at a path of keys and indices; nil if the path does not exist.
    subscript(_ path: String...) -> JSONNode? {
        path.reduce(self) { node, step in
            switch node {
            case .object(let properties): properties[step]
            case .list(let items): Int(step).flatMap { $0 < items.count ? items[$0] : nil }
            case .null, .boolean, .integer, .text, nil: nil
            }
        }
    }

    var items: [JSONNode] {
        if case .list(let items) = self { items } else { [] }
    }

    var text: String? {
        if case .text(let text) = self { text } else { nil }
    }

    var integer: Int? {
        if case .integer(let number) = self { number } else { nil }
    }

    /// A copy with another value at a path, or with the member removed if the value is nil.
    func setting(_ value: JSONNode?, at path: [String]) -> JSONNode {
        guard let step = path.first else { return value ?? .null }
        let rest = Array(path.dropFirst())
        switch self {
        case .object(var properties):
            properties[step] =
                rest.isEmpty ? value : (properties[step] ?? .null).setting(value, at: rest)
            return .object(properties)
        case .list(var items):
            guard let index = Int(step), items.indices.contains(index) else { return self }
            items[index] = items[index].setting(value, at: rest)
            return .list(items)
        case .null, .boolean, .integer, .text: return self
        }
    }
}
