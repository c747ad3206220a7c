import Foundation
import SyncProtocol

/// Texts that a store keeps for the engine, and hands back as they were.
enum JSONText {
    static func encode(_ value: some Encodable) throws(StoreError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .unreadable("a value cannot be written as JSON: \(error)")
        }
    }

    static func decode<Value: Decodable>(
        _ text: String, as type: Value.Type
    ) throws(StoreError) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(text.utf8))
        } catch {
            throw .unreadable("a stored \(type) cannot be read: \(error)")
        }
    }

    static func fields(_ text: String) throws(StoreError) -> [String: JSONValue] {
        try decode(text, as: [String: JSONValue].self)
    }
}
