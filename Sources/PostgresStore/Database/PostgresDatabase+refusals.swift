package import SyncEngine
package import WholeRecordSync

extension PostgresDatabase: RefusalStore {
    package func keep(
        _ refusals: [RefusedInput], of login: String, in environment: EnvironmentID,
        at now: Instant,
        limits: RefusalLimits
    ) async throws(StoreError) -> [RefusedInput]? {
        try await write { transaction in
            try lock(environment, transaction)
            let new = try refusals.filter {
                try !isKept($0, of: login, in: environment, transaction)
            }
            let list = try size(ofRefusalsOf: login, in: environment, transaction)
            guard list.hasRoom(for: new, within: limits) else { return new.isEmpty ? [] : nil }
            transaction.later(
                new.map { insertion(of: $0, of: login, in: environment, at: now) })
            return new
        }
    }

    package func refusals(
        in environment: EnvironmentID, after number: Int64, limit: Int
    ) async throws(StoreError) -> [StoredRefusal] {
        try await ask { transaction in
            try transaction.rows(
                """
                SELECT number, at, login, device_identifier, model, guid, content, causes, sha256,
                    size
                FROM refusals WHERE environment = $1 AND number > $2 ORDER BY number LIMIT $3
                """, [.integer(environment.number), .integer(number), .integer(Int64(limit))]
            ).map { try StoredRefusal(row: &$0) }
        }
    }

    package func removeRefusals(
        _ numbers: [Int64], in environment: EnvironmentID
    ) async throws(StoreError) -> Int {
        try await write { transaction in
            try lock(environment, transaction)
            return try transaction.rows(
                "DELETE FROM refusals WHERE environment = $1 AND number = ANY ($2)",
                [.integer(environment.number), .integers(numbers)]
            ).changedCount
        }
    }

    package func sweepRefusals(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await delete(
            request,
            by: """
                DELETE FROM refusals WHERE environment = $1 AND number IN (
                    SELECT number FROM refusals WHERE environment = $1 AND at < $2
                    ORDER BY at, number LIMIT $3)
                """)
    }
}

private func isKept(
    _ refusal: RefusedInput, of login: String, in environment: EnvironmentID,
    _ transaction: PGTransaction
) throws -> Bool {
    try transaction.rows(
        """
        SELECT 1 FROM refusals
        WHERE environment = $1 AND login = $2 AND device_identifier = $3 AND guid = $4
            AND model = $5 AND content = $6 AND causes = $7
            AND sha256 IS NOT DISTINCT FROM $8
        LIMIT 1
        """,
        [
            .integer(environment.number), .text(login), .text(refusal.device.deviceIdentifier),
            .text(refusal.guid), .text(refusal.model), .text(refusal.content),
            .text(refusal.causesText), .text(refusal.contents?.hash.hex),
        ]
    ).count == 1
}

private func size(
    ofRefusalsOf login: String, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> RefusalTotal {
    let totals = try transaction.rows(
        """
        SELECT count(*), coalesce(sum(bytes), 0)::bigint, coalesce(sum(size), 0)::bigint
        FROM refusals WHERE environment = $1 AND login = $2
        """, [.integer(environment.number), .text(login)]
    ).map {
        RefusalTotal(count: try $0.int(), bytes: try $0.int(), contentBytes: try $0.int64())
    }
    return totals.first ?? RefusalTotal(count: 0, bytes: 0, contentBytes: 0)
}

private func insertion(
    of refusal: RefusedInput, of login: String, in environment: EnvironmentID, at now: Instant
) -> Statement {
    Statement(
        """
        INSERT INTO refusals (environment, number, login, device_identifier, at, model, guid,
            content, causes, bytes, sha256, size)
        SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
        FROM refusals WHERE environment = $1
        """,
        [
            .integer(environment.number), .text(login), .text(refusal.device.deviceIdentifier),
            .integer(now.milliseconds), .text(refusal.model), .text(refusal.guid),
            .text(refusal.content), .text(refusal.causesText), .integer(Int64(refusal.bytes)),
            .text(refusal.contents?.hash.hex), .integer(refusal.contents?.size),
        ])
}

extension StoredRefusal {
    fileprivate init(row: inout Row) throws {
        let (number, at) = (try row.number(as: .sequence), try row.instant())
        let device = DeviceKey(login: try row.text(), deviceIdentifier: try row.text())
        self.init(
            number: number, at: at,
            refusal: RefusedInput(
                device: device, model: try row.text(), guid: try row.text(),
                content: try row.text(), causes: try StoredCauses.causes(in: row.text()),
                contents: try KeptContents(row: &row)))
    }
}

extension KeptContents {
    /// Nil if there are none.
    fileprivate init?(row: inout Row) throws {
        let (text, size) = (try row.optionalText(), try row.optionalInt64())
        guard let text, let size else { return nil }
        guard let hash = ContentHash(hex: text) else {
            throw StoreError.unreadable("'\(text)' is no SHA-256", remedy: .backup)
        }
        self.init(hash: hash, size: size)
    }
}
