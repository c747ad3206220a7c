import Foundation
import GRDB
import SyncEngine

/// Returns the guid of the record that holds the value, if any.
func holder(
    of value: UniqueValue, in environment: EnvironmentID, _ db: Database
) throws -> String? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT guid FROM unique_values
            WHERE environment = ? AND model = ? AND field = ? AND value = CAST(? AS TEXT)
            """)
    return try String.fetchOne(
        statement, arguments: [environment.number, value.model, value.field, value.bytes])
}

/// Frees values. Throws if a record does not hold its value: the table is then damaged.
func free(
    _ holdings: [UniqueHolding], in environment: EnvironmentID, _ db: Database
) throws {
    guard !holdings.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: """
            DELETE FROM unique_values
            WHERE environment = ? AND model = ? AND field = ? AND value = CAST(? AS TEXT)
                AND guid = ?
            """)
    for holding in holdings {
        try statement.execute(arguments: arguments(of: holding, in: environment))
        guard db.changesCount == 1 else {
            throw StoreError.unreadable(
                "'\(holding.guid)' is not known to hold its '\(holding.value.field)'")
        }
    }
}

func take(
    _ holdings: [UniqueHolding], in environment: EnvironmentID, _ db: Database
) throws {
    guard !holdings.isEmpty else { return }
    let statement = try db.cachedStatement(
        sql: "INSERT INTO unique_values (\(columns)) VALUES (?, ?, ?, CAST(? AS TEXT), ?)")
    for holding in holdings {
        try statement.execute(arguments: arguments(of: holding, in: environment))
    }
}

/// Stores the holding if the value is free. Returns whether it was.
func takeIfFree(
    _ holding: UniqueHolding, in environment: EnvironmentID, _ db: Database
) throws -> Bool {
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO unique_values (\(columns)) VALUES (?, ?, ?, CAST(? AS TEXT), ?)
            ON CONFLICT (environment, model, field, value) DO NOTHING
            """)
    try statement.execute(arguments: arguments(of: holding, in: environment))
    return db.changesCount == 1
}

private let columns = "environment, model, field, value, guid"

private func arguments(
    of holding: UniqueHolding, in environment: EnvironmentID
) -> StatementArguments {
    let value = holding.value
    return [environment.number, value.model, value.field, value.bytes, holding.guid]
}

extension UniqueValue {
    /// GRDB would truncate a text at the first U+0000.
    fileprivate var bytes: Data { Data(text.utf8) }
}
