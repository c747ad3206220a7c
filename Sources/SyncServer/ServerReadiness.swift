import NIOConcurrencyHelpers

/// Whether a server is about to stop, so that load balancers send it nothing new.
package final class ServerReadiness: Sendable {
    private let stopping = NIOLockedValueBox(false)

    package init() {}

    package var isStopping: Bool { stopping.withLockedValue { $0 } }

    /// From now on `GET /ready` answers 503, while everything else is served as before.
    package func stop() { stopping.withLockedValue { $0 = true } }
}
