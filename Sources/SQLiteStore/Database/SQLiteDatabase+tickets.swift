import GRDB
package import SyncEngine
package import WholeRecordSync

extension SQLiteDatabase: TicketStore {
    package func changeProgress<Result: Sendable>(
        of device: DeviceKey, in environment: EnvironmentID,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) async throws(StoreError) -> Result {
        try await write { db in
            let (next, result) = deciding(try progress(of: device, in: environment, db))
            let user = try storedUser(device.login, in: environment, db)
            if let next, user != nil { try save(next, of: device, in: environment, db) }
            return result
        }
    }
}

private func progress(
    of device: DeviceKey, in environment: EnvironmentID, _ db: Database
) throws -> DeviceProgress? {
    let statement = try db.cachedStatement(
        sql: """
            SELECT confirmed, holds_records, ticket, starts_over, rejection, deliveries, delivered,
                details
            FROM device_progress
            WHERE environment = ? AND login = ? AND device_identifier = ?
            """)
    let row = try Row.fetchOne(
        statement, arguments: [environment.number, device.login, device.deviceIdentifier])
    return try row.map(DeviceProgress.init(row:))
}

extension DeviceProgress {
    fileprivate init(row: Row) throws {
        let ticket = try row.decode(String?.self, forColumn: "ticket")
        let details = try StoredProgressDetails.read(
            row.decode(String?.self, forColumn: "details"))
        self.init(
            confirmed: try row.decode(String?.self, forColumn: "confirmed"),
            holdsRecords: try row.decode(Bool.self, forColumn: "holds_records"),
            ticket: try ticket.map { text in
                SyncTicket(
                    text: text,
                    startsOver: try row.decode(Bool.self, forColumn: "starts_over"),
                    rejection: try row.decode(String?.self, forColumn: "rejection")
                        .map { try SyncRejection(text: $0) },
                    deliveries: try row.number("deliveries", as: .sequence),
                    delivered: try row.decode(String?.self, forColumn: "delivered"))
            },
            formerTicket: details.formerTicket, owedRecords: details.owedRecords)
    }
}

private func save(
    _ progress: DeviceProgress, of device: DeviceKey, in environment: EnvironmentID, _ db: Database
) throws {
    let statement = try db.cachedStatement(
        sql: """
            INSERT OR REPLACE INTO device_progress (environment, login, device_identifier,
                confirmed, holds_records, ticket, starts_over, rejection, deliveries, delivered,
                details)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """)
    let ticket = progress.ticket
    try statement.execute(arguments: [
        environment.number, device.login, device.deviceIdentifier, progress.confirmed,
        progress.holdsRecords, ticket?.text, ticket?.startsOver ?? false, ticket?.rejection?.text,
        ticket?.deliveries ?? 0, ticket?.delivered, StoredProgressDetails.text(of: progress),
    ])
}
