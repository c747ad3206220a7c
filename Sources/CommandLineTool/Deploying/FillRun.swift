import SyncEngine
import SyncServer

/// Gives stored records the values that deployments bring.
///
/// One process does so at a time. Its progress is stored with the deployment, so that any process
/// can continue when it has ended, even in a crash.
struct FillRun {
    let database: OpenDatabase
    let environments: Environments

    /// The fills that are not done, in the order of their deployments.
    func pending() async throws(SyncError) -> [StoredFill] {
        do {
            return try await database.store.fills().filter {
                !$0.fill.isDone && EnvironmentName.isLegal($0.name)
            }
        } catch {
            throw .store(error)
        }
    }

    /// The right to fill in values; nil if another process has it.
    func claim() async throws(SyncError) -> (any StoreHold)? {
        do {
            return try await database.claimFills()
        } catch {
            throw .store(error)
        }
    }

    /// Fills the next records, and notes how far the fill is then.
    func step(_ stored: StoredFill) async throws -> DeploymentFill {
        guard let environment = try await environments.named(stored.name) else {
            throw SyncError.store(.environmentGone)
        }
        let next = try await environments.serving(environment) { present in
            // Loaded before the deployment.
            guard let rules = present.fills[stored.deployment] else {
                throw SyncError.definitionChanged
            }
            return try await present.engine.advance(
                stored.fill, by: rules, ofDeployment: stored.deployment, at: .now)
        }
        try await database.store.update(next, ofDeployment: stored.deployment)
        return next
    }
}
