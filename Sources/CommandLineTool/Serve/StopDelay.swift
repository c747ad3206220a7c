import ServiceLifecycle
import SyncServer

/// Delays the end of a server that was asked to end: meanwhile `GET /ready` tells load balancers to
/// send it nothing new, and it serves what still comes. It stands last among the services, which
/// end in the opposite order.
struct StopDelay: Service {
    let readiness: ServerReadiness
    let seconds: Int

    func run() async throws {
        try await gracefulShutdown()
        readiness.stop()
        try await Task.sleep(for: .seconds(seconds))
    }
}
