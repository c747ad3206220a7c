import Foundation
import JSON

/// The rows of a table that a client of Azure Mobile has pulled, by the loop of its kind.
struct AzurePull {
    enum Kind: String, CaseIterable, Sendable {
        case iOS, javaScript, android, dotNet, datasync, toolkit
    }

    let kind: Kind
    let client: AzureClient
    let path: String
    private(set) var rows: [String: [String: JSONValue]] = [:]
    /// The number of rows that came, each time that they did.
    private(set) var received = 0
    private var token: String?
    private static let rowsPerPage = 50

    init(_ kind: Kind, _ server: RunningServer, path: String) {
        self.kind = kind
        self.path = path
        switch kind {
        case .iOS, .javaScript, .android, .dotNet:
            client = AzureClient(server, features: "OL,IP")
        case .datasync:
            var client = AzureClient(server, version: "3.0.0")
            client.headers["X-ZUMO-VERSION"] = "Datasync/5.0.0"
            self.client = client
        case .toolkit: client = AzureClient(server, version: nil)
        }
    }

    /// Pulls what is new. `between` runs after each page.
    mutating func pull(between: () async throws -> Void = {}) async throws {
        switch kind {
        case .iOS, .javaScript, .android, .dotNet: try await pullByPosition(between)
        case .datasync, .toolkit: try await pullByLinks(between)
        }
    }

    private mutating func pullByPosition(_ between: () async throws -> Void) async throws {
        var (skip, isFirst) = (0, true)
        while true {
            var query = [
                ("$orderby", "updatedAt"), ("$top", "\(Self.rowsPerPage)"), ("$skip", "\(skip)"),
            ]
            if let bound { query.append(("$filter", "(updatedAt ge datetimeoffset'\(bound)')")) }
            // This client loses the parameter after the first page.
            if kind != .android || isFirst { query.append(("__includeDeleted", "true")) }
            let page = try await client.rows(path, query)
            guard !page.isEmpty else { return }
            try take(page)
            let times = page.compactMap { $0["updatedAt"]?.string }
            guard times.count == page.count else { throw Unexpected("a row has no time") }
            let isByLast = kind == .javaScript || kind == .android
            let time = (isByLast ? times.last : times.max()) ?? ""
            if time > token ?? "" {
                token = time
                skip = 0
            } else {
                skip += page.count
            }
            isFirst = false
            try await between()
        }
    }

    private var bound: String? {
        switch kind {
        case .android: token
        case .dotNet: (token ?? "1970-01-01T00:00:00.000Z").dropLast() + "0000+00:00"
        case .iOS, .javaScript, .datasync, .toolkit: token ?? "1970-01-01T00:00:00.000Z"
        }
    }

    private mutating func pullByLinks(_ between: () async throws -> Void) async throws {
        var query = [
            ("$orderby", "updatedAt"), ("$count", "true"), ("__includedeleted", "true"),
        ]
        if let token {
            query.append(("$filter", "(updatedAt gt cast(\(token),Edm.DateTimeOffset))"))
        }
        var answer = try await client.ask("GET", path, query: query)
        let total = try? answer.row()["count"]
        while true {
            guard answer.status == 200 else { throw try client.server.refusal(answer) }
            guard try answer.row()["count"] == total else {
                throw Unexpected("a further page tells another number of all")
            }
            let page = try answer.rows()
            try take(page)
            token = ([token ?? ""] + page.compactMap { $0["updatedAt"]?.string }).max()
            try await between()
            guard let link = try answer.row()["nextLink"]?.string else { break }
            let target = kind == .toolkit ? "\(path)?\(link)" : String(link.drop { $0 != "?" })
            answer = try await client.ask("GET", kind == .toolkit ? target : path + target)
        }
        if token == "" { token = nil }
    }

    private mutating func take(_ page: [[String: JSONValue]]) throws {
        received += page.count
        for row in page {
            guard let id = row["id"]?.string, case .boolean(let isDeleted)? = row["deleted"] else {
                throw Unexpected("a row has no id or is not said to be deleted or not")
            }
            rows[id] = isDeleted ? nil : row
        }
    }
}
