import ChangeRules
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import RecordSearch
import SyncEngine
import SyncServer

/// Reading.
extension AzureCall {
    /// The searches that one answer may take before it has a row.
    private static let maxSearches = 100

    func rows() async throws -> Response {
        let caller = try await caller()
        let table = try table()
        let question = try TableQuestion(parameters, dialect).meant(by: traits)
        var query = try question.find(in: table, through: filterTranslation(for: table))
        query.keepsText = query.fields == nil && table.hasPlainColumns
        let found = try await page(of: question, query, of: table, for: caller)
        var shape = RowShape(
            table, dialect, properties: question.properties, columns: question.columns)
        shape.ids = try await relatedIDs(of: found.rows, table, for: caller)
        var writer = JSONWriter(expecting: 256 * found.rows.count)
        try write(found, of: question, as: shape, to: &writer)
        return .row(bytes: writer.bytes)
    }

    func row() async throws -> Response {
        let caller = try await caller()
        let table = try table()
        let paging = ["$top", "$skip", "$filter", "$orderby", "$inlinecount"]
        guard !paging.contains(where: { parameters[$0] != nil }) else {
            throw AzureRefusal(.badRequest, "A single row takes no parameters of a list.")
        }
        let question = try TableQuestion(parameters, dialect)
        let id = try exchange.parameter("id")
        guard let row = try await row(id, of: table, for: caller) else { throw missing(id) }
        guard !row.record.isDeleted || question.includesDeleted else { throw deleted(id) }
        let shape = RowShape(
            table, dialect, properties: question.properties, columns: question.columns)
        var response = try await answer(row, of: table, shape, for: caller)
        if !question.properties.contains(.version) { response.headers[.eTag] = nil }
        return response
    }

    // MARK: - Pages

    private struct FoundRows: Sendable {
        var rows: [FoundView] = []
        var count: Int?
        var hasMore = false
    }

    private func page(
        of question: TableQuestion, _ query: FindQuery, of table: Table, for caller: Caller
    ) async throws -> FoundRows {
        let limit = question.top ?? dialect.standardRows
        do {
            return try await page(query, skipping: question.skip, limit, of: table, for: caller)
        } catch SyncError.find(.tooMuchToScan) where question.isPull && query.counts {
            // The client only shows the number.
            var query = query
            query.counts = false
            return try await page(query, skipping: question.skip, limit, of: table, for: caller)
        }
    }

    /// The rows after those to skip. An answer without a row ends a pull, so it goes on until there
    /// is one, or no more records. Each search waits for its turn: others go on between two.
    private func page(
        _ query: FindQuery, skipping skip: Int, _ limit: Int, of table: Table, for caller: Caller
    ) async throws -> FoundRows {
        var (query, found, skipped) = (query, FoundRows(), 0)
        for _ in 0..<Self.maxSearches {
            // Clients may ask to skip as many rows as a number can be.
            let missing = min(skip - skipped, engine.limits.pageRecords)
            query.limit = min(engine.limits.pageRecords, max(1, missing + limit))
            let page = try await exchange.search(for: caller) { [query] in
                try await engine.find(query, of: table.model.name, for: caller)
            }
            found.count = found.count ?? page.count
            query.counts = false
            let passed = min(skip - skipped, page.found.count)
            skipped += passed
            let rest = page.found.dropFirst(passed)
            found.rows += rest.prefix(limit - found.rows.count)
            found.hasMore = page.hasMore || rest.count > found.rows.count
            query.cursor = page.cursor
            guard found.rows.isEmpty, limit > 0, page.cursor != nil else { return found }
        }
        throw AzureRefusal(
            .serviceUnavailable, "Too many rows that you may not see come before the next one.")
    }

    // MARK: - Answers

    private func write(
        _ found: FoundRows, of question: TableQuestion, as shape: RowShape,
        to writer: inout JSONWriter
    ) throws {
        switch dialect {
        case .services, .apps:
            guard let count = found.count else {
                return try list(found.rows, as: shape, to: &writer)
            }
            writer.piece("{\"results\":")
            try list(found.rows, as: shape, to: &writer)
            writer.piece(",\"count\":")
            writer.integer(Int64(count))
        case .datasync:
            writer.piece("{\"items\":")
            try list(found.rows, as: shape, to: &writer)
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
        _ rows: [FoundView], as shape: RowShape, to writer: inout JSONWriter
    ) throws {
        var shape = shape
        try writer.list(rows) { try shape.write($1, to: &$0) }
    }

    /// The link to the next page: a bound in a pull, otherwise a number of rows. The Toolkit puts
    /// it behind `?`, while others follow a whole URL.
    private func nextLink(after found: FoundRows, _ question: TableQuestion) -> String? {
        guard found.hasMore, let last = found.rows.last else { return nil }
        let top = question.top.map { $0 - found.rows.count }
        if let top, top <= 0 { return nil }
        let own = ["$skip", "$top", TableQuestion.afterName]
        var pairs = (exchange.request.uri.query ?? "").split(separator: "&").map(String.init)
            .filter { pair in
                let name = pair.prefix { $0 != "=" }.lowercased()
                    .replacing("%24", with: "$")
                return !own.contains(name)
            }
        if let top { pairs.append("$top=\(top)") }
        if question.isPull {
            pairs.append("\(TableQuestion.afterName)=\(last.changedAt.milliseconds)")
        } else {
            pairs.append("$skip=\(question.skip + found.rows.count)")
        }
        let query = pairs.joined(separator: "&")
        guard traits.wantsWholeLinks, let host = exchange.request.head.authority else {
            return query
        }
        let scheme = header("X-Forwarded-Proto") == "https" ? "https" : "http"
        return "\(scheme)://\(host)\(exchange.request.uri.path)?\(query)"
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
