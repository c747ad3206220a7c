package import Simulation
package import SyncProtocol

/// A client with one rule disabled, and the invariant that this violates.
package struct DeviceMutant: Sendable, CustomStringConvertible {
    package let description: String
    /// One of these is violated first.
    package let breaks: Set<Invariant>
    /// The first seed to try, if earlier ones do not reveal the mutation.
    package var firstSeed: UInt64 = 0
    /// An additional SQL trigger in the database.
    package var trigger: String?
    /// Whether its requests name the version of the first app for ever.
    package var staysOfFirstVersion = false
    /// Alters outgoing requests and incoming responses.
    package var request: @Sendable (inout SyncRequest) -> Void = { _ in }
    package var response: @Sendable (inout SyncResponse) -> Void = { _ in }
    /// SQL to execute before a response is stored.
    package var storedFirst: @Sendable (SyncResponse) -> String? = { _ in nil }

    package init(
        _ description: String, breaks: Set<Invariant>, _ change: (inout DeviceMutant) -> Void
    ) {
        self.description = description
        self.breaks = breaks
        change(&self)
    }

    /// A mutant with an additional trigger.
    package init(_ description: String, breaks: Set<Invariant>, trigger: String) {
        self.init(description, breaks: breaks) {
            $0.trigger = "CREATE TRIGGER IF NOT EXISTS mutant \(trigger); END"
        }
    }
}
