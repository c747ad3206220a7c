package import ChangeRules
package import DefinitionModel
package import FileExchange
package import Notifications
package import SyncEngine
package import UserAccounts
package import VersionTranslation
package import WholeRecordSync

/// An environment with one version of its definition. It is immutable and shared by all requests; a
/// deployment creates another one.
package final class ServedEnvironment: Sendable {
    package let name: String
    /// See `EnvironmentState.deployment`.
    package let deployment: Int64
    /// The digest of the current version.
    package let digest: String
    /// When the current version was deployed.
    package let deployedAt: Instant
    package let engine: Engine
    package let accounts: AccountEngine
    package let files: FileEngine
    package let notifications: NotificationEngine
    /// For clients that send whole records and confirm what they have received.
    package let tickets: TicketEngine
    /// Earlier versions in the order of their deployment. One that was deployed again is there
    /// again.
    package let formerDefinitions: [Definition]
    /// The values that deployments bring, in the words of the current version, by the number of
    /// the deployment.
    package let fills: [Int64: FillRules]

    /// `accounts`, `files`, `notifications` and `tickets` use `engine`.
    package init(
        _ state: EnvironmentState, engine: Engine, accounts: AccountEngine, files: FileEngine,
        notifications: NotificationEngine, tickets: TicketEngine, formerDefinitions: [Definition],
        fills: [Int64: FillRules] = [:]
    ) {
        self.fills = fills
        name = state.name
        deployment = state.deployment
        digest = state.digest
        deployedAt = state.deployedAt
        self.engine = engine
        self.accounts = accounts
        self.files = files
        self.notifications = notifications
        self.tickets = tickets
        self.formerDefinitions = formerDefinitions
    }

    /// The engine for clients of another version than the current one; nil if the database has no
    /// such version of the application.
    package func client(
        ofVersion fingerprint: String, in environments: Environments
    ) async throws(SyncError) -> ClientEngine? {
        if let client = engine.serving(client: fingerprint) { return client }
        guard Self.isFingerprint(fingerprint) else { return nil }
        return try await environments.translation(ofVersion: fingerprint, to: definition)
            .map(engine.serving)
    }

    /// The translation for clients that name their version by its digest, for a version that was
    /// not deployed to the environment; nil if the database has no such version of the application.
    package func translation(
        ofDigest digest: String, in environments: Environments
    ) async throws(SyncError) -> ClientTranslation? {
        guard Self.isFingerprint(digest) else { return nil }
        return try await environments.translation(ofDigest: digest, to: definition)
    }

    /// Whether a text may be a fingerprint or a digest: the database is asked for nothing else.
    package static func isFingerprint(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The current version.
    package var definition: Definition { engine.rules.definition }
}
