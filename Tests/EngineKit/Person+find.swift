import NativeCalls
package import SyncEngine
package import SyncProtocol

extension Person {
    /// Queries things; `filter` is JSON, and `sort` as in a URL.
    package func find(
        _ filter: String? = nil, of model: String = "Thing", sort: String = "",
        fields: [String]? = nil, limit: Int? = nil, cursor: String? = nil, counts: Bool = false,
        with engine: Engine? = nil
    ) async throws -> FindResponse {
        try await (engine ?? bench.engine).find(
            FindRequest(
                filter: try filter.map { try FindRequest.Filter($0) },
                sort: sort.isEmpty
                    ? []
                    : sort.split(separator: ",").map {
                        FindRequest.SortMessage(
                            String($0.drop { $0 == "-" }), descends: $0.first == "-")
                    },
                fields: fields, limit: limit, cursor: cursor, counts: counts),
            of: model, for: try await caller())
    }

    /// The numbers of the matching records in order, from all pages.
    package func numbers(
        _ filter: String? = nil, of model: String = "Thing", sort: String = "$guid",
        limit: Int = 1000
    ) async throws -> [Int] {
        var numbers: [Int] = []
        var cursor: String?
        repeat {
            let page = try await find(
                filter, of: model, sort: sort, limit: limit, cursor: cursor)
            numbers += page.records.map { number(of: $0.guid) }
            cursor = page.cursor
        } while cursor != nil
        return numbers
    }
}

/// The number in a guid from `guid(_:)`.
package func number(of guid: String) -> Int {
    Int(guid.suffix(12), radix: 16) ?? -1
}
