package import DefinitionModel
import NIOConcurrencyHelpers
import Queues
package import SyncEngine
import VersionTranslation

/// The database that contains the served environments.
package protocol EnvironmentSource: Sendable {
    /// Throws if the database cannot be read.
    func checkHealth() async throws(SyncError)

    /// Every environment, in order of creation.
    func deployments() async throws(SyncError) -> [EnvironmentDeployment]

    /// The current state of an environment; nil if it does not exist.
    func load(_ name: String) async throws(SyncError) -> ServedEnvironment?

    /// A version of the database by its fingerprint, deployed or not; nil if there is none.
    func definition(withFingerprint fingerprint: String) async throws(SyncError) -> Definition?

    /// The last version of the database with a digest, deployed or not; nil if there is none.
    func definition(withDigest digest: String) async throws(SyncError) -> Definition?

    /// The fingerprint of a version of the database by its number or tag; nil if there is none.
    func fingerprint(ofVersion name: String) async throws(SyncError) -> String?
}

/// The environments of a database, each with its current definition.
///
/// An environment is loaded on first use. The first request that meets `definitionChanged` after a
/// deployment by any process reloads it.
package final class Environments: Sendable {
    /// A request that meets more deployments than this is refused.
    static let maxReloads = 3

    private let source: any EnvironmentSource
    private let loaded = NIOLockedValueBox<[String: ServedEnvironment]>([:])
    private let loading = KeyedMutex()
    /// The name of the only environment, and the time until which it counts.
    private let sole = NIOLockedValueBox<(name: String, until: ContinuousClock.Instant)?>(nil)
    private let versionNames = NIOLockedValueBox<[String: NamedVersion]>([:])

    /// The version that a number or tag named, and the time until which it counts.
    private struct NamedVersion {
        let fingerprint: String
        let until: ContinuousClock.Instant
    }

    /// The maximum number of names that are kept.
    private static let mostVersionNames = 64

    /// How long names that were read from the database count.
    private static let nameLifetime = Duration.seconds(1)

    package init(source: any EnvironmentSource) { self.source = source }

    /// Nil if the environment does not exist.
    package func named(_ name: String) async throws(SyncError) -> ServedEnvironment? {
        // Swift takes the two ways to write a character for the same.
        guard EnvironmentName.isLegal(name) else { return nil }
        if let known = known(name) { return known }
        return try await load(name) { _ in true }
    }

    /// All environments, in order of creation. New ones and those with a new deployment are loaded;
    /// an environment that fails to load is left out.
    ///
    /// - Parameter failing: Receives the name of each environment that is left out, and the error.
    package func all(
        failing: (_ name: String, _ error: SyncError) -> Void
    ) async throws(SyncError) -> [ServedEnvironment] {
        var all: [ServedEnvironment] = []
        for present in try await presentDeployments() {
            do {
                if let environment = try await current(present) { all.append(environment) }
            } catch {
                failing(present.name, error)
            }
        }
        return all
    }

    /// The only environment of the database; nil if there are several or none. A second one is
    /// noticed after a second at the latest, so that not every request asks for it.
    package func only() async throws(SyncError) -> ServedEnvironment? {
        let now = ContinuousClock.now
        if let known = sole.withLockedValue({ $0 }), now < known.until {
            return try await named(known.name)
        }
        let present = try await source.deployments()
        guard let only = present.first, present.count == 1 else { return nil }
        sole.withLockedValue { $0 = (only.name, now + Self.nameLifetime) }
        return try await current(only)
    }

    /// The names of environments whose current definition is not served: another request is loading
    /// it, or it cannot be loaded. Environments that nobody has loaded are loaded first.
    package func unready() async throws(SyncError) -> [String] {
        var names: [String] = []
        for present in try await presentDeployments() {
            if let known = known(present.name), known.deployment == present.deployment { continue }
            guard await !loading.isLocked(present.name) else {
                names.append(present.name)
                continue
            }
            do {
                _ = try await current(present)
            } catch {
                names.append(present.name)
            }
        }
        return names
    }

    /// The environments as they were loaded last, unordered.
    var loadedEnvironments: [ServedEnvironment] { loaded.withLockedValue { Array($0.values) } }

    /// Reloads an environment after a request met `definitionChanged`. Concurrent requests share
    /// one load. Throws `environmentGone` if the environment no longer exists.
    package func reload(
        _ former: ServedEnvironment
    ) async throws(SyncError) -> ServedEnvironment {
        let reloaded = try await load(former.name) {
            $0.deployment == former.deployment
                && $0.engine.epochs.current == former.engine.epochs.current
        }
        guard let reloaded else { throw .store(.environmentGone) }
        return reloaded
    }

    /// Has the commits that wait for their turn fail with `stopping`, and later ones that would
    /// have to wait.
    func refuseWaitingCommits() {
        for environment in loaded.withLockedValue({ Array($0.values) }) {
            environment.engine.store.commits.refuseWaiting()
        }
    }

    /// Throws if the database cannot be read.
    package func checkHealth() async throws(SyncError) { try await source.checkHealth() }

    /// Runs `body` in an environment. If it throws `SyncError.definitionChanged`, reloads the
    /// environment and runs `body` again.
    ///
    /// - Parameter mayRepeat: Called before each repetition. If it returns false, the error is
    ///   thrown, and the next call finds the reloaded environment.
    package func serving<Value: Sendable>(
        _ environment: ServedEnvironment, repeatingIf mayRepeat: () -> Bool = { true },
        _ body: (ServedEnvironment) async throws -> Value
    ) async throws -> Value {
        var environment = environment
        for _ in 0..<Self.maxReloads {
            do {
                return try await body(environment)
            } catch SyncError.definitionChanged {
                environment = try await reload(environment)
                guard mayRepeat() else { throw SyncError.definitionChanged }
            }
        }
        return try await body(environment)
    }

    /// The fingerprint of a version by its number or tag; nil if the database has no such version.
    /// A tag that was given to another version is noticed after a second at the latest.
    package func fingerprint(ofVersion name: String) async throws(SyncError) -> String? {
        let now = ContinuousClock.now
        if let known = versionNames.withLockedValue({ $0[name] }), now < known.until {
            return known.fingerprint
        }
        guard let found = try await source.fingerprint(ofVersion: name) else { return nil }
        versionNames.withLockedValue { names in
            if names.count >= Self.mostVersionNames { names = [:] }
            names[name] = NamedVersion(fingerprint: found, until: now + Self.nameLifetime)
        }
        return found
    }

    /// The translation for clients of a version that was not deployed to the environment, but is
    /// in the database. Nil if there is none of the application.
    func translation(
        ofVersion fingerprint: String, to served: Definition
    ) async throws(SyncError) -> ClientTranslation? {
        translation(of: try await source.definition(withFingerprint: fingerprint), to: served)
    }

    /// The same for clients that name their version by its digest.
    func translation(
        ofDigest digest: String, to served: Definition
    ) async throws(SyncError) -> ClientTranslation? {
        translation(of: try await source.definition(withDigest: digest), to: served)
    }

    private func translation(
        of client: Definition?, to served: Definition
    ) -> ClientTranslation? {
        guard let client, client.vendor.hasSameBytes(as: served.vendor),
            client.application.hasSameBytes(as: served.application)
        else { return nil }
        return ClientTranslation(of: client, along: VersionPath(from: client, to: served))
    }

    /// Forgets environments that were removed or renamed.
    private func presentDeployments() async throws(SyncError) -> [EnvironmentDeployment] {
        let present = try await source.deployments()
        let names = Set(present.map(\.name))
        loaded.withLockedValue { loaded in
            loaded = loaded.filter { names.contains($0.key) }
        }
        return present
    }

    private func known(_ name: String) -> ServedEnvironment? {
        loaded.withLockedValue { $0[name] }
    }

    private func current(
        _ present: EnvironmentDeployment
    ) async throws(SyncError) -> ServedEnvironment? {
        if let known = known(present.name), known.deployment == present.deployment { return known }
        return try await load(present.name) { $0.deployment != present.deployment }
    }

    /// Serialised by name. Loads unless another task has loaded a newer state.
    private func load(
        _ name: String, if isOutdated: (ServedEnvironment) -> Bool
    ) async throws(SyncError) -> ServedEnvironment? {
        await loading.lock(name)
        let result: Result<ServedEnvironment?, SyncError>
        if let known = known(name), !isOutdated(known) {
            result = .success(known)
        } else {
            result = await Result { () async throws(SyncError) in try await source.load(name) }
        }
        if case .success(let environment) = result {
            loaded.withLockedValue { $0[name] = environment }
        }
        await loading.unlock(name)
        return try result.get()
    }
}

extension Result where Success: Sendable {
    fileprivate init(catching body: () async throws(Failure) -> Success) async {
        do {
            self = .success(try await body())
        } catch {
            self = .failure(error)
        }
    }
}
