import DefinitionModel
import JSON

/// A column whose values a row has as they are stored, but for times and decimals.
struct PlainColumn: Sendable {
    /// The name of the field as a JSON string.
    let key: [UInt8]
    /// The bytes before the value in a row: `,"complete":`.
    let start: [UInt8]
    let type: FieldTypeName

    private init(_ field: Field) {
        var writer = JSONWriter()
        writer.string(field.name)
        key = writer.bytes
        var name = JSONWriter()
        name.piece(",")
        name.string(field.foreignName)
        name.piece(":")
        start = name.bytes
        type = field.type.name
    }

    /// In the byte order of the fields' names, as records have them.
    static func all(of table: Table) -> [PlainColumn] {
        table.model.fields.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
            .map(PlainColumn.init)
    }
}
