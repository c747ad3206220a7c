import DefinitionModel
import Foundation
import JSON

/// The value of a text field with the format `json`: a JSON object or array. To records and
/// conflicts it is one value.
public struct JSONDocument: FormattedText {
    /// The JSON, without spaces and with the members of objects in the order of their bytes.
    public let text: String

    /// Nil unless the text is a JSON object or array, nested at most 24 deep, whose numbers have at
    /// most 38 digits.
    public init?(_ text: String) {
        guard let canonical = JSONValue(formatted: text)?.text else { return nil }
        self.text = canonical
    }

    /// The object or array as which a value encodes itself. Throws what encoding throws, and
    /// `EncodingError.invalidValue` for a value that is neither, or that a field cannot hold.
    public init(encoding value: some Encodable) throws {
        let encoded = try JSONEncoder().encode(value)
        guard let document = Self(String(decoding: encoded, as: UTF8.self)) else {
            throw EncodingError.invalidValue(
                value,
                EncodingError.Context(
                    codingPath: [],
                    debugDescription: "the value is no object or array that a field can hold"))
        }
        self = document
    }

    /// The default of a field, as generated code writes it; the compiler of the definition has
    /// checked it.
    public init(canonical text: String) {
        self.text = text
    }

    /// Decodes a value from the JSON. Throws what decoding throws.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
