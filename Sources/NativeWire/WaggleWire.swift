import HTTPTypes
import Hummingbird
package import SyncServer

/// The project's own wire: JSON over HTTP/1.1, at `/v1/ENVIRONMENT`.
package struct WaggleWire: Wire {
    private let liveBeatSeconds: Int

    /// - Parameter liveBeatSeconds: A live stream that has been silent for so long gets a sign of
    ///   life.
    package init(liveBeatSeconds: Int = 20) { self.liveBeatSeconds = liveBeatSeconds }

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/v1/:environment")
        for (path, answers) in Routes(beatSeconds: liveBeatSeconds).table {
            for (method, answer) in answers {
                routes.on(method, path) { request, context in
                    let name = context.parameters.get("environment") ?? ""
                    let environment = try await host.environment(named: name)
                    return try await host.answer(request, context, in: environment, by: answer)
                }
            }
        }
        return routes
    }
}
