package import DefinitionModel
package import SyncEngine

/// An environment as it is served under one version of its definition. It never changes, so all
/// requests share it; for another deployment there is another one.
package final class ServedEnvironment: Sendable {
    package let name: String
    /// See `EnvironmentState.deployment`.
    package let deployment: Int64
    /// The digest of the current version, as original clients know it.
    package let digest: String
    package let engine: Engine
    package let files: FileEngine
    package let notifications: NotificationEngine
    /// For clients that send whole records and confirm what they got.
    package let tickets: TicketEngine
    /// Versions that were current before, in no particular order.
    package let formerDefinitions: [Definition]

    /// `files`, `notifications` and `tickets` belong to `engine`.
    package init(
        _ state: EnvironmentState, engine: Engine, files: FileEngine,
        notifications: NotificationEngine, tickets: TicketEngine, formerDefinitions: [Definition]
    ) {
        name = state.name
        deployment = state.deployment
        digest = state.digest
        self.engine = engine
        self.files = files
        self.notifications = notifications
        self.tickets = tickets
        self.formerDefinitions = formerDefinitions
    }

    /// The current version.
    package var definition: Definition { engine.rules.definition }
}
