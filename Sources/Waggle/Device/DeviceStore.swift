import DefinitionModel
import Foundation
import GRDB

/// The database of one user on a device: one file. Its functions are in extensions, by what they
/// are about, and take the transaction that they are part of.
struct DeviceStore: Sendable {
    let pool: DatabasePool

    private static let timeoutSeconds = 10.0

    /// Opens the file, or creates it with what the definition wants to be found quickly: relations
    /// and unique values.
    init(path: String, definition: Definition) throws(DatabaseError) {
        do {
            var configuration = Configuration()
            configuration.foreignKeysEnabled = false
            // Another process may have it open, such as an extension of the app.
            configuration.busyMode = .timeout(Self.timeoutSeconds)
            configuration.prepareDatabase { db in
                db.add(collation: .exactDecimal)
            }
            try makeOwnFile(path)
            pool = try DatabasePool(path: path, configuration: configuration)
            try DeviceSchema.migrator.migrate(pool)
            // The pool itself sets NORMAL, which may lose the last edits with the power.
            try pool.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = FULL")
            }
            try pool.write { db in try createIndexes(for: definition, db) }
        } catch {
            throw DatabaseError(error)
        }
    }

    /// One transaction; nothing of it is done where it throws.
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
    }
}

extension Field {
    fileprivate var isIndexed: Bool {
        switch type {
        case .belongsTo: true
        case .text, .integer, .boolean, .date: isUnique
        // Compared digit by digit, and by the guid within.
        case .decimal, .file: false
        }
    }
}

extension DatabaseCollation {
    /// Decimals are stored as text, and are compared as numbers.
    static let exactDecimal = DatabaseCollation("exactDecimal") { left, right in
        guard let first = ExactDecimal(left), let second = ExactDecimal(right) else {
            return left == right
                ? .orderedSame : left < right ? .orderedAscending : .orderedDescending
        }
        return first == second
            ? .orderedSame : first < second ? .orderedAscending : .orderedDescending
    }
}
