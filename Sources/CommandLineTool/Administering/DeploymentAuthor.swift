import Administration
import Foundation
import Secrets
import SyncEngine

/// Somebody who deploys by the tool.
struct DeploymentAuthor: Hashable {
    /// As in the activity log.
    let name: String
    /// Whether they may deploy to locked environments.
    let opensLock: Bool

    /// The user of this machine.
    static var tool: DeploymentAuthor {
        DeploymentAuthor(name: "local \(NSUserName())", opensLock: false)
    }

    private static let variable = "WAGGLE_DEPLOY_TOKEN"

    /// The holder of the token in `WAGGLE_DEPLOY_TOKEN`, or the user of this machine. Throws if the
    /// token is unknown, or not for deployments to the environment.
    static func current(
        in environment: String, of database: OpenDatabase
    ) async throws -> DeploymentAuthor {
        guard let secret = ProcessInfo.processInfo.environment[variable], !secret.isEmpty else {
            return .tool
        }
        let hash = BearerToken.hash(secret)
        let token = try await database.calling { store throws(StoreError) in
            try await store.token(hash: hash, at: .now)
        }
        guard let token else {
            throw ToolFailure(
                .inputAtFault, "the token in \(variable) is unknown, ended or expired",
                help: "make another one, as the page Administering shows")
        }
        let caller = AdminCaller(token)
        do throws(AdminRefusal) {
            try AdminAccess.scopes([.designer, .deployer]).decide(
                caller, in: environment, at: .now)
        } catch {
            throw ToolFailure(
                .inputAtFault,
                "the token in \(variable) is not for deployments to environment '\(environment)'",
                help: "make one with the scope 'deployer' for it")
        }
        return DeploymentAuthor(name: caller.name, opensLock: token.token.scope == .deployer)
    }
}
