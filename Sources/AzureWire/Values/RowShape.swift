import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import SyncEngine

/// The form of each row in an answer: its columns, and its system properties under the names of the
/// client's generation.
struct RowShape {
    let table: Table
    /// In lower case; nil for all columns.
    let columns: Set<String>?
    /// The columns of the last stored fields.
    private var storedColumns: StoredColumns?
    /// The system properties that rows have, each with the bytes before its value.
    private let properties: [(property: SystemProperty, start: [UInt8])]
    /// Whether columns without a value are left out.
    private let omitsNull: Bool
    /// The ids of related rows that are not their guids, by guid.
    var ids: [String: String] = [:]

    /// - Parameter columns: Nil for the whole row, as answers to changes have it.
    init(
        _ table: Table, _ dialect: ClientGeneration, properties: Set<SystemProperty>,
        columns: Set<String>? = nil, omitsNull: Bool = false
    ) {
        self.table = table
        self.columns = columns
        self.omitsNull = omitsNull
        self.properties = SystemProperty.allCases.filter { property in
            // The first generation asks for them apart from columns. Later clients fail without
            // some, whatever they have selected.
            let isNeeded =
                dialect == .services || property == .updatedAt || property == .deleted
            let names = [property.rawValue.lowercased(), "__\(property.rawValue.lowercased())"]
            let isShown = columns.map { $0.contains(where: names.contains) } ?? true
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
                guard let value = fields[field.name], !omitsNull || value != .null else {
                    continue
                }
                writer.piece(",")
                writer.string(field.foreignName)
                writer.piece(":")
                write(value, of: field.type.name, to: &writer)
            }
        }
        let state = RowState(
            revision: row.record.revision, isDeleted: row.record.isDeleted,
            createdAt: row.createdAt, changedAt: row.changedAt)
        writeProperties(of: state, to: &writer)
        writer.piece("}")
    }

    /// Copies the values as they are stored.
    private mutating func write(
        _ stored: StoredFields, to writer: inout JSONWriter
    ) throws(SyncError) {
        let columns: StoredColumns
        if let last = storedColumns, last.names == stored.selection.names {
            columns = last
        } else {
            columns = self.columns(of: stored.selection)
            storedColumns = columns
        }
        do {
            try stored.withValues {
                columns.write($0, naming: ids, omittingNull: omitsNull, to: &writer)
            }
        } catch {
            throw .store(error)
        }
    }

    private func columns(of selection: FieldSelection) -> StoredColumns {
        StoredColumns(of: selection, in: table, namingRelated: !ids.isEmpty)
    }

    /// Writes all rows of a page as a list.
    func write(_ page: StampedPage, to writer: inout JSONWriter) throws(SyncError) {
        let selected = page.selections.map(columns(of:))
        var isFirst = true
        writer.piece("[")
        do {
            try page.forEachRow { row throws(StoreError) in
                writer.piece(isFirst ? "{\"id\":" : ",{\"id\":")
                isFirst = false
                if let name = row.name { writer.string(name) } else { writer.string(row.guid) }
                if !row.isDeleted {
                    try page.withValues(of: row) {
                        selected[row.selection].write(
                            $0, naming: ids, omittingNull: omitsNull, to: &writer)
                    }
                }
                let state = RowState(
                    revision: row.revision, isDeleted: row.isDeleted,
                    createdAt: row.stamps.createdAt, changedAt: row.stamps.changedAt)
                writeProperties(of: state, to: &writer)
                writer.piece("}")
            }
        } catch {
            throw .store(error)
        }
        writer.piece("]")
    }

    func bytes(of row: FoundView) throws(SyncError) -> [UInt8] {
        var shape = self
        var writer = JSONWriter()
        try shape.write(row, to: &writer)
        return writer.bytes
    }

    private func shows(_ name: String) -> Bool { columns?.contains(name.lowercased()) ?? true }

    private func writeProperties(of row: RowState, to writer: inout JSONWriter) {
        for (property, start) in properties {
            writer.piece(start)
            switch property {
            case .createdAt: writer.instant(row.createdAt.milliseconds)
            case .updatedAt: writer.instant(row.changedAt.milliseconds)
            case .version: RowVersion(row.revision).write(to: &writer)
            case .deleted: writer.flag(row.isDeleted)
            }
        }
    }

    /// A number is written as one, a time as text, and a file by its name.
    private func write(_ value: JSONValue, of type: FieldTypeName, to writer: inout JSONWriter) {
        switch (type, value) {
        case (.decimal, .string(let digits)): writer.piece(written: digits)
        case (.date, .integer(let milliseconds)): writer.instant(milliseconds)
        case (.belongsTo, .string(let guid)): writer.string(ids[guid] ?? guid)
        case (.file, .object(let file)): writer.value(file["filename"] ?? .null)
        case (.text, _), (.integer, _), (.decimal, _), (.boolean, _), (.date, _), (.belongsTo, _),
            (.file, _):
            writer.value(value)
        }
    }
}

/// The values of a row that its system properties show.
private struct RowState {
    let revision: Int64
    let isDeleted: Bool
    let createdAt: Instant
    let changedAt: Instant
}
