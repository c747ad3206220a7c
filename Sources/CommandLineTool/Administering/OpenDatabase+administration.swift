import Administration
import DefinitionCompiler
import Foundation
import JSON
import SyncEngine

extension OpenDatabase {
    /// Calls the store, and converts its errors.
    func calling<Value: Sendable>(
        _ body: (any WholeStore) async throws(StoreError) -> Value
    ) async throws(ToolFailure) -> Value {
        do {
            return try await body(store)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// Opens the database, runs `body`, and closes the database.
    static func opened(
        _ options: LocationOptions, _ body: (OpenDatabase) async throws -> Void
    ) async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        try await body(database)
        try database.close()
    }

    /// Writes an act of the user of this machine to the activity log.
    func log(
        _ act: AdminOperation, environment: String? = nil, target: String = "",
        before: JSONValue? = nil, after: JSONValue? = nil, by actor: String? = nil
    ) async throws(ToolFailure) {
        try await log(
            Activity(
                actor: actor ?? DeploymentAuthor.tool.name, origin: "", act: act.rawValue,
                environment: environment, target: target, before: before?.text ?? "",
                after: after?.text ?? ""))
    }

    /// Writes an act that HTTP does not have.
    func log(
        _ act: ToolAct, environment: String? = nil, target: String = ""
    ) async throws(ToolFailure) {
        try await log(
            Activity(
                actor: DeploymentAuthor.tool.name, origin: "", act: act.rawValue,
                environment: environment, target: target))
    }

    private func log(_ activity: Activity) async throws(ToolFailure) {
        try await calling { store throws(StoreError) in try await store.log(activity, at: .now) }
    }

    /// A version by number or tag. Throws if there is none.
    func catalogVersion(_ name: String) async throws(ToolFailure) -> CatalogVersion {
        let found = try await calling { store throws(StoreError) in
            try await store.catalogVersion(named: name)
        }
        guard let found else {
            throw ToolFailure(
                .inputAtFault, "'\(address)' has no version '\(name)'",
                help: "'waggle versions list' lists them")
        }
        return found
    }

    /// The `application.xml` of a version.
    func source(of version: CatalogVersion) async throws(ToolFailure) -> [UInt8] {
        let source = try await calling { store throws(StoreError) in
            try await store.catalogSource(version.number)
        }
        return source ?? []
    }

    /// A version, compiled.
    func definitionFile(_ version: CatalogVersion) async throws -> DefinitionFile {
        try DefinitionFile(stored: try await source(of: version), version: version.number)
    }
}

extension Instant {
    /// As in ISO 8601, in UTC.
    var iso8601: String {
        Date(timeIntervalSince1970: Double(milliseconds) / 1000).formatted(.iso8601)
    }
}

/// Columns for people, with a line of headings.
func textTable(_ rows: [[String]]) -> String {
    let widths = (0..<(rows.first?.count ?? 0)).map { column in
        rows.map { $0[column].count }.max() ?? 0
    }
    return rows.map { row in
        zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            .joined(separator: "  ").trimmingCharacters(in: .whitespaces) + "\n"
    }.joined()
}
