import ChangeRules
import DefinitionModel
import ForeignValues
import HTTPTypes
import Hummingbird
import JSON
import RecordSearch
import SyncEngine
import SyncServer

/// Reading.
extension AzureCall {
    /// The searches that one answer may take before it has a row; those of a step of a pull, which
    /// its client would repeat for ever; and those that only pass over rows.
    static let maxSearches = 100
    static let maxPullSearches = 1000
    static let maxSkippingSearches = 1000
    /// The pages, of `Limits.pageBytes` each, that a list may have whose client may not follow a
    /// link to its rest.
    private static let unlinkedPages = 4

    func rows() async throws -> Response {
        let caller = try await caller()
        let table = try table()
        var question = try TableQuestion(parameters, dialect).meant(by: traits)
        let translation = try await filterTranslation(of: question, for: table, caller)
        var query = try question.find(in: table, through: translation)
        query.keepsText = query.fields == nil
        // Before the first page, which may tell later changes too.
        if question.needsEnd {
            question.until = try await engine.engine.latestStamp().milliseconds
        }
        var found = try await page(of: question, query, of: table, for: caller)
        if question.after != nil { found.count = found.count ?? question.total }
        var shape = RowShape(
            table, dialect, properties: question.properties, columns: question.columns,
            omitsNull: traits.omitsDefaults)
        shape.ids = try await relatedIDs(of: found.rows, found.changes, in: table, for: caller)
        let bytes = found.approximateBytes
        var response = try await exchange.compute(ofBody: bytes, for: caller) {
            [found, question, shape] in
            var writer = JSONWriter(expecting: bytes)
            try write(found, of: question, as: shape, to: &writer)
            return writer.withBytes { Response.row(bytes: $0) }
        }
        if dialect == .apps, !question.isPull, let name = HTTPField.Name("Link"),
            let link = nextLink(after: found, question)
        {
            response.headers[name] = "\(link); rel=next"
        }
        return response
    }

    func row() async throws -> Response {
        let caller = try await caller()
        let table = try table()
        let paging = ["$top", "$skip", "$filter", "$orderby", "$inlinecount"]
        guard !paging.contains(where: { parameters[$0] != nil }) else {
            throw AzureRefusal(.badRequest, "A single row takes no parameters of a list.")
        }
        let question = try TableQuestion(parameters, dialect)
        try question.check(in: table)
        let id = try exchange.parameter("id")
        guard let row = try await row(id, of: table, for: caller) else { throw missing(id) }
        guard !row.record.isDeleted || question.includesDeleted else { throw deleted(id) }
        let shape = RowShape(
            table, dialect, properties: question.properties, columns: question.columns,
            omitsNull: traits.omitsDefaults)
        var response = try await answer(row, of: table, shape, for: caller)
        if !question.properties.contains(.version) { response.headers[.eTag] = nil }
        return response
    }

    // MARK: - Pages

    private struct FoundRows: Sendable {
        var rows: [FoundView] = []
        /// The rows of a step of a pull that needs no values; there are no others then.
        var changes: StampedPage?
        var count: Int?
        var hasMore = false

        var rowCount: Int { changes?.count ?? rows.count }

        /// The time of the change of the last row.
        var lastChange: Instant? { changes.map(\.lastChange) ?? rows.last?.changedAt }

        /// About the size of the answer.
        var approximateBytes: Int {
            rows.reduce((changes?.storedBytes ?? 0) + 256 * rowCount) { $0 + $1.approximateBytes }
        }
    }

    private func page(
        of question: TableQuestion, _ query: FindQuery, of table: Table, for caller: Caller
    ) async throws -> FoundRows {
        let limit = min(question.top ?? question.standardRows, engine.limits.pageRecords)
        if let found = try await changes(query, question, limit, of: table, for: caller) {
            return found
        }
        if let found = try await countedChanges(query, question, limit, of: table, for: caller) {
            return found
        }
        do {
            return try await page(query, of: question, limit, of: table, for: caller)
        } catch SyncError.find(.tooMuchToScan) where question.isPull && query.counts {
            // The client only shows the number.
            var query = query
            query.counts = false
            if let found = try await changes(query, question, limit, of: table, for: caller) {
                return found
            }
            return try await page(query, of: question, limit, of: table, for: caller)
        } catch SyncError.find(.tooMuchToScan) where query.byOwner != nil {
            return try await page(
                query.byOwner ?? query, of: question, limit, of: table, for: caller)
        }
    }

