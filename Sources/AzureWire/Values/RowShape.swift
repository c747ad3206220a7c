import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine

/// The form of each row in an answer: its columns, and its system properties under the names of the
/// client's generation.
struct RowShape {
    let table: Table
    /// In lower case; nil for all columns.
    let columns: Set<String>?
    /// The columns of the last stored fields, in their order, and their names.
    private var plainColumns: (names: [String], columns: [PlainColumn]) = ([], [])
    /// The system properties that rows have, each with the bytes before its value.
    private let properties: [(property: SystemProperty, start: [UInt8])]
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
        self.columns = columns
        self.properties = SystemProperty.allCases.filter { property in
            // Clients fail without these, whatever they have selected.
            let isNeeded = property == .updatedAt || property == .deleted
            let isShown = columns?.contains(property.rawValue.lowercased()) ?? true
            return properties.contains(property) && (isNeeded || isShown)
        }.map { property in
            var writer = JSONWriter()
            writer.piece(",")
            writer.string(dialect.name(of: property))
            writer.piece(":")
            return (property, writer.bytes)
        }
    }

    mutating func write(_ row: FoundView, to writer: inout JSONWriter) throws(SyncError) {
        writer.piece("{\"id\":")
        writer.string(row.id)
        if let stored = row.stored {
            try write(stored, to: &writer)
        } else if !row.record.isDeleted, let fields = row.record.fields {
            for field in table.model.fields where shows(field.foreignName) {
                guard let value = fields[field.name] else { continue }
                writer.piece(",")
                writer.string(field.foreignName)
                writer.piece(":")
                write(value, of: field.type.name, to: &writer)
            }
        }
        for (property, start) in properties {
            writer.piece(start)
            write(property, of: row, to: &writer)
        }
        writer.piece("}")
    }

    /// Copies the values as they are stored.
    private mutating func write(
        _ stored: StoredFields, to writer: inout JSONWriter
    ) throws(SyncError) {
        if plainColumns.names != stored.selection.names {
            let names = stored.selection.names
            let fields = Dictionary(uniqueKeysWithValues: table.model.fields.map { ($0.name, $0) })
            plainColumns = (names, names.compactMap { fields[$0] }.map(PlainColumn.init))
        }
        let columns = plainColumns.columns
        do {
            try stored.forEachValue { columns[$0].write($1, to: &writer) }
        } catch {
            throw .store(error)
        }
    }

    func bytes(of row: FoundView) throws(SyncError) -> [UInt8] {
        var shape = self
        var writer = JSONWriter()
        try shape.write(row, to: &writer)
        return writer.bytes
    }

    private func shows(_ name: String) -> Bool { columns?.contains(name.lowercased()) ?? true }

    private func write(
        _ property: SystemProperty, of row: FoundView, to writer: inout JSONWriter
    ) {
        switch property {
        case .createdAt: writer.string(preciseInstant(milliseconds: row.createdAt.milliseconds))
        case .updatedAt: writer.string(preciseInstant(milliseconds: row.changedAt.milliseconds))
        case .version: writer.string(RowVersion(row.record.revision).text)
        case .deleted: writer.flag(row.record.isDeleted)
        }
    }

    /// A number is written as one, a time as text, and a file by its name.
    private func write(_ value: JSONValue, of type: FieldTypeName, to writer: inout JSONWriter) {
        switch (type, value) {
        case (.decimal, .string(let digits)): writer.piece(written: digits)
        case (.date, .integer(let milliseconds)):
            writer.string(preciseInstant(milliseconds: milliseconds))
        case (.belongsTo, .string(let guid)): writer.string(ids[guid] ?? guid)
        case (.file, .object(let file)): writer.value(file["filename"] ?? .null)
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            writer.value(value)
        }
    }
}
