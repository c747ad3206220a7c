import SyncEngine

extension CopyRun {
    /// Gives the sum of the source's rows.
    func copy(
        _ table: EnvironmentTable, from origin: EnvironmentID, to copy: EnvironmentID,
        _ report: inout CopyReport
    ) async throws(CopyError) -> RowSum {
        guard table.isOrderedAlike else {
            return try await replace(table, from: origin, in: copy, &report)
        }
        var (sum, last, size) = (RowSum(), [Cell]?.none, pageSize)
        var isDone = false
        while !isDone {
            let rows = try await page(of: table, in: origin, after: last, size)
            isDone = rows.count < size.rows
            let end = rows.last.map { table.key(of: $0) }
            let range = KeyRange(after: last, upTo: isDone ? nil : end)
            let isNew = try await writing { () async throws(StoreError) in
                try await target.put(rows, in: range, of: table, in: copy)
            }
            note(rows, of: table, areNew: isNew, &report)
            sum.add(rows)
            size.adapt(to: rows)
            last = end
        }
        return sum
    }

    /// Where the two databases go through a table in different orders, all of it is one range.
    private func replace(
        _ table: EnvironmentTable, from origin: EnvironmentID, in copy: EnvironmentID,
        _ report: inout CopyReport
    ) async throws(CopyError) -> RowSum {
        let wanted = try await sum(of: table, in: origin, of: source, as: CopyError.source)
        let present = try await snapshotOfTarget { snapshot throws(CopyError) in
            try await sum(of: table, in: copy, of: snapshot, as: CopyError.target)
        }
        let isNew = present != wanted
        if isNew { _ = try await empty(table, in: copy) }
        var (last, size) = ([Cell]?.none, pageSize)
        var isDone = false
        while !isDone {
            let rows = try await page(of: table, in: origin, after: last, size)
            isDone = rows.count < size.rows
            if isNew {
                try await writing { () async throws(StoreError) in
                    try await target.add(rows, to: table, in: copy)
                }
            }
            note(rows, of: table, areNew: isNew, &report)
            size.adapt(to: rows)
            last = rows.last.map { table.key(of: $0) }
        }
        return wanted
    }

    func empty(
        _ table: EnvironmentTable, in copy: EnvironmentID
    ) async throws(CopyError) -> RowSum {
        _ = try await writing { () async throws(StoreError) in
            try await target.put([], in: .everything, of: table, in: copy)
        }
        return RowSum()
    }

    func verify(
        _ copy: EnvironmentID, has sums: [EnvironmentTable: RowSum]
    ) async throws(CopyError) {
        try await snapshotOfTarget { snapshot throws(CopyError) in
            var count = 0
            for table in EnvironmentTable.allCases {
                let found = try await sum(of: table, in: copy, of: snapshot, as: CopyError.target)
                guard found == sums[table] else { throw .differs(table) }
                count += found.count
                tell(.verified(rows: count))
            }
        }
    }

    private func note(
        _ rows: [EnvironmentRow], of table: EnvironmentTable, areNew: Bool,
        _ report: inout CopyReport
    ) {
        report.rows += rows.count
        if areNew { report.writtenRows += rows.count }
        if table == .records { report.records += rows.count }
        tell(.copied(rows: report.rows))
    }

    private func sum(
        of table: EnvironmentTable, in environment: EnvironmentID, of snapshot: any StoreSnapshot,
        as wrapped: (StoreError) -> CopyError
    ) async throws(CopyError) -> RowSum {
        var (sum, last, size) = (RowSum(), [Cell]?.none, pageSize)
        while true {
            let rows: [EnvironmentRow]
            do {
                rows = try await snapshot.rows(
                    of: table, in: environment, KeyRange(after: last), limit: size.rows)
            } catch {
                throw wrapped(error)
            }
            sum.add(rows)
            guard rows.count == size.rows, let end = rows.last else { return sum }
            last = table.key(of: end)
            size.adapt(to: rows)
        }
    }

    func page(
        of table: EnvironmentTable, in origin: EnvironmentID, after last: [Cell]?, _ size: PageSize
    ) async throws(CopyError) -> [EnvironmentRow] {
        try await reading { () async throws(StoreError) in
            try await source.rows(
                of: table, in: origin, KeyRange(after: last), limit: size.rows)
        }
    }
}

// MARK: - The two sides

extension CopyRun {
    func reading<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(CopyError) -> Value {
        do {
            return try await body()
        } catch {
            throw .source(error)
        }
    }

    func writing<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(CopyError) -> Value {
        do {
            return try await body()
        } catch {
            throw .target(error)
        }
    }

    func snapshotOfTarget<Value>(
        _ body: (any StoreSnapshot) async throws(CopyError) -> Value
    ) async throws(CopyError) -> Value {
        let snapshot = try await writing { () async throws(StoreError) in
            try await target.snapshot()
        }
        let result: Result<Value, CopyError>
        do {
            result = .success(try await body(snapshot))
        } catch {
            result = .failure(error)
        }
        await snapshot.close()
        return try result.get()
    }
}

extension EnvironmentTable {
    func key(of row: EnvironmentRow) -> [Cell] { Array(row.prefix(key.count)) }
}
