import DefinitionModel
import NIOConcurrencyHelpers
import SyncEngine
import SyncServer
import VersionTranslation

/// The schema mappings of an environment, for its current version and all earlier ones. Each is
/// made on first use.
final class ServedVersions: Sendable {
    private let rules: Rules
    /// In the order of their deployment, the current one last.
    private let versions: [Definition]
    /// By digest.
    private let made = NIOLockedValueBox<[String: SchemaMapping]>([:])

    /// `before` are the earlier versions in the order of their deployment. Original clients cannot
    /// distinguish versions with the same digest; the latest one is used.
    init(now rules: Rules, before: [Definition]) {
        self.rules = rules
        versions = before + [rules.definition]
    }

    /// Nil for a version that was never deployed. Throws for a client of another application.
    func mapping(for client: ClientIdentity) throws(WireRefusal) -> SchemaMapping? {
        let now = rules.definition
        guard client.vendor == now.vendor, client.application == now.application else {
            throw .applicationUnknown(client)
        }
        if let known = made.withLockedValue({ $0[client.digest] }) { return known }
        guard let version = versions.last(where: { $0.digest == client.digest }),
            let path = VersionPath(
                from: version.fingerprint, to: now.fingerprint, along: versions)
        else { return nil }
        return keep(ClientTranslation(of: version, along: path), for: client)
    }

    /// The mapping for a client whose version may be imported only.
    func keep(_ translation: ClientTranslation, for client: ClientIdentity) -> SchemaMapping {
        let mapping = SchemaMapping(translation, under: rules)
        made.withLockedValue { $0[client.digest] = mapping }
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
