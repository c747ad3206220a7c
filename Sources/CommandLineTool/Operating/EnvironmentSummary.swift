import DefinitionModel
import Foundation
import SyncEngine
import UserAccounts

/// The size of an environment and of its parts.
struct EnvironmentSummary: Encodable {
    let name: String
    let vendor: String
    let application: String
    let digest: String
    let fingerprint: String
    let instance: String
    /// The number of the last change.
    let sequence: Int64
    let versions: Int
    let users: Int
    /// Without deleted ones.
    let records: Int
    let openConflicts: Int

    /// A table with a line for each.
    static func table(of summaries: [EnvironmentSummary]) -> String {
        let rows =
            [["NAME", "APPLICATION", "USERS", "RECORDS", "CONFLICTS", "DIGEST"]]
            + summaries.map {
                [
                    $0.name, "\($0.vendor)/\($0.application)", "\($0.users)", "\($0.records)",
                    "\($0.openConflicts)", $0.digest,
                ]
            }
        return aligned(rows)
    }

    var text: String {
        aligned([
            ["name", name], ["application", "\(vendor)/\(application)"], ["digest", digest],
            ["fingerprint", fingerprint], ["instance", instance], ["versions", "\(versions)"],
            ["changes", "\(sequence)"], ["users", "\(users)"], ["records", "\(records)"],
            ["open conflicts", "\(openConflicts)"],
        ])
    }
}

extension OpenDatabase {
    /// The names of all environments, in the order of their creation.
    func environmentNames() async throws(ToolFailure) -> [String] {
        try await asking { () async throws(StoreError) in
            try await store.environments().map(\.name).filter(EnvironmentName.isLegal)
        }
    }

    func summary(of name: String) async throws -> EnvironmentSummary {
        let state = try await existingEnvironment(named: name)
        let definition = try DefinitionFile(stored: state.source, environment: name).definition
        var records = 0
        _ = try await visitRecords(of: state) { _, _, _ in records += 1 }
        return EnvironmentSummary(
            name: name, vendor: definition.vendor, application: definition.application,
            digest: state.digest, fingerprint: state.fingerprint, instance: state.instance,
            sequence: state.sequence,
            versions: try await asking { () async throws(StoreError) in
                try await store.versions(of: state.id).count
            },
            users: try await users(of: state).count, records: records,
            openConflicts: try await asking { () async throws(StoreError) in
                try await store.openConflictCount(in: state.id)
            })
    }

    /// Returns false if the name is taken.
    func rename(_ environment: EnvironmentID, to name: String) async throws(ToolFailure) -> Bool {
        try await asking { () async throws(StoreError) in
            try await store.renameDeployed(environment, to: name)
        }
    }

    func remove(_ environment: EnvironmentID) async throws(ToolFailure) {
        try await asking { () async throws(StoreError) in try await store.remove(environment) }
    }

    private func users(of state: EnvironmentState) async throws -> [User] {
        do {
            return try await accounts(of: state.name).list()
        } catch let error as AccountError {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    private func asking<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(ToolFailure) -> Value {
        do {
            return try await body()
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }
}

/// Columns of equal width, two spaces apart.
private func aligned(_ rows: [[String]]) -> String {
    let columns = rows.map(\.count).max() ?? 0
    let widths = (0..<columns).map { column in
        rows.compactMap { column < $0.count ? $0[column].count : nil }.max() ?? 0
    }
    return rows.map { row in
        zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
            .joined(separator: "  ").trimmingCharacters(in: .whitespaces) + "\n"
    }.joined()
}

/// A value as JSON, with a final newline.
func jsonLine(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(value), as: UTF8.self) + "\n"
}
