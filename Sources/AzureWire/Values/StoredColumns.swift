import DefinitionModel
import JSON
import SyncEngine

/// The columns of the rows that show the same fields.
struct StoredColumns: Sendable {
    /// Neighbours that rows have as they are stored, or one column that is converted.
    private enum Piece {
        case copied(Range<Int>)
        case converted(Int)
    }

    let names: [String]
    private let columns: [StoredColumn]
    private let pieces: [Piece]

    /// - Parameter namingRelated: Whether related rows may have other ids than their guids.
    init(of selection: FieldSelection, in table: Table, namingRelated: Bool) {
        let fields = Dictionary(uniqueKeysWithValues: table.model.fields.map { ($0.name, $0) })
        names = selection.names
        columns = names.compactMap { fields[$0] }.map(StoredColumn.init)
        var pieces: [Piece] = []
        for (index, column) in columns.enumerated() {
            guard column.isCopied, !(namingRelated && column.isRelation) else {
                pieces.append(.converted(index))
                continue
            }
            if case .copied(let indexes)? = pieces.last {
                pieces[pieces.count - 1] = .copied(indexes.lowerBound..<index + 1)
            } else {
                pieces.append(.copied(index..<index + 1))
            }
        }
        self.pieces = pieces
    }

    /// Writes the columns of a row, with a comma before each. See `StoredColumn.write`.
    func write(
        _ values: StoredValues, naming ids: [String: String], omittingNull: Bool,
        to writer: inout JSONWriter
    ) {
        guard values.isWhole, !omittingNull else {
            for index in columns.indices {
                columns[index].write(
                    values[index], naming: ids, omittingNull: omittingNull, to: &writer)
            }
            return
        }
        for piece in pieces {
            switch piece {
            case .copied(let indexes):
                writer.piece(",")
                writer.piece(values.members(indexes))
            case .converted(let index):
                columns[index].write(
                    values[index], naming: ids, omittingNull: false, to: &writer)
            }
        }
    }
}
