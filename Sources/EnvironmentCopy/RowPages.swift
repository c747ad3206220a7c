import SyncEngine

/// The rows of a table in consecutive key ranges.
struct RowPages {
    let table: EnvironmentTable
    let environment: EnvironmentID
    let snapshot: any StoreSnapshot
    var size: PageSize
    /// Wraps an error of the snapshot's database.
    let wrapped: (StoreError) -> CopyError
    private var last: [Cell]?
    private var isDone = false

    init(
        table: EnvironmentTable, environment: EnvironmentID, snapshot: any StoreSnapshot,
        size: PageSize, wrapped: @escaping (StoreError) -> CopyError
    ) {
        self.table = table
        self.environment = environment
        self.snapshot = snapshot
        self.size = size
        self.wrapped = wrapped
    }

    /// The last range is open and may be empty; nil after it.
    mutating func next() async throws(CopyError) -> (rows: [EnvironmentRow], range: KeyRange)? {
        guard !isDone else { return nil }
        guard !Task.isCancelled else { throw wrapped(.cancelled) }
        var limit = size.rows
        while true {
            let rows = try await read(limit)
            guard rows.count == limit else {
                isDone = true
                return (rows, KeyRange(after: last))
            }
            let whole = wholeKeys(of: rows)
            guard let end = whole.last.map({ table.key(of: $0) }) else {
                limit *= 2
                continue
            }
            defer { last = end }
            size.adapt(to: whole)
            return (whole, KeyRange(after: last, upTo: end))
        }
    }

    /// Drops the last key unless all of its rows are included.
    private func wholeKeys(of rows: [EnvironmentRow]) -> [EnvironmentRow] {
        guard table.hasSequels, let end = rows.last.map({ table.key(of: $0) }) else { return rows }
        return Array(rows.prefix { table.key(of: $0) != end })
    }

    private func read(_ limit: Int) async throws(CopyError) -> [EnvironmentRow] {
        do {
            return try await snapshot.rows(
                of: table, in: environment, KeyRange(after: last), limit: limit)
        } catch {
            throw wrapped(error)
        }
    }
}

extension EnvironmentTable {
    func key(of row: EnvironmentRow) -> [Cell] { Array(row.prefix(key.count)) }
}
