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
            guard list.hasRoom(for: new, within: limits) else { return new.isEmpty ? [] : nil }
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
        try await delete(
            request,
            by: """
                DELETE FROM refusals WHERE environment = ?1 AND number IN (
                    SELECT number FROM refusals WHERE environment = ?1 AND at < ?2
                    ORDER BY at, number LIMIT ?3)
                """)
    }
}

private func isKept(
    _ refusal: RefusedInput, of login: String, in environment: EnvironmentID, _ db: Database
) throws -> Bool {
    let statement = try db.cachedStatement(
        sql: """
            SELECT EXISTS (SELECT 1 FROM refusals
                WHERE environment = ? AND login = ? AND device_identifier = ? AND guid = ?
                    AND model = ? AND content = ? AND causes = ? AND sha256 IS ?)
            """)
    return try Bool.fetchOne(
        statement,
        arguments: [
            environment.number, login, refusal.device.deviceIdentifier, refusal.guid,
            refusal.model, refusal.content, refusal.causesText, refusal.contents?.hash.hex,
        ]) ?? false
}

private func size(
    ofRefusalsOf login: String, in environment: EnvironmentID, _ db: Database
) throws -> RefusalTotal {
    let row = try Row.fetchOne(
        db,
        sql: """
            SELECT count(*) AS count, coalesce(sum(bytes), 0) AS bytes,
                coalesce(sum(size), 0) AS size
            FROM refusals WHERE environment = ? AND login = ?
            """,
        arguments: [environment.number, login])
    return RefusalTotal(
        count: try row?.decode(Int.self, forColumn: "count") ?? 0,
        bytes: try row?.decode(Int.self, forColumn: "bytes") ?? 0,
        contentBytes: try row?.decode(Int64.self, forColumn: "size") ?? 0)
}

private func insert(
    _ refusal: RefusedInput, of login: String, in environment: EnvironmentID, at now: Instant,
    _ db: Database
) throws {
    let statement = try db.cachedStatement(
        sql: """
            INSERT INTO refusals (environment, number, login, device_identifier, at, model, guid,
                content, causes, bytes, sha256, size)
            VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM refusals WHERE environment = ?1),
                ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """)
    try statement.execute(arguments: [
        environment.number, login, refusal.device.deviceIdentifier, now.milliseconds,
        refusal.model, refusal.guid, refusal.content, refusal.causesText, refusal.bytes,
        refusal.contents?.hash.hex, refusal.contents?.size,
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
                    in: row.decode(String.self, forColumn: "causes")),
                contents: try KeptContents(row: row)))
    }
}

extension KeptContents {
    /// Nil if there are none.
    fileprivate init?(row: Row) throws {
        guard let text = try row.decode(String?.self, forColumn: "sha256") else { return nil }
        guard let hash = ContentHash(hex: text) else {
            throw StoreError.unreadable("'\(text)' is no SHA-256", remedy: .backup)
        }
        self.init(hash: hash, size: try row.decode(Int64.self, forColumn: "size"))
    }
}
