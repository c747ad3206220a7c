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
            guard list.count + new.count <= limits.count,
                list.bytes + new.reduce(0, { $0 + $1.bytes }) <= limits.bytes
            else { return new.isEmpty ? [] : nil }
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
                SELECT number, at, login, device_identifier, model, guid, content, causes
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
        try await write { transaction in
            try lock(request.environment, transaction)
            return try transaction.rows(
                """
                DELETE FROM refusals WHERE environment = $1 AND number IN (
                    SELECT number FROM refusals WHERE environment = $1 AND at < $2
                    ORDER BY at, number LIMIT $3)
                """,
                [
                    .integer(request.environment.number),
                    .integer(request.before.milliseconds), .integer(Int64(request.limit)),
                ]
            ).changedCount
        }
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
        LIMIT 1
        """,
        [
            .integer(environment.number), .text(login), .text(refusal.device.deviceIdentifier),
            .text(refusal.guid), .text(refusal.model), .text(refusal.content),
            .text(refusal.causesText),
        ]
    ).count == 1
}

private func size(
    ofRefusalsOf login: String, in environment: EnvironmentID, _ transaction: PGTransaction
) throws -> (count: Int, bytes: Int) {
    let sizes = try transaction.rows(
        """
        SELECT count(*), coalesce(sum(bytes), 0)::bigint FROM refusals
        WHERE environment = $1 AND login = $2
        """, [.integer(environment.number), .text(login)]
    ).map { (count: try $0.int(), bytes: try $0.int()) }
    return sizes.first ?? (0, 0)
}

private func insertion(
    of refusal: RefusedInput, of login: String, in environment: EnvironmentID, at now: Instant
) -> Statement {
    Statement(
        """
        INSERT INTO refusals (environment, number, login, device_identifier, at, model, guid,
            content, causes, bytes)
        SELECT $1, coalesce(max(number), 0) + 1, $2, $3, $4, $5, $6, $7, $8, $9
        FROM refusals WHERE environment = $1
        """,
        [
            .integer(environment.number), .text(login), .text(refusal.device.deviceIdentifier),
            .integer(now.milliseconds), .text(refusal.model), .text(refusal.guid),
            .text(refusal.content), .text(refusal.causesText), .integer(Int64(refusal.bytes)),
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
                content: try row.text(), causes: try StoredCauses.causes(in: row.text())))
    }
}
