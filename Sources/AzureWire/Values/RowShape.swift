import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// The form of each row in an answer: its columns, and its system properties under the names of the
/// client's generation.
struct RowShape {
    let table: Table
    let dialect: ClientGeneration
    let properties: Set<SystemProperty>
    /// In lower case; nil for all columns.
    let columns: Set<String>?
    private let plainColumns: [PlainColumn]
    /// The ids of related rows that are not their guids, by guid.
    var ids: [String: String] = [:]

    /// The whole row, as answers to changes have it.
    init(_ table: Table, _ dialect: ClientGeneration, properties: Set<SystemProperty>) {
        self.init(table, dialect, properties: properties, columns: nil)
    }

    init(
        _ table: Table, _ dialect: ClientGeneration, properties: Set<SystemProperty>,
        columns: Set<String>?
    ) {
        self.table = table
        self.dialect = dialect
        self.properties = properties
        self.columns = columns
        plainColumns = columns == nil && table.hasPlainColumns ? PlainColumn.all(of: table) : []
    }

    func write(_ row: FoundView, to writer: inout JSONWriter) {
        writer.piece("{\"id\":")
        writer.string(row.id)
        if let text = row.fieldsText {
            write(columnsIn: text, to: &writer)
        } else if !row.record.isDeleted, let fields = row.record.fields {
            for field in table.model.fields where shows(field.foreignName) {
                guard let value = fields[field.name] else { continue }
                writer.piece(",")
                writer.string(field.foreignName)
                writer.piece(":")
                write(value, of: field.type.name, to: &writer)
            }
        }
        for property in SystemProperty.allCases
        where properties.contains(property) && shows(property) {
            writer.piece(",")
            writer.string(dialect.name(of: property))
            writer.piece(":")
            write(property, of: row, to: &writer)
        }
        writer.piece("}")
    }

    /// Copies the values as they are stored. The fields are in the order of the plain columns.
    private func write(columnsIn text: String, to writer: inout JSONWriter) {
        var text = text
        text.withUTF8 { utf8 in
            var rest = plainColumns[...]
            for member in members(of: utf8) ?? [] {
                rest = rest.drop { !$0.key.elementsEqual(utf8[member.key]) }
                guard let column = rest.popFirst() else { return }
                writer.piece(column.start)
                let value = UnsafeBufferPointer(rebasing: utf8[member.value])
                let isText = value.first == UInt8(ascii: "\"")
                switch column.type {
                case .decimal where isText:
                    writer.piece(UnsafeBufferPointer(rebasing: value.dropFirst().dropLast()))
                case .date:
                    let time = Int64(String(decoding: value, as: UTF8.self))
                    writer.value(time.map { .string(rowTime($0)) } ?? .null)
                case .text, .integer, .decimal, .boolean, .belongsTo, .file: writer.piece(value)
                }
            }
        }
    }

    func bytes(of row: FoundView) -> [UInt8] {
        var writer = JSONWriter()
        write(row, to: &writer)
        return writer.bytes
    }

    private func shows(_ name: String) -> Bool { columns?.contains(name.lowercased()) ?? true }

    /// Clients fail without these, whatever they have selected.
    private func shows(_ property: SystemProperty) -> Bool {
        switch property {
        case .updatedAt, .deleted: true
        case .createdAt, .version: shows(property.rawValue)
        }
    }

    private func write(
        _ property: SystemProperty, of row: FoundView, to writer: inout JSONWriter
    ) {
        switch property {
        case .createdAt: writer.string(rowTime(row.createdAt.milliseconds))
        case .updatedAt: writer.string(rowTime(row.changedAt.milliseconds))
        case .version: writer.string(RowVersion(row.record.revision).text)
        case .deleted: writer.flag(row.record.isDeleted)
        }
    }

    /// A number is written as one, a time as text, and a file by its name.
    private func write(_ value: JSONValue, of type: FieldTypeName, to writer: inout JSONWriter) {
        switch (type, value) {
        case (.decimal, .string(let digits)): writer.piece(written: digits)
        case (.date, .integer(let milliseconds)): writer.string(rowTime(milliseconds))
        case (.belongsTo, .string(let guid)): writer.string(ids[guid] ?? guid)
        case (.file, .object(let file)): writer.value(file["filename"] ?? .null)
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            writer.value(value)
        }
    }
}
