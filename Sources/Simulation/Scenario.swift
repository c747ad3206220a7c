package import ChangeRules
package import DefinitionModel
import MemoryStore
package import SyncEngine
package import SyncProtocol
package import UserAccounts

/// The parameters of a simulation.
package struct Scenario: Sendable {
    package let definition: Definition
    package let clients: Int
    /// The number of steps in a history.
    package let steps: Int
    let mutation: Mutation
    /// Makes one store for each server process, all on the same data. The processes answer requests
    /// in turn.
    let stores: @Sendable () async throws -> [any Store & AccountStore]
    /// Makes the client for the device with the given number; nil to use minimal clients.
    let realClient: RealClientMaker?
    /// The app of every second device at first; nil if all apps are those of now.
    let earlierApp: EarlierApp?
    /// A field that a deployment requires at some time; nil if none does.
    let requiredField: RequiredField?
    /// Whether deployments rename, add, remove and change models and fields.
    let evolves: Bool
    /// Whether clients of other wires make requests of several parts, and deleted rows are
    /// imported.
    let hasRequests: Bool

    /// Nil if the definition has no role or no model, or there are no devices. With `earlierApps`,
    /// every second device begins with an app of an earlier version, and is updated at some time;
    /// these are no real clients. With `requiringField`, a deployment requires a field, and brings
    /// a value to the records without one. With `evolving`, the definition changes from version to
    /// version while apps of any version continue, and none of the others happens. With
    /// `requesting`, clients of other wires make requests of several parts, and deleted rows of
    /// another service are imported.
    package init?(
        _ definition: Definition, clients: Int, steps: Int, mutation: Mutation = Mutation(),
        realClient: RealClientMaker? = nil, earlierApps: Bool = false,
        requiringField: Bool = false, evolving: Bool = false, requesting: Bool = false,
        stores: @escaping @Sendable () async throws -> [any Store & AccountStore] = {
            [MemoryDatabase()]
        }
    ) {
        guard !definition.roles.isEmpty, !definition.models.isEmpty, clients > 0 else {
            return nil
        }
        earlierApp = earlierApps ? EarlierApp(before: definition) : nil
        self.definition = earlierApp?.now ?? definition
        requiredField = requiringField ? RequiredField(in: self.definition) : nil
        evolves = evolving
        hasRequests = requesting && !evolving
        self.clients = clients
        self.steps = steps
        self.mutation = mutation
        self.stores = stores
        self.realClient = realClient
    }
}

/// Changes to what passes between the engine and its surroundings, for tests that show that a
/// broken rule is detected. The default changes nothing.
package struct Mutation: Sendable {
    /// The definition that the engine uses, in place of the deployed one.
    package var definition: @Sendable (Definition) -> Definition = { $0 }
    /// The store that the engine uses.
    package var store: @Sendable (any Store) -> any Store = { $0 }
    /// Changes to requests before, and to answers after, the engine processes them.
    package var request: @Sendable (SyncRequest) -> SyncRequest = { $0 }
    package var response: @Sendable (SyncResponse) -> SyncResponse = { $0 }
    /// Whether batches of all or nothing are pushed as such.
    package var keepsBatchesWhole = true
    /// The changes of requests of several parts, and of imports, as the engine gets them.
    package var pushed: @Sendable ([Change]) -> [Change] = { $0 }
    /// The definition that is deployed in place of the one that should be.
    package var deployment: @Sendable (Definition) -> Definition = { $0 }
    /// The definition that a deployment takes for an earlier one.
    package var earlier: @Sendable (_ earlier: Definition, _ new: Definition) -> Definition = {
        earlier, _ in earlier
    }
    /// Whether the engine knows the values that deployments bring.
    package var knowsFills = true
    /// Whether the engine knows which names a version has back that is deployed again.
    package var knowsNamesBack = true
    /// Whether the engine knows what devices hold that were served by an earlier version.
    package var knowsCursors = true
    /// Changes to requests of apps of other versions, in their own words.
    package var said: @Sendable (SyncRequest, ClientEngine) -> SyncRequest = { request, _ in
        request
    }
    /// The unsent changes that an updated app has.
    package var updated: @Sendable ([ChangeMessage]) -> [ChangeMessage] = { $0 }
    /// The engine for apps of an earlier version; nil takes them for those of now.
    package var client: @Sendable (_ engine: Engine, _ version: String) -> ClientEngine? = {
        $0.serving(client: $1)
    }
    /// The same for clients that know a time in place of a cursor.
    package var words: @Sendable (_ engine: Engine, _ version: String) -> ClientEngine? = {
        $0.serving(client: $1)
    }

    package init() {}
}
