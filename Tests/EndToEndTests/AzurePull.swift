import Foundation
import JSON

/// The rows of a table that a client of Azure Mobile has pulled, by the loop of its kind.
struct AzurePull {
    enum Kind: String, CaseIterable, Sendable {
        /// The first is one of Mobile Services.
        case services, iOS, javaScript, android, dotNet, datasync, earlyDatasync, toolkit
    }

    let kind: Kind
    let client: AzureClient
    let path: String
    var rows: [String: [String: JSONValue]] = [:]
    /// The number of rows that came, each time that they did.
    private(set) var received = 0
    private var token: String?
    private static let rowsPerPage = 50
    /// Rows that clients of Datasync store together. They fail if one of them comes twice.
    private static let rowsPerWrite = 25

    init(_ kind: Kind, _ server: RunningServer, path: String) {
        self.kind = kind
        self.path = path
        switch kind {
        case .services: client = AzureClient(server, version: nil, features: "OL,IP")
        case .iOS, .android, .dotNet: client = AzureClient(server, features: "OL,IP")
        case .javaScript:
            var client = AzureClient(server, features: "OL,IP")
            client.headers["X-ZUMO-VERSION"] = "ZUMO/2.0.0 (lang=Cordova)"
            self.client = client
        case .datasync, .earlyDatasync: client = .datasync(server)
        case .toolkit: client = .toolkit(server)
        }
    }

    /// The name of a system property.
    func name(_ property: String) -> String {
        kind == .services ? "__\(property)" : property
    }

    /// Pulls what is new. `between` runs after each page.
    mutating func pull(between: () async throws -> Void = {}) async throws {
        switch kind {
        case .services, .iOS, .javaScript, .android, .dotNet: try await pullByPosition(between)
        case .datasync, .earlyDatasync, .toolkit: try await pullByLinks(between)
        }
    }

    private mutating func pullByPosition(_ between: () async throws -> Void) async throws {
        var (skip, isFirst) = (0, true)
        while true {
            var query = [
                ("$orderby", name("updatedAt")), ("$top", "\(Self.rowsPerPage)"),
                ("$skip", "\(skip)"),
            ]
            if kind == .services { query.append(("__systemproperties", "*")) }
            if let bound {
                query.append(("$filter", "(\(name("updatedAt")) ge datetimeoffset'\(bound)')"))
            }
            // This client loses the parameter after the first page.
            if kind != .android || isFirst { query.append(("__includeDeleted", "true")) }
            let page = try await client.rows(path, query)
            guard !page.isEmpty else { return }
            try take(page)
            let times = page.compactMap { $0[name("updatedAt")]?.string }
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
        case .services, .iOS, .javaScript, .earlyDatasync: token ?? "1970-01-01T00:00:00.000Z"
        case .datasync, .toolkit: token
        }
    }

    /// The first pull of some clients asks for no deleted rows, and their earliest versions name no
    /// order.
    private var firstQuery: [(String, String)] {
        var query: [(String, String)] = []
        if let bound {
            query.append(("$filter", "(updatedAt gt cast(\(bound),Edm.DateTimeOffset))"))
        }
        if kind != .earlyDatasync { query += [("$orderby", "updatedAt"), ("$count", "true")] }
        if kind == .toolkit || bound != nil { query.append(("__includedeleted", "true")) }
        return query
    }

    private mutating func pullByLinks(_ between: () async throws -> Void) async throws {
        var answer = try await client.ask("GET", path, query: firstQuery)
        var pulled: [[String: JSONValue]] = []
        let total = try? answer.row()["count"]
        while true {
            guard answer.status == 200 else { throw try client.server.refusal(answer) }
            guard try answer.row()["count"] == total else {
                throw Unexpected("a further page tells another number of all")
            }
            let page = try answer.rows()
            try take(page)
            pulled += page
            let times = page.compactMap { $0["updatedAt"]?.string }
            token = kind == .toolkit ? (times + [token ?? ""]).max() : times.last ?? token
            try await between()
            guard let link = try answer.row()["nextLink"]?.string else { break }
            let target = kind == .toolkit ? "\(path)?\(link)" : String(link.drop { $0 != "?" })
            answer = try await client.ask("GET", kind == .toolkit ? target : path + target)
        }
        if token == "" { token = nil }
        if kind == .datasync { try expectWritable(pulled) }
    }

    private func expectWritable(_ rows: [[String: JSONValue]]) throws {
        for start in stride(from: 0, to: rows.count, by: Self.rowsPerWrite) {
            let kept = rows[start..<min(start + Self.rowsPerWrite, rows.count)]
                .filter { $0["deleted"] == .boolean(false) }
            guard Set(kept.map { $0["id"]?.string }).count == kept.count else {
                throw Unexpected("a row comes twice")
            }
        }
    }

    private mutating func take(_ page: [[String: JSONValue]]) throws {
        received += page.count
        for row in page {
            guard let id = row["id"]?.string,
                case .boolean(let isDeleted)? = row[name("deleted")]
            else {
                throw Unexpected("a row has no id or is not said to be deleted or not")
            }
            rows[id] = isDeleted ? nil : row
        }
    }
}
