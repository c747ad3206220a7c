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
            let name = numbers[version.fingerprint].map { "version \($0)" } ?? "no version"
            let devices = version.devices == 1 ? "1 device" : "\(version.devices) devices"
            lines.append(
                "clients of \(name) (\(version.wire), \(devices), last seen "
                    + "\(Instant(day: version.lastDay).iso8601.prefix(10))): "
                    + deployment.prospect(of: client).sentence)
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
    /// A clause without capital letter and full stop.
    fileprivate var sentence: String {
        let names = subjects.joined(separator: ", ")
        return switch effect {
        case .same: "go on"
        case .translated: "go on in their own words"
        case .refused: "go on, and what they send of \(names) is refused"
        case .mustUpdate: "must be updated to create records: they cannot know \(names)"
        }
    }
}
