import DefinitionModel
import Foundation
import GRDB

/// The database of one user on a device: one file. Its functions are in extensions by subject, and
/// take the transaction that they are part of.
struct DeviceStore: Sendable {
    let pool: DatabasePool

    private static let timeoutSeconds = 10.0
    /// For the pages of indexes by guid, which a first sync writes in no order.
    private static let writerCacheKibibytes = 16 << 10
    /// The length of the write-ahead log that starts a checkpoint. A page that several transactions
    /// change is then copied to the database once.
    private static let checkpointPages = 4096

    /// Opens the file, or creates it. Relations, unique fields and points of the definition get
    /// indexes.
    init(path: String, definition: Definition) throws(DatabaseError) {
        do {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            // An extension of the app may have the file open too.
            configuration.busyMode = .timeout(Self.timeoutSeconds)
            configuration.prepareDatabase { db in
                db.add(collation: .exactDecimal)
                for function in DatabaseFunction.ofFormats() { db.add(function: function) }
            }
            try makeOwnFile(path)
            pool = try DatabasePool(path: path, configuration: configuration)
            try DeviceSchema.migrator.migrate(pool)
            // The pool sets NORMAL, which may lose the last edits in a power failure.
            try pool.writeWithoutTransaction { db in
                try db.execute(
                    sql: """
                        PRAGMA synchronous = FULL;
                        PRAGMA cache_size = -\(Self.writerCacheKibibytes);
                        PRAGMA wal_autocheckpoint = \(Self.checkpointPages)
                        """)
            }
            try pool.write { db in try createIndexes(for: definition, db) }
        } catch {
            throw DatabaseError(error)
        }
    }

    /// Runs one transaction, which is rolled back if the body throws.
    func write<Result: Sendable>(
        _ body: @Sendable @escaping (GRDB.Database) throws -> Result
    ) async throws(DatabaseError) -> Result {
        do {
            return try await pool.write(body)
        } catch {
            throw DatabaseError(error)
        }
    }

    func read<Result: Sendable>(
        _ body: @Sendable @escaping (GRDB.Database) throws -> Result
    ) async throws(DatabaseError) -> Result {
        do {
            return try await pool.read(body)
        } catch {
            throw DatabaseError(error)
        }
    }
}

/// Names come from a checked definition: letters, digits and underscores.
private func createIndexes(for definition: Definition, _ db: GRDB.Database) throws {
    for model in definition.models {
        for field in model.fields where field.isIndexed {
            try db.execute(
                sql: """
                    CREATE INDEX IF NOT EXISTS "shown_\(model.name)_\(field.name)"
                    ON records(json_extract(shown, '$.\(field.name)'))
                    WHERE model = '\(model.name)' AND shown IS NOT NULL
                    """)
        }
        for field in model.fields where field.type.format?.kind == .geo {
            let place = PlaceColumns(field: field.name)
            // The model comes first: SQLite prefers an equality to a range.
            try db.execute(
                sql: """
                    CREATE INDEX IF NOT EXISTS "place_\(model.name)_\(field.name)"
                    ON records(model, \(place.latitude), \(place.longitude))
                    WHERE model = '\(model.name)' AND shown IS NOT NULL
                    """)
        }
    }
}

extension Field {
    fileprivate var isIndexed: Bool {
        switch type {
        case .belongsTo: true
        case .text, .integer, .boolean, .date: isUnique
        // Decimals compare by a collation and files by the guid in them, so that an index on the
        // value itself would not be used.
        case .decimal, .file: false
        }
    }
}

extension DatabaseCollation {
    /// Decimals are stored as text, and are compared as numbers.
    static let exactDecimal = DatabaseCollation("exactDecimal") { left, right in
        guard let first = DecimalNumber(left), let second = DecimalNumber(right) else {
            return left == right
                ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
        }
        return first == second
            ? .orderedSame : first < second ? .orderedAscending : .orderedDescending
    }
}
