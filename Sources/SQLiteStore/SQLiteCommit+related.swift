import DefinitionModel
import SyncEngine

extension SQLiteCommit {
    /// Reads no further than to the first row beyond the limit.
    func changes(for question: ChangesQuestion) throws -> [StoredRecord]? {
        let places = RowKey.after(question.afterSequence, in: environment)
        let statement = try writer.statement(
            "SELECT \(StoredRecord.columns) FROM records WHERE place >= ? AND place < ?")
        return try records(
            by: statement, [.integer(places.lowerBound), .integer(places.upperBound)],
            RowRoom(question.limit))
    }

    func sources(of question: SourceQuestion) throws -> [StoredRecord]? {
        let key: [RepeatedStatement.Value] = [
            .integer(environment.number), .text(question.target),
        ]
        let counting = try writer.statement(
            """
            SELECT count(*) FROM (SELECT 1 FROM links
                WHERE environment = ? AND target = ? AND is_current LIMIT ?)
            """)
        let max = Int64(question.limit.rows)
        let count = try counting.first(key + [.integer(max + 1)]) { $0.number(0) } ?? 0
        guard count <= max else { return nil }
        let statement = try writer.statement(
            """
            SELECT \(StoredRecord.columns)
            FROM links JOIN records
                ON records.environment = links.environment AND records.guid = links.source
            WHERE links.environment = ? AND links.target = ? AND links.is_current
                AND records.model = ? AND records.place > ?
            """)
        var found: [StoredRecord] = []
        for model in Set(question.models) {
            let place = RowKey.of(sequence: question.afterSequence, in: environment)
            guard
                let records = try records(
                    by: statement, key + [.text(model), .integer(place)],
                    RowRoom(question.limit))
            else { return nil }
            found += records
        }
        return found
    }

    private func records(
        by statement: RepeatedStatement, _ values: [RepeatedStatement.Value], _ room: RowRoom
    ) throws -> [StoredRecord]? {
        var (room, records) = (room, [StoredRecord]())
        try statement.each(values) { row in
            let record = try StoredRecord(row: row)
            room.take(record.fieldsText)
            records.append(record)
            return room.isExceeded ? .stop : .goOn
        }
        return room.isExceeded ? nil : records
    }

    /// Visits the newest entries first. Sequences ascend with revisions.
    func hasEffect(_ question: EffectQuestion) throws -> Bool {
        let statement = try writer.statement(
            """
            SELECT sequence, kind, login, device_identifier FROM history
            WHERE origin = \(originOfRecord) ORDER BY revision DESC, id DESC
            """)
        var visited = 0
        var hasEffect = false
        try statement.each([.integer(environment.number), .text(question.guid)]) { row in
            guard row.number(0) > question.afterSequence else { return .stop }
            visited += 1
            hasEffect = try row.isEffect(besides: question.device)
            if visited > question.maxEntries { hasEffect = true }
            return hasEffect ? .stop : .goOn
        }
        return hasEffect
    }
}

extension StatementRow {
    fileprivate func isEffect(besides device: DeviceKey) throws -> Bool {
        guard try HistoryEntry.Kind(stored: try text(1)).tookEffect else { return false }
        let (login, identifier) = (try text(2), try text(3))
        return !login.hasSameBytes(as: device.login)
            || !identifier.hasSameBytes(as: device.deviceIdentifier)
    }
}

/// The room that a limit leaves while rows are read.
struct RowRoom {
    private var rows: Int
    private var bytes: Int

    init(_ limit: ReadLimit) { (rows, bytes) = (limit.rows, limit.bytes) }

    mutating func take(_ text: String) {
        rows -= 1
        bytes -= text.utf8.count
    }

    /// Whether the rows that were taken are more than the limit.
    var isExceeded: Bool { rows < 0 || bytes < 0 }
}
