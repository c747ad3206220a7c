import DefinitionModel
import NIOConcurrencyHelpers
import SyncServer

/// The lenses of an environment: for its present version and for those that were deployed before.
struct ServedVersions: Sendable {
    private let now: Definition
    private let lenses: [String: VersionLens]

    /// Original clients cannot tell versions with the same digest apart: the last one counts.
    init(now: Definition, before: [Definition]) {
        self.now = now
        lenses = Dictionary(
            (before + [now]).map { ($0.digest, VersionLens(now: now, client: $0)) },
            uniquingKeysWith: { _, later in later })
    }

    /// How the client sees the data. Throws for a client of another application, and for a version
    /// that was never deployed.
    func lens(for client: ClientIdentity) throws(WireRefusal) -> VersionLens {
        guard client.vendor == now.vendor, client.application == now.application else {
            throw .applicationUnknown(client)
        }
        guard let lens = lenses[client.digest] else { throw .digestUnknown(client.digest) }
        return lens
    }
}

/// The versions of each environment, made once for each deployment.
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
            now: environment.definition, before: environment.formerDefinitions)
        entries.withLockedValue {
            $0[environment.name] = Entry(
                deployment: environment.deployment, versions: versions)
        }
        return versions
    }
}
