import JSON

/// A pointer as clients write it: the object that it names need not exist.
struct ParsePointer: Hashable, Sendable {
    let className: String
    let objectID: String
}

extension ParsePointer {
    /// A pointer, or an object in place of one.
    init?(_ json: JSONValue) {
        guard case .object(let members) = json, case .string(let type)? = members["__type"],
            type == "Pointer" || type == "Object",
            case .string(let className)? = members["className"],
            case .string(let objectID)? = members["objectId"]
        else { return nil }
        self.init(className: className, objectID: objectID)
    }

    /// Every pointer in a value.
    static func all(in json: JSONValue) -> Set<ParsePointer> {
        if let pointer = ParsePointer(json) { return [pointer] }
        switch json {
        case .array(let elements): return all(in: elements)
        case .object(let members): return all(in: members.values)
        case .null, .boolean, .integer, .decimal, .string, .unrepresentable: return []
        }
    }

    static func all(in values: some Sequence<JSONValue>) -> Set<ParsePointer> {
        values.reduce(into: []) { $0.formUnion(all(in: $1)) }
    }

    var json: JSONValue {
        .object([
            "__type": .string("Pointer"), "className": .string(className),
            "objectId": .string(objectID),
        ])
    }
}

/// A record, and the id that it is created with if its guid is not its id.
struct NamedRecord: Hashable, Sendable {
    let guid: String
    let name: String?
}

/// The records that ids stand for, looked up beforehand.
struct RecordTable: Sendable {
    private var records: [ParsePointer: NamedRecord] = [:]
    private let classNames: ClassNames

    init(_ classNames: ClassNames = ClassNames()) { self.classNames = classNames }

    func className(of model: String) -> String { classNames[model] }

    mutating func add(_ record: NamedRecord, of pointer: ParsePointer) {
        records[pointer] = record
    }

    subscript(pointer: ParsePointer) -> NamedRecord? { records[pointer] }

    /// Nil for an id that no record can have.
    func guid(of pointer: ParsePointer) -> String? { records[pointer]?.guid }
}
