import HTTPTypes
import Hummingbird
package import SyncServer

/// The project's native wire: JSON over HTTP/1.1, at `/v1/ENVIRONMENT`.
package struct WaggleWire: Wire {
    private let heartbeatSeconds: Int

    /// - Parameter heartbeatSeconds: The silence after which a live stream sends a heartbeat.
    package init(heartbeatSeconds: Int = 20) { self.heartbeatSeconds = heartbeatSeconds }

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/v1/:environment")
        for (path, handlers) in Routes(heartbeatSeconds: heartbeatSeconds).table {
            for (method, handler) in handlers {
                routes.on(method, path) { request, context in
                    let name = context.parameters.get("environment") ?? ""
                    let environment = try await host.environment(named: name)
                    return try await host.answer(request, context, in: environment, by: handler)
                }
            }
        }
        return routes
    }
}
