import SyncEngine

func storedRecords(of request: BatchRead, in environment: EnvironmentID) -> BatchQuery {
    let guids = request.records
    let rows = RowParameters(guids)
    let isCut = request.isCutByServer
    let texts = isCut ? cutTexts[request.reachingRecord] : uncutTexts
    let limit = isCut ? [Parameter.integer(Int64(request.maxRecordBytes))] : []
    let statement = Statement(
        texts[rows.form], [.integer(environment.number), rows.texts(\.self)] + limit)
    return BatchQuery(statements: [statement]) { rows, batch in
        var found = [FoundState](repeating: .free, count: guids.count)
        var count = guids.count
        try rows[0].each { row in
            if try row.flag() {
                count = min(count, try row.int() - 1)
            } else {
                try found.set(&row) { row in
                    try row.flag() ? .purged : .stored(try StoredRecord(row: &row))
                }
            }
        }
        var size = RecordReadSize(of: request)
        batch.records = Array(found.prefix(max(0, count)).prefix { size.takes($0) })
    }
}

private let uncutTexts = RowTexts(numbered: "text") { rows in
    "SELECT false, number, is_swept, \(Columns.record) \(foundRecords(for: rows))"
}

private let cutTexts = CutTexts()

private func foundRecords(for rows: String) -> String {
    """
    FROM \(rows) AS wanted (wanted_guid, number)
    LEFT JOIN LATERAL (SELECT \(Columns.record) FROM records
        WHERE environment = $1 AND guid = wanted_guid OFFSET 0) AS found ON true
    CROSS JOIN LATERAL (SELECT found.guid IS NULL AND EXISTS (SELECT 1 FROM swept
        WHERE environment = $1 AND swept.guid = wanted_guid) AS is_swept) AS past
    WHERE is_swept OR found.guid IS NOT NULL
    """
}

extension BatchRead {
    /// Whether the server sums sizes. Otherwise it sends all records, and they are cut here.
    fileprivate var isCutByServer: Bool {
        switch reachingRecord {
        case .read: records.count > 8
        case .readIfFirst: records.count > 1
        case .left: true
        }
    }
}

private struct CutTexts {
    private let read = Self.texts(leaving: "false")
    private let readIfFirst = Self.texts(
        leaving: "bytes >= $3 AND bytes > octet_length(fields)")
    private let left = Self.texts(leaving: "bytes >= $3")

    subscript(reaching: ReachingRecord) -> RowTexts {
        switch reaching {
        case .read: read
        case .readIfFirst: readIfFirst
        case .left: left
        }
    }

    /// - Parameter isLeft: Whether a record is left out, in terms of the `bytes` up to it and its
    ///   `fields`.
    private static func texts(leaving isLeft: String) -> RowTexts {
        RowTexts(numbered: "text") { rows in
            """
            SELECT is_left, number, is_swept, guid, model, owner, group_name, revision, is_deleted,
                is_conflicted, CASE WHEN is_left THEN '' ELSE fields END
            FROM (SELECT *, coalesce(\(isLeft), false) AS is_left
                FROM (SELECT number, is_swept, found.*,
                    sum(octet_length(found.fields)) OVER (ORDER BY number) AS bytes
                    \(foundRecords(for: rows))) AS summed) AS counted
            WHERE fields IS NULL OR bytes - octet_length(fields) < $3
            """
        }
    }
}
