import HTTPTypes
import Hummingbird
package import MailDelivery
package import OpenIDConnect
import SyncProtocol
package import SyncServer

/// The project's native wire: JSON over HTTP/1.1, at `/v1/ENVIRONMENT`.
package struct WaggleWire: Wire {
    private let heartbeatSeconds: Int
    private let providers: SignInProviders
    private let mails: MailDesk?

    /// - Parameters:
    ///   - heartbeatSeconds: The silence after which a live stream sends a heartbeat.
    ///   - providers: Those with which users sign in.
    ///   - mails: Takes requests of users for resets; nil refuses them.
    package init(
        heartbeatSeconds: Int = 20, providers: SignInProviders = .none, mails: MailDesk? = nil
    ) {
        self.heartbeatSeconds = heartbeatSeconds
        self.providers = providers
        self.mails = mails
    }

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: "/v1/:environment") { failure, _ in
            .json(ErrorMessage(failure), status: failure.status)
        }
        routes.pageHeaders = PageHeaders(
            ofRequests: [definitionHeaderName], ofResponses: [definitionHeaderName])
        for (path, handlers) in Routes(
            heartbeatSeconds: heartbeatSeconds, providers: providers, mails: mails
        ).table {
            for (method, handler) in handlers {
                routes.on(method, path) { request, context in
                    let name = context.parameters.get("environment") ?? ""
                    let environment = try await host.environment(named: name)
                    return try await host.answer(request, context, in: environment) {
                        exchange in
                        var response = try await handler(exchange)
                        if Routes.isInWordsOfVersion(path) {
                            try await exchange.nameVersion(in: &response)
                        }
                        return response
                    }
                }
            }
        }
        return routes
    }
}

extension ErrorMessage {
    fileprivate init(_ failure: HTTPFailure) {
        self.init(
            code: failure.code, message: failure.sentence, help: failure.help,
            details: failure.details)
    }
}
