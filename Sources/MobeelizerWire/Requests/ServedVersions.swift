import DefinitionModel
import NIOConcurrencyHelpers
import SyncEngine
import SyncServer
import VersionTranslation

/// The schema mappings of an environment, for its current version and all earlier ones.
struct ServedVersions: Sendable {
    private let now: Definition
    private let mappings: [String: SchemaMapping]

    /// `before` are the earlier versions in the order of their deployment. Original clients cannot
    /// distinguish versions with the same digest; the latest one is used.
    init(now rules: Rules, before: [Definition]) {
        let present = rules.definition
        now = present
        let versions = before + [present]
        let mapped = versions.compactMap { version in
            VersionPath(from: version.fingerprint, to: present.fingerprint, along: versions).map {
                (
                    version.digest,
                    SchemaMapping(ClientTranslation(of: version, along: $0), under: rules)
                )
            }
        }
        mappings = Dictionary(mapped, uniquingKeysWith: { _, later in later })
    }

    /// Throws for a client of another application, and for a version that was never deployed.
    func mapping(for client: ClientIdentity) throws(WireRefusal) -> SchemaMapping {
        guard client.vendor == now.vendor, client.application == now.application else {
            throw .applicationUnknown(client)
        }
        guard let mapping = mappings[client.digest] else { throw .digestUnknown(client.digest) }
        return mapping
    }
}

/// Caches the versions of each environment until the next deployment.
final class ServedVersionsCache: Sendable {
    private struct Entry {
        let deployment: Int64
        let versions: ServedVersions
    }

    /// By the environment's name.
    private let entries = NIOLockedValueBox<[String: Entry]>([:])

    func versions(of environment: ServedEnvironment) -> ServedVersions {
        let known = entries.withLockedValue { $0[environment.name] }
        if let known, known.deployment == environment.deployment { return known.versions }
        let versions = ServedVersions(
            now: environment.engine.rules, before: environment.formerDefinitions)
        entries.withLockedValue {
            $0[environment.name] = Entry(
                deployment: environment.deployment, versions: versions)
        }
        return versions
    }
}
