package import SyncEngine
package import WholeRecordSync

extension PostgresDatabase: TicketStore {
    package func changeProgress<Result: Sendable>(
        of device: DeviceKey, in environment: EnvironmentID,
        deciding: @escaping @Sendable (DeviceProgress?) -> (DeviceProgress?, Result)
    ) async throws(StoreError) -> Result {
        try await write { transaction in
            // Every change of a device's progress locks its user first.
            let isKnown = try lockUser(device.login, in: environment, transaction)
            let (next, result) = deciding(try progress(of: device, in: environment, transaction))
            if let next, isKnown { try save(next, of: device, in: environment, transaction) }
            return result
        }
    }
}

private func progress(
    of device: DeviceKey, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> DeviceProgress? {
    try transaction.rows(
        """
        SELECT confirmed, holds_records, details, ticket, starts_over, rejection, deliveries,
            delivered
        FROM device_progress WHERE environment = $1 AND login = $2 AND device_identifier = $3
        """, parameters(of: device, in: environment)
    ).map { try DeviceProgress(row: &$0) }.first
}

extension DeviceProgress {
    fileprivate init(row: inout Row) throws {
        let confirmed = try row.optionalText()
        let holdsRecords = try row.flag()
        let details = try StoredProgressDetails.read(row.optionalText())
        let ticket = try row.optionalText()
        self.init(
            confirmed: confirmed, holdsRecords: holdsRecords,
            ticket: try ticket.map { text in
                SyncTicket(
                    text: text, startsOver: try row.flag(),
                    rejection: try row.optionalText().map { try SyncRejection(text: $0) },
                    deliveries: try row.number(as: .sequence), delivered: try row.optionalText())
            }, formerTicket: details.formerTicket, owedRecords: details.owedRecords)
    }
}

private func save(
    _ progress: DeviceProgress, of device: DeviceKey, in environment: EnvironmentID,
    _ transaction: PGTransaction
) throws {
    let ticket = progress.ticket
    _ = try transaction.rows(
        """
        INSERT INTO device_progress (environment, login, device_identifier, confirmed,
            holds_records, ticket, starts_over, rejection, deliveries, delivered, details)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        ON CONFLICT (environment, login, device_identifier) DO UPDATE SET
            confirmed = excluded.confirmed, holds_records = excluded.holds_records,
            ticket = excluded.ticket, starts_over = excluded.starts_over,
            rejection = excluded.rejection, deliveries = excluded.deliveries,
            delivered = excluded.delivered, details = excluded.details
        """,
        parameters(of: device, in: environment) + [
            .text(progress.confirmed), .flag(progress.holdsRecords), .text(ticket?.text),
            .flag(ticket?.startsOver ?? false), .text(ticket?.rejection?.text),
            .integer(ticket?.deliveries ?? 0), .text(ticket?.delivered),
            .text(StoredProgressDetails.text(of: progress)),
        ])
}

private func parameters(of device: DeviceKey, in environment: EnvironmentID) -> [Parameter] {
    [.integer(environment.number), .text(device.login), .text(device.deviceIdentifier)]
}
