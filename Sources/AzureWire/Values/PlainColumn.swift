import DefinitionModel
import JSON

/// A column whose values a row has as they are stored, but for times and decimals.
struct PlainColumn: Sendable {
    /// The bytes before the value in a row: `,"complete":`.
    private let start: [UInt8]
    private let type: FieldTypeName

    init(_ field: Field) {
        var writer = JSONWriter()
        writer.piece(",")
        writer.string(field.foreignName)
        writer.piece(":")
        start = writer.bytes
        type = field.type.name
    }

    /// Writes the column with its stored value, which is nil if the record has none.
    func write(_ value: UnsafeBufferPointer<UInt8>?, to writer: inout JSONWriter) {
        writer.piece(start)
        guard let value else { return writer.piece("null") }
        switch type {
        case .decimal where value.first == UInt8(ascii: "\""):
            writer.piece(UnsafeBufferPointer(rebasing: value.dropFirst().dropLast()))
        case .date:
            let time = Int64(String(decoding: value, as: UTF8.self))
            writer.value(time.map { .string(preciseInstant(milliseconds: $0)) } ?? .null)
        case .text, .integer, .decimal, .boolean, .belongsTo, .file: writer.piece(value)
        }
    }
}
