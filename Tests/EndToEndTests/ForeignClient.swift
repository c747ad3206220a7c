import Foundation
import JSON

/// A wire whose clients tell nothing of their definition.
enum ForeignWire: String, CaseIterable, Sendable {
    case azure, parse
}

/// A client of another product, which was released with a version of the definition.
struct ForeignClient: Sendable {
    let wire: ForeignWire
    let azure: AzureClient
    let parse: ParseClient
    /// The name of the model in its version.
    let model: String

    /// - Parameter version: The end of the address or of the application id, such as `@2`.
    init(_ wire: ForeignWire, _ server: RunningServer, version: String, model: String) {
        self.wire = wire
        self.model = model
        var azure = AzureClient(server)
        azure.prefix = "/azure/test\(version)"
        var parse = ParseClient(server)
        parse.application = "test\(version)"
        (self.azure, self.parse) = (azure, parse)
    }

    private var path: String { wire == .azure ? "/tables/\(model)" : "/classes/\(model)" }

    /// The id of a new object, which is opaque.
    func create(_ fields: [String: JSONValue]) async throws -> String {
        switch wire {
        case .azure:
            let own = ["id": JSONValue.string("own \(fresh())")]
            let row = try await azure.row("POST", path, fields.merging(own) { $1 })
            return row["id"]?.string ?? ""
        case .parse: return try await parse.create(model, fields)
        }
    }

    func creation(_ fields: [String: JSONValue]) async throws -> Answer {
        switch wire {
        case .azure: try await azure.ask("POST", path, fields)
        case .parse: try await parse.ask("POST", path, fields)
        }
    }

    func change(_ id: String, _ fields: [String: JSONValue]) async throws -> Answer {
        switch wire {
        case .azure: try await azure.ask("PATCH", place(id), fields)
        case .parse: try await parse.ask("PUT", place(id), fields)
        }
    }

    func remove(_ id: String) async throws -> Answer {
        switch wire {
        case .azure: try await azure.ask("DELETE", place(id))
        case .parse: try await parse.ask("DELETE", place(id))
        }
    }

    /// The fields of an object. A client of Azure gets nulls, one of Parse does not.
    func fields(_ id: String) async throws -> [String: JSONValue] {
        switch wire {
        case .azure: try await azure.row("GET", place(id)).own
        case .parse: try await parse.get("GET", place(id)).own
        }
    }

    /// The objects in the order of a field, with the named fields; `=` in a filter is equality.
    func find(
        _ filter: (field: String, value: JSONValue)?, order: String, descending: Bool = false,
        fields: [String] = []
    ) async throws -> [[String: JSONValue]] {
        switch wire {
        case .azure:
            var query = [("$orderby", order + (descending ? " desc" : ""))]
            if let filter {
                let text = filter.value.string.map { "'\($0)'" } ?? filter.value.text
                query.append(("$filter", "\(filter.field) eq \(text)"))
            }
            if !fields.isEmpty { query.append(("$select", fields.joined(separator: ","))) }
            return try await azure.rows(path, query)
        case .parse:
            var members: [String: JSONValue] = [
                "order": .string((descending ? "-" : "") + order)
            ]
            if let filter { members["where"] = .object([filter.field: filter.value]) }
            if !fields.isEmpty { members["keys"] = .string(fields.joined(separator: ",")) }
            return try await parse.find(model, members)
        }
    }

    func id(of object: [String: JSONValue]) -> String? {
        object[wire == .azure ? "id" : "objectId"]?.string
    }

    private func place(_ id: String) -> String { "\(path)/\(AzureClient.encoded(id))" }
}

extension [String: JSONValue] {
    /// Without what every row or object has.
    var own: [String: JSONValue] {
        let system = ["id", "objectId", "createdAt", "updatedAt", "version", "deleted"]
        return filter { !system.contains($0.key) }
    }
}

extension Answer {
    /// The code and the field of each cause of a refusal: `fieldNotServed score`.
    func causes() throws -> [String] {
        (try json().member("causes")?.elements ?? []).map { cause in
            // The code of a cause is Parse's own on that wire.
            let code = cause.member("reason")?.string ?? cause.member("code")?.string ?? ""
            return "\(code) \(cause.member("field")?.string ?? "-")"
        }
    }
}
