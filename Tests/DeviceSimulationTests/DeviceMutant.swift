import Simulation
import SyncProtocol

/// A client with one rule disabled, and the invariant that this violates.
struct DeviceMutant: Sendable, CustomStringConvertible {
    let description: String
    /// One of these is violated first.
    let breaks: Set<Invariant>
    /// The first seed to try, if earlier ones do not reveal the mutation.
    var firstSeed: UInt64 = 0
    /// An additional SQL trigger in the database.
    var trigger: String?
    /// The definition to play; see `yard`.
    var keysSetByWorkers = "OWN"
    /// Whether its requests name the version of the first app for ever.
    var staysOfFirstVersion = false
    /// Alters outgoing requests and incoming responses.
    var request: @Sendable (inout SyncRequest) -> Void = { _ in }
    var response: @Sendable (inout SyncResponse) -> Void = { _ in }
    /// SQL to execute before a response is stored.
    var storedFirst: @Sendable (SyncResponse) -> String? = { _ in nil }

    init(
        _ description: String, breaks: Set<Invariant>, _ change: (inout DeviceMutant) -> Void
    ) {
        self.description = description
        self.breaks = breaks
        change(&self)
    }

    /// A mutant with an additional trigger.
    init(
        _ description: String, breaks: Set<Invariant>, keysSetByWorkers: String = "OWN",
        trigger: String
    ) {
        self.init(description, breaks: breaks) {
            $0.keysSetByWorkers = keysSetByWorkers
            $0.trigger = "CREATE TRIGGER IF NOT EXISTS mutant \(trigger); END"
        }
    }
}