    /// Nil unless it is a step of a pull that needs no values, by a client of the served version.
    private func changes(
        _ query: FindQuery, _ question: TableQuestion, _ limit: Int, of table: Table,
        for caller: Caller
    ) async throws -> FoundRows? {
        guard question.isPull, query.keepsText, question.skip == 0, limit > 0,
            engine.translation == nil
        else { return nil }
        var query = query
        query.limit = limit
        let page = try await exchange.search(for: caller) { [query] in
            try await engine.engine.stampedPage(of: query, of: table.model.name, for: caller)
        }
        return page.map { FoundRows(changes: $0, hasMore: $0.hasMore) }
    }

    /// The same with the number of all rows. Rows that are counted are sifted: that of a step with
    /// all that is left is known without.
    private func countedChanges(
        _ query: FindQuery, _ question: TableQuestion, _ limit: Int, of table: Table,
        for caller: Caller
    ) async throws -> FoundRows? {
        guard query.counts else { return nil }
        var uncounted = query
        uncounted.counts = false
        guard
            var found = try await changes(uncounted, question, limit, of: table, for: caller)
        else { return nil }
        found.count =
            found.hasMore ? try await count(query, of: table, for: caller) : found.rowCount
        return found
    }

    /// Nil if there are too many rows to count: the client only shows the number.
    private func count(
        _ query: FindQuery, of table: Table, for caller: Caller
    ) async throws -> Int? {
        var query = query
        query.fields = []
        query.limit = 1
        do {
            return try await exchange.search(for: caller) { [query] in
                try await engine.find(query, of: table.model.name, for: caller)
            }.count
        } catch SyncError.find(.tooMuchToScan) {
            return nil
        }
    }

    /// The rows after those to skip. An answer without a row ends a pull, so it searches until
    /// there is one, or no more records; and one with fewer rows than a client asked for ends a
    /// list for clients that follow no links, so it has the rows of up to `unlinkedPages` pages.
    /// Each search waits for its turn, so that others run in between.
    private func page(
        _ query: FindQuery, of question: TableQuestion, _ limit: Int, of table: Table,
        for caller: Caller
    ) async throws -> FoundRows {
        var (query, found, bytes) = (query, FoundRows(), 0)
        var rest = RestOfSearches(
            skip: question.skip,
            searches: question.isPull ? Self.maxPullSearches : Self.maxSearches)
        let mayBeShort = question.isPull || dialect == .datasync
        let maxBytes = engine.limits.pageBytes * (mayBeShort ? 1 : Self.unlinkedPages)
        while rest.searches > 0, rest.skippingSearches > 0, bytes < maxBytes {
            guard exchange.context.isOpen else { throw SyncError.store(.cancelled) }
            // A search passes over no more rows than it may read.
            query.skip = min(rest.skip, engine.limits.scannedRecords)
            query.limit = max(1, rest.skip > query.skip ? 1 : limit - found.rows.count)
            let page = try await exchange.search(for: caller) { [query] in
                try await engine.find(query, of: table.model.name, for: caller)
            }
            found.count = found.count ?? page.count
            query.counts = false
            let shown = rest.rows(of: page)
            found.hasMore = page.hasMore || shown.count > limit - found.rows.count
            found.rows += shown.prefix(limit - found.rows.count)
            query.cursor = page.cursor
            guard limit > found.rows.count, page.cursor != nil,
                found.rows.isEmpty || !mayBeShort
            else { return found }
            let size = shown.reduce(0) { $0 + $1.approximateBytes }
            try exchange.context.hold(size)
            bytes += size
        }
        guard !found.rows.isEmpty else {
            throw AzureRefusal(
                .serviceUnavailable, "Too many rows come before the next one that you may see.")
        }
        // This generation knows no links.
        guard question.isPull || dialect != .services else {
            throw AzureRefusal(
                .contentTooLarge, "The rows are too large for one answer: ask for fewer with $top.")
        }
        return found
    }

