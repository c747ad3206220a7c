/// A key of any name: to look at all keys that a message has.
private struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init?(stringValue: String) {
        self.stringValue = stringValue
        intValue = nil
    }

    init?(intValue: Int) {
        stringValue = String(intValue)
        self.intValue = intValue
    }
}

extension Decoder {
    /// A container that has refused every key it does not know: a misspelt one would otherwise be
    /// ignored, and a client's mistake pass for a success.
    package func strictContainer<Key: CodingKey & CaseIterable>(
        keyedBy type: Key.Type
    ) throws -> KeyedDecodingContainer<Key> {
        try strictContainer(keyedBy: type, only: Array(Key.allCases))
    }

    /// The same for a message that has only some of the keys.
    package func strictContainer<Key: CodingKey>(
        keyedBy type: Key.Type, only keys: [Key]
    ) throws -> KeyedDecodingContainer<Key> {
        let known = Set(keys.map(\.stringValue))
        let present = try container(keyedBy: AnyKey.self).allKeys
        if let unknown = present.filter({ !known.contains($0.stringValue) })
            .min(by: { $0.stringValue < $1.stringValue })
        {
            let names = keys.map { "'\($0.stringValue)'" }.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [unknown],
                    debugDescription: "no such member here; the members are \(names)"))
        }
        return try container(keyedBy: type)
    }
}

extension KeyedDecodingContainer {
    /// One of an enumeration's words; any other is refused with those there are.
    package func decodeWord<Word: RawRepresentable<String> & CaseIterable>(
        forKey key: Key
    ) throws -> Word {
        let text = try decode(String.self, forKey: key)
        guard let word = Word(rawValue: text) else {
            let words = Word.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [key], debugDescription: "use one of \(words)"))
        }
        return word
    }

    package func decodeWordIfPresent<Word: RawRepresentable<String> & CaseIterable>(
        forKey key: Key
    ) throws -> Word? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        return try decodeWord(forKey: key)
    }

    /// By name, each one of an enumeration's words; or nothing.
    package func decodeWordsIfPresent<Word: RawRepresentable<String> & CaseIterable>(
        forKey key: Key
    ) throws -> [String: Word]? {
        guard contains(key), try !decodeNil(forKey: key) else { return nil }
        let words = try nestedContainer(keyedBy: AnyKey.self, forKey: key)
        return try Dictionary(
            words.allKeys.map { ($0.stringValue, try words.decodeWord(forKey: $0)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// A whole number, or nothing. One that 64 bits cannot hold is refused at its place.
    package func decodeNumberIfPresent(forKey key: Key) throws -> Int64? {
        guard let json = try decodeIfPresent(JSONValue.self, forKey: key) else { return nil }
        switch json {
        case .integer(let number): return number
        case .null: return nil
        case .boolean, .decimal, .string, .array, .object, .unrepresentable:
            throw DecodingError.typeMismatch(
                Int64.self,
                DecodingError.Context(
                    codingPath: codingPath + [key], debugDescription: "no whole number"))
        }
    }
}
