import HTTPTypes
import Hummingbird
package import OpenIDConnect
package import SyncServer

/// The wire of Azure Mobile Services, Azure Mobile Apps and Datasync: at the root for clients that
/// name no environment, and at `/azure/ENVIRONMENT` or `/azure/ENVIRONMENT@VERSION`.
package struct AzureMobileWire: Wire {
    private let clients: ForeignClients
    private let allowsLocalPages: Bool
    private let providers: SignInProviders

    /// - Parameter allowsLocalPages: Whether pages of `localhost` may read responses.
    package init(
        for clients: ForeignClients, allowsLocalPages: Bool = false,
        providers: SignInProviders = .none
    ) {
        self.clients = clients
        self.allowsLocalPages = allowsLocalPages
        self.providers = providers
    }

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(
            prefix: "/", errors: AzureErrorMiddleware(allowsLocalPages: allowsLocalPages),
            refusals: { failure, request in
                var response = AzureRefusal.response(to: failure, of: request)
                if allowsLocalPages { response.headers.allowLocalPages(to: request.headers) }
                return response
            })
        routes.allowsAskedHeaders = true
        routes.pageHeaders = PageHeaders(ofRequests: [
            "ZUMO-API-VERSION", "X-ZUMO-AUTH", "X-ZUMO-APPLICATION", "X-ZUMO-FEATURES",
            "X-ZUMO-INSTALLATION-ID", "X-ZUMO-VERSION", "X-HTTP-Method-Override",
        ])
        for prefix in ["", "azure/:environment/"] {
            for (path, handlers) in AzureRoutes.table {
                for (method, handler) in handlers {
                    routes.on(method, prefix + path) { request, context in
                        try await answer(request, context, in: host, by: handler)
                    }
                }
                routes.on(.options, prefix + path) { _, _ in .empty() }
            }
        }
        return routes
    }

    private func answer(
        _ request: Request, _ context: ConnectionContext, in host: WireHost,
        by handler: AzureRoutes.Handler
    ) async throws -> Response {
        let parameters = try URLParameters(query: request.uri.query ?? "")
        let traits = try ClientTraits(of: request, parameters)
        let named = try context.parameters.get("environment").map { _ in
            ForeignVersion(address: try context.pathPart("environment"))
        }
        let environment =
            if let named {
                try await host.environment(named: named.environment)
            } else {
                try await host.environment(of: clients)
            }
        return try await host.answer(request, context, in: environment) { exchange in
            try await handler(
                AzureCall(
                    exchange: exchange,
                    engine: try await exchange.words(
                        ofVersion: named?.version, or: clients.version),
                    traits: traits, parameters: parameters, clients: clients,
                    providers: providers))
        }
    }
}

extension ClientTraits {
    init(of request: Request, _ parameters: URLParameters) throws(QuestionFault) {
        let parts = request.uri.path.split(separator: "/")
        let own = parts.first == "azure" ? parts.dropFirst(2) : parts[...]
        try self.init(
            method: request.method.rawValue, path: own.map(String.init), parameters: parameters
        ) { name in
            HTTPField.Name(name).flatMap { request.headers[$0] }
        }
    }
}
