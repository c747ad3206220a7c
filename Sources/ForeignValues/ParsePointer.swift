import DefinitionModel
package import JSON

/// A pointer as clients of Parse write it: the object that it names need not exist. Pointers are
/// compared by bytes, as ids are.
package struct ParsePointer: Hashable, Sendable {
    package let className: String
    package let objectID: String

    package init(className: String, objectID: String) {
        self.className = className
        self.objectID = objectID
    }

    package static func == (left: ParsePointer, right: ParsePointer) -> Bool {
        left.objectID.hasSameBytes(as: right.objectID)
            && left.className.hasSameBytes(as: right.className)
    }
}

extension ParsePointer {
    /// A pointer, or an object in place of one.
    package init?(_ json: JSONValue) {
        guard case .object(let members) = json, case .string(let type)? = members["__type"],
            type == "Pointer" || type == "Object",
            case .string(let className)? = members["className"],
            case .string(let objectID)? = members["objectId"]
        else { return nil }
        self.init(className: className, objectID: objectID)
    }

    /// Every pointer in a value.
    package static func all(in json: JSONValue) -> Set<ParsePointer> {
        if let pointer = ParsePointer(json) { return [pointer] }
        switch json {
        case .array(let elements): return all(in: elements)
        case .object(let members): return all(in: members.values)
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: return []
        }
    }

    package static func all(in values: some Sequence<JSONValue>) -> Set<ParsePointer> {
        values.reduce(into: []) { $0.formUnion(all(in: $1)) }
    }

    package var json: JSONValue {
        .object([
            "__type": .string("Pointer"), "className": .string(className),
            "objectId": .string(objectID),
        ])
    }
}
