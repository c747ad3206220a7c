/// Reads a message from JSON without rounding, repairing or dropping any of it, see `parseJSON`.
///
/// Every mistake is a `DecodingError` with the path of what is wrong; the path is empty when the
/// text is not JSON at all.
package func decodeMessage<Message: Decodable>(
    _ type: Message.Type, from json: [UInt8]
) throws -> Message {
    let json = try parseJSON(json)
    let type = type as? any WellFormed.Type
    return try type?.init(wellFormed: json) as? Message ?? decode(Message.self, from: json)
}

/// Reads a message from its members, one by one. A mistake is a `DecodingError` with the path of
/// the member.
package func decode<Message: Decodable>(
    _ type: Message.Type, from json: JSONValue
) throws -> Message {
    try read(type, from: json, at: [])
}

/// Reads a value from JSON that is parsed already.
private func read<Value: Decodable>(
    _ type: Value.Type, from json: JSONValue, at path: [any CodingKey]
) throws -> Value {
    if let value = json as? Value { return value }
    guard type is any JSONScalar.Type else {
        return try Value(from: JSONValueDecoder(json: json, codingPath: path))
    }
    return try scalar(type, from: json, at: path)
}

/// A leaf of a message. A type that is missing here is refused, not guessed.
private protocol JSONScalar {
    init?(_ json: JSONValue)
}

extension String: JSONScalar {
    fileprivate init?(_ json: JSONValue) {
        guard case .string(let text) = json else { return nil }
        self = text
    }
}

extension Bool: JSONScalar {
    fileprivate init?(_ json: JSONValue) {
        guard case .boolean(let flag) = json else { return nil }
        self = flag
    }
}

extension Int64: JSONScalar {
    fileprivate init?(_ json: JSONValue) {
        guard case .integer(let number) = json else { return nil }
        self = number
    }
}

extension Int: JSONScalar {
    fileprivate init?(_ json: JSONValue) {
        guard case .integer(let number) = json else { return nil }
        self.init(exactly: number)
    }
}

private func scalar<Value>(
    _ type: Value.Type, from json: JSONValue, at path: [any CodingKey]
) throws -> Value {
    if let scalar = type as? any JSONScalar.Type, let value = scalar.init(json) as? Value {
        return value
    }
    throw mismatch(type, json, at: path)
}

private func mismatch(
    _ type: any Any.Type, _ json: JSONValue, at path: [any CodingKey]
) -> DecodingError {
    let context = DecodingError.Context(
        codingPath: path, debugDescription: "this is \(json.kind), give what the message takes")
    return json == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
}

private struct JSONValueDecoder: Decoder, SingleValueDecodingContainer {
    let json: JSONValue
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = json else {
            throw mismatch([String: Any].self, json, at: codingPath)
        }
        return KeyedDecodingContainer(ObjectContainer(members: members, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let elements) = json else {
            throw mismatch([Any].self, json, at: codingPath)
        }
        return ArrayContainer(elements: elements, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { json == .null }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try scalar(type, from: json, at: codingPath)
    }
}

private struct ObjectContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let members: [String: JSONValue]
    let codingPath: [any CodingKey]

    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool { members[key.stringValue] != nil }

    func decodeNil(forKey key: Key) throws -> Bool { try member(key) == .null }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try read(type, from: member(key), at: codingPath + [key])
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try superDecoder(forKey: key).unkeyedContainer()
    }

    func superDecoder() -> any Decoder {
        JSONValueDecoder(json: .object(members), codingPath: codingPath)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try JSONValueDecoder(json: member(key), codingPath: codingPath + [key])
    }

    private func member(_ key: Key) throws -> JSONValue {
        guard let json = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                DecodingError.Context(
                    codingPath: codingPath,
                    debugDescription: "the member '\(key.stringValue)' is missing, add it"))
        }
        return json
    }
}

private struct ArrayContainer: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    private(set) var currentIndex = 0

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
        self.elements = elements
        self.codingPath = codingPath
    }

    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    mutating func decodeNil() throws -> Bool {
        guard try element() == .null else { return false }
        currentIndex += 1
        return true
    }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        let value = try read(type, from: element(), at: elementPath)
        currentIndex += 1
        return value
    }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type
    ) throws -> KeyedDecodingContainer<NestedKey> {
        try superDecoder().container(keyedBy: type)
    }

    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try superDecoder().unkeyedContainer()
    }

    mutating func superDecoder() throws -> any Decoder {
        let decoder = try JSONValueDecoder(json: element(), codingPath: elementPath)
        currentIndex += 1
        return decoder
    }

    private var elementPath: [any CodingKey] { codingPath + [IndexKey(currentIndex)] }

    private func element() throws -> JSONValue {
        guard !isAtEnd else {
            throw DecodingError.valueNotFound(
                JSONValue.self,
                DecodingError.Context(
                    codingPath: elementPath, debugDescription: "the list ends here, add a value"))
        }
        return elements[currentIndex]
    }
}

private struct IndexKey: CodingKey {
    let index: Int

    init(_ index: Int) { self.index = index }
    init?(intValue: Int) { self.init(intValue) }
    init?(stringValue: String) { return nil }

    var intValue: Int? { index }
    var stringValue: String { "Index \(index)" }
}

extension JSONValue {
    fileprivate var kind: String {
        switch self {
        case .null: "null"
        case .boolean: "a boolean"
        case .integer, .decimal: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        case .unrepresentable: "nothing that can be held exactly"
        }
    }
}
