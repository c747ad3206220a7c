package import DefinitionModel
import MemoryStore
package import SyncEngine
package import SyncProtocol

/// What is played, before anything happens.
package struct Setting: Sendable {
    package let definition: Definition
    package let clients: Int
    /// Steps of a history.
    package let steps: Int
    let sabotage: Sabotage
    /// Makes the stores of all server processes, which work on the same data. Requests are answered
    /// by one process after the other.
    let stores: @Sendable () async throws -> [any Store]
    /// Makes what is played on the device with a number; nil where plain clients are.
    let realClient: RealClientMaker?

    /// Nil where nobody could play: there is no role, no model or no device.
    package init?(
        _ definition: Definition, clients: Int, steps: Int, sabotage: Sabotage = Sabotage(),
        realClient: RealClientMaker? = nil,
        stores: @escaping @Sendable () async throws -> [any Store] = { [MemoryDatabase()] }
    ) {
        guard !definition.roles.isEmpty, !definition.models.isEmpty, clients > 0 else {
            return nil
        }
        self.definition = definition
        self.clients = clients
        self.steps = steps
        self.sabotage = sabotage
        self.stores = stores
        self.realClient = realClient
    }
}

/// What stands between the engine and the world, for tests that break a rule to see that it is
/// found out. What is played for real has none.
package struct Sabotage: Sendable {
    /// The definition that the engine goes by, instead of the one that everybody else does.
    package var definition: @Sendable (Definition) -> Definition = { $0 }
    /// What the engine takes for its store.
    package var store: @Sendable (any Store) -> any Store = { $0 }
    /// What becomes of a request on its way to the engine, and of the answer on its way back.
    package var request: @Sendable (SyncRequest) -> SyncRequest = { $0 }
    package var response: @Sendable (SyncResponse) -> SyncResponse = { $0 }

    package init() {}
}
