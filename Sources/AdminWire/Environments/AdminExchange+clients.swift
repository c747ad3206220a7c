import Administration
import DefinitionModel
import Hummingbird
import JSON
import SyncEngine

/// The versions of the clients that an environment has.
extension AdminExchange {
    func listClients() async throws -> Response {
        let seen = try await seenVersions(in: try await environment().state)
        return .json(.array(seen.map { .object($0.members) }))
    }

    /// The versions that were seen in the last 90 days, with what a deployment means for each.
    func prospects(
        of deployment: Deployment, in present: PresentEnvironment?
    ) async throws -> [JSONValue] {
        guard let present else { return [] }
        var prospects: [JSONValue] = []
        for seen in try await seenVersions(in: present.state) {
            let prospect = deployment.prospect(
                of: try await definition(ofFingerprint: seen.version.fingerprint))
            prospects.append(
                .object(
                    seen.members.merging([
                        "effect": .string(prospect.effect.rawValue),
                        "subjects": .array(prospect.subjects.map { .string($0) }),
                    ]) { first, _ in first }))
        }
        return prospects
    }

    private func seenVersions(in state: EnvironmentState) async throws -> [NumberedSeenVersion] {
        let seen = try await storing { () async throws(StoreError) in
            try await desk.store.seenVersions(
                in: state.id, since: now.day - SeenClient.days)
        }
        let catalog = try await storing { () async throws(StoreError) in
            try await desk.store.catalog(before: nil, limit: 10_000)
        }
        return seen.map { version in
            NumberedSeenVersion(
                version: version,
                number: catalog.first { $0.fingerprint == version.fingerprint }?.number)
        }
    }

    /// Nil for clients that name no version.
    private func definition(ofFingerprint fingerprint: String) async throws -> Definition? {
        guard !fingerprint.isEmpty else { return nil }
        let source = try await storing { () async throws(StoreError) in
            try await desk.store.catalogSource(withFingerprint: fingerprint)
        }
        return try source.map(definition(stored:))
    }
}

/// A version of clients with its number in the catalog.
private struct NumberedSeenVersion {
    let version: SeenVersion
    let number: Int64?

    var members: [String: JSONValue] {
        let fingerprint = version.fingerprint
        return [
            "wire": .string(version.wire),
            "fingerprint": fingerprint.isEmpty ? .null : .string(fingerprint),
            "version": number.map { .integer($0) } ?? .null,
            "devices": .integer(Int64(version.devices)),
            "lastSeen": .integer(Instant(day: version.lastDay).milliseconds),
        ]
    }
}
