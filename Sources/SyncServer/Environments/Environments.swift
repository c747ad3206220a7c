import NIOConcurrencyHelpers
package import SyncEngine

/// The database in which the served environments are.
package protocol EnvironmentSource: Sendable {
    /// Throws unless the database can be read.
    func checkHealth() async throws(SyncError)

    /// Every environment, in the order in which they were made.
    func deployments() async throws(SyncError) -> [EnvironmentDeployment]

    /// The environment as it is now; nil when there is none of this name.
    func load(_ name: String) async throws(SyncError) -> ServedEnvironment?
}

/// Every environment of a database, each under the definition that is current there.
///
/// Environments are loaded when they are first asked for. A deployment by any process is noticed by
/// the first request that meets `definitionChanged`: it loads the environment again.
package final class Environments: Sendable {
    /// A request that meets more deployments than these is refused.
    static let maxReloads = 3

    private let source: any EnvironmentSource
    private let loaded = NIOLockedValueBox<[String: ServedEnvironment]>([:])
    private let loading = KeyedMutex()

    package init(source: any EnvironmentSource) { self.source = source }

    /// Nil when the database has no such environment.
    package func named(_ name: String) async throws(SyncError) -> ServedEnvironment? {
        if let known = known(name) { return known }
        return try await load(name) { _ in true }
    }

    /// Those of the database, in the order in which they were made. New ones, and those with
    /// another deployment than the last that was loaded, are loaded; one that cannot be loaded is
    /// left out.
    ///
    /// - Parameter failing: Gets the name of each that is left out, and the error.
    package func all(
        failing: (_ name: String, _ error: SyncError) -> Void
    ) async throws(SyncError) -> [ServedEnvironment] {
        var all: [ServedEnvironment] = []
        for present in try await source.deployments() {
            do {
                if let environment = try await current(present) { all.append(environment) }
            } catch {
                failing(present.name, error)
            }
        }
        return all
    }

    /// The environment as it is now, after a request met `definitionChanged` in it. Requests that
    /// meet it at the same time share one load.
    ///
    /// Throws `environmentGone` when there is no environment of that name any more.
    package func reload(
        _ former: ServedEnvironment
    ) async throws(SyncError) -> ServedEnvironment {
        let reloaded = try await load(former.name) { $0.deployment == former.deployment }
        guard let reloaded else { throw .store(.environmentGone) }
        return reloaded
    }

    /// Throws unless the database can be read.
    package func checkHealth() async throws(SyncError) { try await source.checkHealth() }

    /// Runs a body in an environment, and from the start again when it throws
    /// `SyncError.definitionChanged`, then in the environment as it is by that time.
    ///
    /// - Parameter mayRepeat: Asked before each repetition.
    package func serving<Value: Sendable>(
        _ environment: ServedEnvironment, repeatingIf mayRepeat: () -> Bool = { true },
        _ body: (ServedEnvironment) async throws -> Value
    ) async throws -> Value {
        var environment = environment
        for _ in 0..<Self.maxReloads {
            do {
                return try await body(environment)
            } catch SyncError.definitionChanged where mayRepeat() {
                environment = try await reload(environment)
            }
        }
        return try await body(environment)
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

    /// One at a time for each name. Loads unless another task has loaded one that is not outdated.
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
