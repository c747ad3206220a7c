package import JSON

extension CopyableStore {
    /// Calls `body` with each record of an environment that is not deleted, at one moment, and
    /// returns whether anybody has used the environment: signed in, synchronized, or written.
    package func visitRecords(
        in environment: EnvironmentID,
        _ body: (_ guid: String, _ model: String, _ fields: [String: JSONValue]) -> Void
    ) async throws(StoreError) -> Bool {
        try await withSnapshot(failingAs: \.self) { snapshot throws(StoreError) in
            var isUsed = false
            for table in [EnvironmentTable.sessions, .devices, .deviceProgress] {
                let rows = try await snapshot.rows(
                    of: table, in: environment, .everything, limit: 1)
                isUsed = isUsed || !rows.isEmpty
            }
            var records = RecordRows(of: snapshot, in: environment)
            while let rows = try await records.next() {
                for row in rows {
                    isUsed = true
                    if let found = try record(row) {
                        body(found.guid, found.model, found.fields)
                    }
                }
            }
            return isUsed
        }
    }
}

/// Reads the rows of records in batches, which bounds the memory.
private struct RecordRows {
    private let snapshot: any StoreSnapshot
    private let environment: EnvironmentID
    private var batch = BatchSize()
    private var last: [Cell]?
    private var isDone = false

    init(of snapshot: any StoreSnapshot, in environment: EnvironmentID) {
        self.snapshot = snapshot
        self.environment = environment
    }

    mutating func next() async throws(StoreError) -> [EnvironmentRow]? {
        guard !isDone else { return nil }
        let rows = try await snapshot.rows(
            of: .records, in: environment, KeyRange(after: last), limit: batch.count)
        isDone = rows.count < batch.count
        last = rows.last.map { Array($0.prefix(EnvironmentTable.records.key.count)) }
        batch.adjust(after: rows.reduce(0) { $0 + bytes(of: $1) })
        return rows
    }
}

/// Nil for a deleted record.
private func record(
    _ row: EnvironmentRow
) throws(StoreError) -> (guid: String, model: String, fields: [String: JSONValue])? {
    let cells = Dictionary(
        zip(EnvironmentTable.records.columns.map(\.name), row),
        uniquingKeysWith: { first, _ in first })
    guard cells["is_deleted"] != .flag(true), let guid = cells["guid"]?.text,
        let model = cells["model"]?.text
    else { return nil }
    return (guid, model, try JSONText.fields(cells["fields"]?.text ?? "{}"))
}

private func bytes(of row: EnvironmentRow) -> Int {
    row.reduce(0) { sum, cell in
        guard case .bytes(let bytes) = cell else { return sum }
        return sum + bytes.count
    }
}
