import Administration
import DefinitionModel
import SyncEngine

extension OpenDatabase {
    /// The versions of the clients that were seen in the last 90 days, with what a deployment means
    /// for each, as lines for people.
    func prospects(
        of deployment: Deployment, in present: EnvironmentState
    ) async throws -> [String] {
        let seen = try await calling { store throws(StoreError) in
            try await store.seenVersions(
                in: present.id, since: Instant.now.day - SeenClient.days)
        }
        let numbers = try await versionNumbers()
        var lines: [String] = []
        for version in seen {
            let client = try await definition(ofFingerprint: version.fingerprint)
            let number = numbers[version.fingerprint]
            let name = number.map { "of version \($0)" } ?? "that name no version"
            let devices = counted(version.devices, "device")
            lines.append(
                "clients \(name) (\(version.wire), \(devices), last seen "
                    + "\(Instant(day: version.lastDay).iso8601.prefix(10))): "
                    + deployment.prospect(of: client).clause(isVersionNamed: client != nil))
        }
        return lines
    }

    /// The numbers of versions by their fingerprints.
    private func versionNumbers() async throws(ToolFailure) -> [String: Int64] {
        let versions = try await calling { store throws(StoreError) in
            try await store.catalog(before: nil, limit: 10_000)
        }
        return Dictionary(
            versions.map { ($0.fingerprint, $0.number) }, uniquingKeysWith: { first, _ in first })
    }

    /// Nil for clients that name no version.
    private func definition(ofFingerprint fingerprint: String) async throws -> Definition? {
        guard !fingerprint.isEmpty else { return nil }
        let source = try await calling { store throws(StoreError) in
            try await store.catalogSource(withFingerprint: fingerprint)
        }
        return try source.map {
            try DefinitionFile(stored: $0, environment: "").definition
        }
    }
}

extension ClientProspect {
    /// A clause without capital letter and full stop. Clients that name no version have no words
    /// of their own.
    fileprivate func clause(isVersionNamed: Bool) -> String {
        let names = subjects.joined(separator: ", ")
        return switch effect {
        case .same: "go on"
        case .translated where isVersionNamed: "go on in their own words"
        case .translated: "go on, in the words of the new version"
        case .refused: "go on, and what they send of \(names) is refused"
        case .mustUpdate: "must be updated to create records, because of \(names)"
        }
    }
}
