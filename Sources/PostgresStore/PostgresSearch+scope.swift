import SyncEngine

// The records of a model by group and owner.

extension PostgresSearch {
    func nextGroup(of model: String, after group: String?) throws -> String? {
        try transaction.rows(
            """
            SELECT group_name FROM \(shownRecords) AND group_name \(group == nil ? ">=" : ">") $3
            ORDER BY group_name LIMIT 1
            """, [key, .text(model), .text(group ?? "")]
        ).map { try $0.text() }.first
    }

    func records(in run: RecordRun, atMost limit: ReadLimit) throws -> [FoundRecord] {
        try found(
            in: run.source, by: "owner, created, guid", run.parameters(in: environment),
            atMost: limit)
    }

    func places(in runs: [(run: RecordRun, count: Int)]) throws -> [[RecordRun.Start]] {
        let statements = runs.map { run, count in
            let parameters = run.parameters(in: environment)
            return Statement(
                """
                SELECT owner, created, guid FROM \(run.source)
                ORDER BY owner, created, guid LIMIT $\(parameters.count + 1)
                """, parameters + [.integer(Int64(count))])
        }
        return try transaction.rows(of: statements).map { rows in
            try rows.map { row in
                RecordRun.Start(
                    owner: try row.text(), created: try row.number(as: .sequence),
                    guid: try row.text())
            }
        }
    }

    /// Looks up each owner after the one before, in one round trip. In the order of recursion,
    /// which ends with the last row that is asked for.
    func owners(in run: RecordRun, atMost count: Int) throws -> [String] {
        let parameters = run.parameters(in: environment)
        let next = run.source(after: "found.owner, \(Int64.max), ''")
        return try transaction.rows(
            """
            WITH RECURSIVE found AS (
                (SELECT owner FROM \(run.source) ORDER BY owner, created, guid LIMIT 1)
                UNION ALL
                SELECT next.owner FROM found CROSS JOIN LATERAL (
                    SELECT owner FROM \(next) ORDER BY owner, created, guid LIMIT 1) AS next)
            SELECT owner FROM found LIMIT $\(parameters.count + 1)
            """, parameters + [.integer(Int64(count))]
        ).map { try $0.text() }
    }

    /// In batches that are larger than those of records, since there is less of a row.
    func forEachText(in run: RecordRun, _ visit: (RecordText) throws -> Bool) throws {
        let limit = ReadLimit(rows: 8 * BatchSize.maxCount, bytes: BatchSize.maxBytes)
        var (run, isOver) = (run, false)
        while !isOver {
            let columns = "guid, created, is_deleted, fields, owner"
            let rows = try rows(
                columns, of: columns, in: run.source, by: "owner, created, guid",
                run.parameters(in: environment), atMost: limit)
            var (number, bytes) = (0, 0)
            try rows.each { row in
                guard !isOver else { return }
                let (guid, created) = (try row.plainText(), try row.number(as: .sequence))
                let text = RecordText(
                    guid: guid, created: created, isDeleted: try row.flag(),
                    fields: try row.plainText())
                (number, bytes) = (number + 1, bytes + text.fields.count)
                isOver = try !visit(text)
                guard number == rows.count else { return }
                run.start = RecordRun.Start(
                    owner: try row.text(), created: created,
                    guid: String(decoding: guid, as: UTF8.self))
            }
            isOver = isOver || !limit.isReached(byRows: rows.count, bytes: bytes)
        }
    }

    func recordCount(in run: RecordRun, upTo max: Int) throws -> Int {
        let parameters = run.parameters(in: environment)
        return try transaction.rows(
            """
            SELECT count(*) FROM (
                SELECT 1 FROM \(run.source) LIMIT $\(parameters.count + 1)) AS counted
            """, parameters + [.integer(Int64(max))]
        ).map { try $0.int() }.first ?? 0
    }
}

/// Records of a model that are not deleted or have an open conflict. The index contains no others,
/// and is in the order of group, owner, creation and guid.
private let shownRecords = """
    records WHERE (NOT is_deleted OR is_conflicted) AND environment = $1 AND model = $2
    """

extension RecordRun {
    /// The text after `FROM`.
    fileprivate var source: String { source(after: "$4, $5, $6") }

    /// The same with another start, for a run of several owners.
    fileprivate func source(after start: String) -> String {
        let place = "(owner, created, guid) > (\(start))"
        let clause =
            switch owners {
            case .everybody: place
            case .allBut: "\(place) AND owner <> $7"
            // With `(owner, created, guid) >` as well, the planner would start at the owner's first
            // record.
            case .only: "owner = $4 AND (created, guid) > ($5, $6)"
            }
        return "\(shownRecords) AND group_name = $3 AND \(clause)"
    }

    fileprivate func parameters(in environment: EnvironmentID) -> [Parameter] {
        let parameters: [Parameter] = [
            .integer(environment.number), .text(model), .text(group), .text(start.owner),
            .integer(start.created), .text(start.guid),
        ]
        guard case .allBut(let login) = owners else { return parameters }
        return parameters + [.text(login)]
    }
}
