package import SyncEngine
package import WholeRecordSync

extension PostgresDatabase: DeviceFileStore {
    package func deviceFiles(
        of device: DeviceKey, namedBy records: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [FileOnDevice] {
        try await fetchDeviceFiles(of: device, in: environment, where: "record = ANY ($4)", records)
    }

    package func deviceFiles(
        of device: DeviceKey, amongFiles files: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [FileOnDevice] {
        try await fetchDeviceFiles(of: device, in: environment, where: "file = ANY ($4)", files)
    }

    package func owedFiles(
        of device: DeviceKey, in environment: EnvironmentID, limit: Int
    ) async throws(StoreError) -> [FileOnDevice] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT \(columns) FROM device_files
                WHERE \(isOfDevice) AND ticket IS NOT NULL AND NOT is_leaving
                ORDER BY ticket = '', record, file LIMIT $4
                """, parameters(of: device, in: environment) + [.integer(Int64(limit))]
            ).map { try FileOnDevice(row: &$0) }
        }
    }

    package func putDeviceFiles(
        _ files: [FileOnDevice], of device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { transaction in
            guard try lockUser(device.login, in: environment, transaction) else { return }
            transaction.later(
                files.map { file in
                    Statement(
                        """
                        INSERT INTO device_files (environment, login, device_identifier, record,
                            file, ticket, is_leaving)
                        VALUES ($1, $2, $3, $4, $5, $6, $7)
                        ON CONFLICT (environment, login, device_identifier, record, file)
                        DO UPDATE SET ticket = excluded.ticket, is_leaving = excluded.is_leaving
                        """,
                        parameters(of: device, in: environment) + [
                            .text(file.record), .text(file.file), .text(file.ticket),
                            .flag(file.isLeaving),
                        ])
                })
        }
    }

    package func settleDeviceFiles(
        of device: DeviceKey, ticket: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        let key = parameters(of: device, in: environment) + [.text(ticket)]
        try await writeInParts { transaction in
            guard try lockUser(device.login, in: environment, transaction) else { return 0 }
            return try transaction.rows(
                """
                DELETE FROM device_files WHERE ctid IN (
                    SELECT ctid FROM device_files
                    WHERE \(isOfDevice) AND ticket = $4 AND is_leaving LIMIT \(partRows))
                """, key
            ).changedCount
        }
        try await writeInParts { transaction in
            guard try lockUser(device.login, in: environment, transaction) else { return 0 }
            return try transaction.rows(
                """
                UPDATE device_files SET ticket = NULL WHERE ctid IN (
                    SELECT ctid FROM device_files
                    WHERE \(isOfDevice) AND ticket = $4 AND NOT is_leaving LIMIT \(partRows))
                """, key
            ).changedCount
        }
    }

    package func forgetDeviceFiles(
        of device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await writeInParts { transaction in
            guard try lockUser(device.login, in: environment, transaction) else { return 0 }
            return try transaction.rows(
                """
                DELETE FROM device_files WHERE ctid IN (
                    SELECT ctid FROM device_files WHERE \(isOfDevice) LIMIT \(partRows))
                """, parameters(of: device, in: environment)
            ).changedCount
        }
    }

    private func fetchDeviceFiles(
        of device: DeviceKey, in environment: EnvironmentID, where condition: String,
        _ values: [String]
    ) async throws(StoreError) -> [FileOnDevice] {
        try await ask { transaction in
            try transaction.rows(
                "SELECT \(columns) FROM device_files WHERE \(isOfDevice) AND \(condition)",
                parameters(of: device, in: environment) + [.texts(values)]
            ).map { try FileOnDevice(row: &$0) }
        }
    }
}

private let columns = "record, file, ticket, is_leaving"
private let isOfDevice = "environment = $1 AND login = $2 AND device_identifier = $3"

private func parameters(of device: DeviceKey, in environment: EnvironmentID) -> [Parameter] {
    [.integer(environment.number), .text(device.login), .text(device.deviceIdentifier)]
}

extension FileOnDevice {
    fileprivate init(row: inout Row) throws {
        self.init(
            record: try row.text(), file: try row.text(), ticket: try row.optionalText(),
            isLeaving: try row.flag())
    }
}
