import SyncEngine

extension CopyRun {
    /// Returns the checksum of the source's rows.
    func copy(
        _ table: EnvironmentTable, from origin: EnvironmentID, to copy: EnvironmentID,
        _ report: inout CopyReport
    ) async throws(CopyError) -> RowSum {
        guard table.isOrderedAlike else {
            return try await replace(table, from: origin, in: copy, &report)
        }
        var (sum, pages) = (RowSum(of: table), self.pages(of: table, in: origin))
        while let page = try await pages.next() {
            let isNew = try await writing { () async throws(StoreError) in
                try await target.put(page.rows, in: page.range, of: table, in: copy)
            }
            note(page.rows, of: table, areNew: isNew, &report)
            sum.add(page.rows)
        }
        return sum
    }

    /// If the two databases order the keys of a table differently, the whole table is one range.
    private func replace(
        _ table: EnvironmentTable, from origin: EnvironmentID, in copy: EnvironmentID,
        _ report: inout CopyReport
    ) async throws(CopyError) -> RowSum {
        let wanted = try await sum(of: table, in: self.pages(of: table, in: origin))
        let present = try await target.withSnapshot(failingAs: CopyError.target) {
            snapshot throws(CopyError) in
            try await sum(
                of: table,
                in: self.pages(of: table, in: copy, snapshot, failingAs: CopyError.target))
        }
        let isNew = present != wanted
        if isNew { _ = try await empty(table, in: copy) }
        var pages = self.pages(of: table, in: origin)
        while let page = try await pages.next() {
            if isNew {
                try await writing { () async throws(StoreError) in
                    try await target.add(page.rows, to: table, in: copy)
                }
            }
            note(page.rows, of: table, areNew: isNew, &report)
        }
        return wanted
    }

    func empty(
        _ table: EnvironmentTable, in copy: EnvironmentID
    ) async throws(CopyError) -> RowSum {
        _ = try await writing { () async throws(StoreError) in
            try await target.put([], in: .everything, of: table, in: copy)
        }
        return RowSum(of: table)
    }

    func verify(
        _ copy: EnvironmentID, has sums: [EnvironmentTable: RowSum]
    ) async throws(CopyError) {
        try await target.withSnapshot(failingAs: CopyError.target) {
            snapshot throws(CopyError) in
            var count = 0
            for table in EnvironmentTable.allCases {
                let found = try await sum(
                    of: table,
                    in: self.pages(of: table, in: copy, snapshot, failingAs: CopyError.target))
                guard found == sums[table] else { throw .differs(table) }
                count += found.count
                progress(.verified(rows: count))
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
        progress(.copied(rows: report.rows))
    }

    private func sum(
        of table: EnvironmentTable, in pages: RowPages
    ) async throws(CopyError) -> RowSum {
        var (sum, pages) = (RowSum(of: table), pages)
        while let page = try await pages.next() { sum.add(page.rows) }
        return sum
    }

    func pages(of table: EnvironmentTable, in origin: EnvironmentID) -> RowPages {
        pages(of: table, in: origin, source, failingAs: CopyError.source)
    }

    private func pages(
        of table: EnvironmentTable, in environment: EnvironmentID, _ snapshot: any StoreSnapshot,
        failingAs wrapped: @escaping (StoreError) -> CopyError
    ) -> RowPages {
        RowPages(
            table: table, environment: environment, snapshot: snapshot, size: pageSize,
            wrapped: wrapped)
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
}
