import GRDB
package import SyncEngine
package import WholeRecordSync

extension SQLiteDatabase: DeviceFileStore {
    package func deviceFiles(
        of device: DeviceKey, namedBy records: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [FileOnDevice] {
        try await read { db in
            try fetchDeviceFiles(of: device, in: environment, where: "record", isOneOf: records, db)
        }
    }

    package func deviceFiles(
        of device: DeviceKey, amongFiles files: [String], in environment: EnvironmentID
    ) async throws(StoreError) -> [FileOnDevice] {
        try await read { db in
            try fetchDeviceFiles(of: device, in: environment, where: "file", isOneOf: files, db)
        }
    }

    package func owedFiles(
        of device: DeviceKey, in environment: EnvironmentID, limit: Int
    ) async throws(StoreError) -> [FileOnDevice] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT record, file, ticket, is_leaving FROM device_files
                    WHERE environment = ? AND login = ? AND device_identifier = ?
                        AND ticket IS NOT NULL AND NOT is_leaving
                    ORDER BY ticket = '', record, file LIMIT ?
                    """,
                arguments: arguments(of: device, in: environment) + [limit]
            ).map(FileOnDevice.init(row:))
        }
    }

    package func putDeviceFiles(
        _ files: [FileOnDevice], of device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await write { db in
            guard try storedUser(device.login, in: environment, db) != nil else { return }
            let statement = try db.cachedStatement(
                sql: """
                    INSERT OR REPLACE INTO device_files (environment, login, device_identifier,
                        record, file, ticket, is_leaving)
                    VALUES (?, ?, ?, ?, ?, ?, ?)
                    """)
            for file in files {
                let row: StatementArguments = [
                    file.record, file.file, file.ticket, file.isLeaving,
                ]
                try statement.execute(arguments: arguments(of: device, in: environment) + row)
            }
        }
    }

    package func settleDeviceFiles(
        of device: DeviceKey, ticket: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        let isOfTicket = "\(isOfDevice) AND ticket = ?"
        try await writeInParts { db in
            try deletePartOfDeviceFiles(
                where: "\(isOfTicket) AND is_leaving",
                arguments(of: device, in: environment) + [ticket], db)
        }
        try await writeInParts { db in
            let key = arguments(of: device, in: environment) + [ticket]
            try db.execute(
                sql: """
                    UPDATE device_files SET ticket = NULL
                    WHERE \(isOfDevice) AND (record, file) IN (
                        SELECT record, file FROM device_files
                        WHERE \(isOfTicket) AND NOT is_leaving LIMIT \(partRows))
                    """, arguments: arguments(of: device, in: environment) + key)
            return db.changesCount
        }
    }

    package func forgetDeviceFiles(
        of device: DeviceKey, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await writeInParts { db in
            try deletePartOfDeviceFiles(
                where: isOfDevice, arguments(of: device, in: environment), db)
        }
    }
}

private let isOfDevice = "environment = ? AND login = ? AND device_identifier = ?"

private func arguments(of device: DeviceKey, in environment: EnvironmentID) -> StatementArguments {
    [environment.number, device.login, device.deviceIdentifier]
}

private func fetchDeviceFiles(
    of device: DeviceKey, in environment: EnvironmentID, where column: String,
    isOneOf values: [String], _ db: Database
) throws -> [FileOnDevice] {
    let statement = try db.cachedStatement(
        sql: """
            SELECT record, file, ticket, is_leaving FROM device_files
            WHERE environment = ? AND login = ? AND device_identifier = ? AND \(column) = ?
            """)
    return try values.flatMap { value in
        try Row.fetchAll(
            statement, arguments: arguments(of: device, in: environment) + [value]
        ).map(FileOnDevice.init(row:))
    }
}

extension FileOnDevice {
    fileprivate init(row: Row) throws {
        self.init(
            record: try row.decode(String.self, forColumn: "record"),
            file: try row.decode(String.self, forColumn: "file"),
            ticket: try row.decode(String?.self, forColumn: "ticket"),
            isLeaving: try row.decode(Bool.self, forColumn: "is_leaving"))
    }
}
