import ChangeRules
import Foundation
package import JSON

/// Reads and writes JSON texts that a store keeps for the engine.
package enum JSONText {
    package static func encode(_ value: some Encodable) throws(StoreError) -> String {
        if let value = value as? any JSONWritable { return text { value.write(to: &$0) } }
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw .unreadable("a value cannot be written as JSON: \(error)")
        }
    }

    package static func text(of fields: [String: JSONValue]) -> String {
        text { $0.object(fields) }
    }

    /// Encodes the fields of a record as they are stored: in byte order of their names, without
    /// nulls. The names of the model are sorted already, so fields are sorted only without a model
    /// or if it lacks one of them.
    static func text(ofValuesIn fields: [String: JSONValue], by model: ModelRules?) -> String {
        var writer = JSONWriter()
        writer.piece("{")
        var (found, isFirst) = (0, true)
        for (name, start) in model?.jsonNames ?? [] {
            guard let value = fields[name] else { continue }
            found += 1
            guard value != .null else { continue }
            if !isFirst { writer.piece(",") }
            isFirst = false
            writer.piece(start)
            writer.value(value)
        }
        writer.piece("}")
        return found == fields.count
            ? writer.text : text(of: fields.filter { $0.value != .null })
    }

    /// The size of a value as it is stored.
    static func bytes(of value: JSONValue) -> Int {
        var writer = JSONWriter()
        writer.value(value)
        return writer.withBytes { $0.count }
    }

    private static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return writer.text
    }

    package static func decode<Value: Decodable>(
        _ text: String, as type: Value.Type
    ) throws(StoreError) -> Value {
        do {
            return try decodeMessage(type, from: Array(text.utf8))
        } catch {
            throw .unreadable("a stored \(type) cannot be read: \(error)")
        }
    }

    /// Reads a JSON object. Throws `unreadable` if the text is none.
    package static func fields(_ text: String) throws(StoreError) -> [String: JSONValue] {
        guard case .object(let fields) = try value(text) else {
            throw .unreadable("stored fields are no JSON object")
        }
        return fields
    }

    /// Reads any JSON value. Throws `unreadable` if the text is none.
    package static func value(_ text: String) throws(StoreError) -> JSONValue {
        do {
            return try parseJSON(Array(text.utf8))
        } catch {
            throw .unreadable("stored JSON cannot be read: \(error)")
        }
    }
}
