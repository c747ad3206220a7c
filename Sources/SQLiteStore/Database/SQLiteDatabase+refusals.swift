import GRDB
package import SyncEngine
package import WholeRecordSync

extension SQLiteDatabase: RefusalStore {
    package func keep(
        _ refusals: [RefusedInput], of login: String, in environment: EnvironmentID,
        at now: Instant,
        limits: RefusalLimits
    ) async throws(StoreError) -> [RefusedInput]? {
        try await write { db in
            let new = try refusals.filter { try !isKept($0, of: login, in: environment, db) }
            let list = try size(ofRefusalsOf: login, in: environment, db)
            guard list.count + new.count <= limits.count,
                list.bytes + new.reduce(0, { $0 + $1.bytes }) <= limits.bytes
            else { return new.isEmpty ? [] : nil }
            for refusal in new {
                try insert(refusal, of: login, in: environment, at: now, db)
            }
            return new
        }
    }

    package func refusals(
        in environment: EnvironmentID, after number: Int64, limit: Int
    ) async throws(StoreError) -> [StoredRefusal] {
        try await read { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT * FROM refusals WHERE environment = ? AND number > ?
                    ORDER BY number LIMIT ?
                    """,
                arguments: [environment.number, number, limit]
            ).map(StoredRefusal.init(row:))
        }
    }

    package func removeRefusals(
        _ numbers: [Int64], in environment: EnvironmentID
    ) async throws(StoreError) -> Int {
        try await write { db in
            let statement = try db.cachedStatement(
                sql: "DELETE FROM refusals WHERE environment = ? AND number = ?")
            var count = 0
            for number in numbers {
                try statement.execute(arguments: [environment.number, number])
                count += db.changesCount
            }
            return count
        }
    }

    package func sweepRefusals(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM refusals WHERE environment = ?1 AND number IN (
                        SELECT number FROM refusals WHERE environment = ?1 AND at < ?2
                        ORDER BY at, number LIMIT ?3)
                    """,
                arguments: [
                    request.environment.number, request.before.milliseconds, request.limit,
                ])
            return db.changesCount
        }
    }
}

private func isKept(
    _ refusal: RefusedInput, of login: String, in environment: EnvironmentID, _ db: Database
) throws -> Bool {
    let statement = try db.cachedStatement(
        sql: """
            SELECT EXISTS (SELECT 1 FROM refusals
                WHERE environment = ? AND login = ? AND device_identifier = ? AND guid = ?
                    AND model = ? AND content = ? AND causes = ?)
            """)
    return try Bool.fetchOne(
        statement,
        arguments: [
            environment.number, login, refusal.device.deviceIdentifier, refusal.guid,
            refusal.model, refusal.content, refusal.causesText,
        ]) ?? false
}

private func size(
    ofRefusalsOf login: String, in environment: EnvironmentID, _ db: Database
) throws -> (count: Int, bytes: Int) {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes FROM refusals
            WHERE environment = ? AND login = ?
            """,
        arguments: [environment.number, login])
    return (
        try row?.decode(Int.self, forColumn: "count") ?? 0,
        try row?.decode(Int.self, forColumn: "bytes") ?? 0
    )
}

private func insert(
    _ refusal: RefusedInput, of login: String, in environment: EnvironmentID, at now: Instant,
    _ db: Database
) throws {
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO refusals (environment, number, login, device_identifier, at, model, guid,
                content, causes, bytes)
            VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM refusals WHERE environment = ?1),
                ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)
            """)
    try statement.execute(arguments: [
        environment.number, login, refusal.device.deviceIdentifier, now.milliseconds,
        refusal.model, refusal.guid, refusal.content, refusal.causesText, refusal.bytes,
    ])
}

extension StoredRefusal {
    fileprivate init(row: Row) throws {
        let device = DeviceKey(
            login: try row.decode(String.self, forColumn: "login"),
            deviceIdentifier: try row.decode(String.self, forColumn: "device_identifier"))
        self.init(
            number: try row.number("number", as: .sequence),
            at: try row.instant("at"),
            refusal: RefusedInput(
                device: device, model: try row.decode(String.self, forColumn: "model"),
                guid: try row.decode(String.self, forColumn: "guid"),
                content: try row.decode(String.self, forColumn: "content"),
                causes: try StoredCauses.causes(
                    in: row.decode(String.self, forColumn: "causes"))))
    }
}
