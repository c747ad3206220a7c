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

    /// The same for what is written most.
    static func text(of fields: [String: JSONValue]) -> String {
        text { $0.object(fields) }
    }

    static func text(of outcome: OutcomeMessage) -> String {
        text { outcome.write(to: &$0) }
    }

    private static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    static func decode<Value: Decodable>(
        _ text: String, as type: Value.Type
    ) throws(StoreError) -> Value {
        do {
            return try decodeMessage(type, from: Array(text.utf8))
        } catch {
            throw .unreadable("a stored \(type) cannot be read: \(error)")
        }
    }

    static func fields(_ text: String) throws(StoreError) -> [String: JSONValue] {
        do {
            guard case .object(let fields) = try parseJSON(Array(text.utf8)) else {
                throw StoreError.unreadable("stored fields are no JSON object")
            }
            return fields
        } catch {
            throw .unreadable("stored fields cannot be read: \(error)")
        }
    }
}