    /// The searches that one answer may still take.
    private struct RestOfSearches {
        /// The rows to pass over.
        var skip: Int
        var searches: Int
        var skippingSearches = AzureCall.maxSkippingSearches

        /// Counts a search, and returns the rows of its page that are not to be passed over.
        mutating func rows(of page: FindPage) -> ArraySlice<FoundView> {
            let passed = min(skip - page.skipped, page.found.count)
            if page.skipped + passed > 0 { skippingSearches -= 1 } else { searches -= 1 }
            skip -= page.skipped + passed
            return page.found.dropFirst(passed)
        }
    }

    // MARK: - Answers

    private func write(
        _ found: FoundRows, of question: TableQuestion, as shape: RowShape,
        to writer: inout JSONWriter
    ) throws {
        switch dialect {
        case .services, .apps:
            guard let count = found.count else {
                return try list(found, as: shape, to: &writer)
            }
            writer.piece("{\"results\":")
            try list(found, as: shape, to: &writer)
            writer.piece(",\"count\":")
            writer.integer(Int64(count))
        case .datasync:
            writer.piece("{\"items\":")
            try list(found, as: shape, to: &writer)
            if let count = found.count {
                writer.piece(",\"count\":")
                writer.integer(Int64(count))
            }
            if let link = nextLink(after: found, question) {
                writer.piece(",\"nextLink\":")
                writer.string(link)
            }
        }
        writer.piece("}")
    }

    private func list(
        _ found: FoundRows, as shape: RowShape, to writer: inout JSONWriter
    ) throws {
        if let changes = found.changes { return try shape.write(changes, to: &writer) }
        var shape = shape
        try writer.list(found.rows) { try shape.write($1, to: &$0) }
    }

    /// The link to the next page: a bound in a pull, otherwise a number of rows. The Toolkit puts
    /// it behind `?`, while others follow a whole URL.
    private func nextLink(after found: FoundRows, _ question: TableQuestion) -> String? {
        guard found.hasMore, let lastChange = found.lastChange else { return nil }
        let top = question.top.map { $0 - found.rowCount }
        if let top, top <= 0 { return nil }
        let own = ["$skip", "$top"] + TableQuestion.linkNames
        var pairs = (exchange.request.uri.query ?? "").split(separator: "&").map(String.init)
            .filter { pair in
                let name = pair.prefix { $0 != "=" }.lowercased()
                    .replacing("%24", with: "$")
                return !own.contains(name)
            }
        if let top { pairs.append("$top=\(top)") }
        if question.isPull {
            pairs.append("\(TableQuestion.afterName)=\(lastChange.milliseconds)")
            if let count = found.count { pairs.append("\(TableQuestion.totalName)=\(count)") }
            if let until = question.until { pairs.append("\(TableQuestion.untilName)=\(until)") }
        } else {
            pairs.append("$skip=\(question.skip + found.rowCount)")
        }
        let query = pairs.joined(separator: "&")
        guard traits.wantsWholeLinks || dialect == .apps else { return query }
        return "\(wholeURL(of: exchange.request.uri.path))?\(query)"
    }
}

extension AzureCall {
    func missing(_ id: String) -> AzureRefusal {
        AzureRefusal(
            .notFound,
            dialect == .apps
                ? "The item does not exist" : "An item with id '\(id)' does not exist.")
    }

    func deleted(_ id: String) -> AzureRefusal {
        dialect == .datasync
            ? AzureRefusal(.gone, "The item with id '\(id)' is deleted.") : missing(id)
    }
}

extension FoundView {
    /// About the size of the values.
    var approximateBytes: Int {
        stored?.storedBytes ?? record.fields.map { JSONValue.object($0).approximateBytes } ?? 0
    }
}
