import HTTPTypes
import Hummingbird
import JSON
import SyncEngine
package import SyncServer

/// The REST interface of Parse, for apps that were written for the hosted service or for Parse
/// Server. The application id is the name of an environment, as `ENVIRONMENT` or
/// `ENVIRONMENT@VERSION`, or one of the settings.
package struct ParseRESTWire: Wire {
    private let prefix: String
    private let clients: ForeignClients
    private let defaultLimit: Int
    private let accounts: ParseAccounts
    private let master: ParseMaster?
    private let applications: [String: ForeignVersion]
    private let allowances: ParseAllowances
    private let passwordChanges = PasswordChanges()
    private let misreadFields = MisreadFields()

    /// The addresses of Parse Server and of the hosted service.
    package static let prefixes = ["/parse", "/1"]

    /// - Parameters:
    ///   - prefix: The address of the wire; one of `prefixes`.
    ///   - clients: The device category of all clients, the guest and the application key.
    ///   - defaultLimit: The objects that a find without a limit has; 1 to 1,000.
    ///   - accounts: The operations on accounts that clients may use.
    ///   - master: The user whose rights the master key has; nil for a key that is none.
    ///   - applications: The environments and versions of application ids that are no names of
    ///     environments.
    ///   - allowances: Those of all wires of the process.
    package init(
        prefix: String, for clients: ForeignClients, defaultLimit: Int = 100,
        accounts: ParseAccounts = .none, master: ParseMaster? = nil,
        applications: [String: ForeignVersion] = [:],
        allowances: ParseAllowances = ParseAllowances()
    ) {
        self.allowances = allowances
        self.applications = applications
        self.prefix = prefix
        self.clients = clients
        self.defaultLimit = defaultLimit
        self.accounts = accounts
        self.master = master
    }

    /// The answer to a HEAD is that to a GET, whose contents are then left out.
    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(
            prefix: prefix, errors: ParseErrorMiddleware(),
            refusals: { failure, _ in
                var response = ParseFailure(failure).response
                response.headers.openToPages()
                return response
            })
        routes.pageHeaders = .parse
        for path in ["", "**"] {
            for method in [HTTPRequest.Method.get, .head, .post, .put, .delete] {
                routes.on(method, path) { request, context in
                    try await answer(request, context, host)
                }
            }
            routes.on(.options, path) { _, _ in Response(status: .ok) }
        }
        return routes
    }

    private func answer(
        _ request: Request, _ context: ConnectionContext, _ host: WireHost
    ) async throws -> Response {
        let bodies = host.bodies
        let body = try await bodies.wholeBody(of: request, upTo: bodies.maxBytes, on: context)
        let received = ReceivedCall(
            method: request.method == .head ? "GET" : request.method.rawValue,
            path: String(request.uri.path.dropFirst(prefix.count)),
            query: request.uri.query ?? "",
            header: { name in HTTPField.Name(name).flatMap { request.headers[$0] } }, body: body)
        let (call, repeatKey) = try await host.work.compute(ofBody: body.count, on: context) {
            let call = try ParseCall(received)
            return (call, call.repeatKey(of: body))
        }
        if call.path == ["health"] {
            return ParseAnswer(["status": .string("ok")]).response
        }
        guard !call.path.isEmpty else {
            throw ParseFailure(status: 404, code: 108, "live queries are not served: find again")
        }
        let link = ParseFileLink(call)
        let hasMasterKey = master?.accepts(call.credentials.masterKey) ?? false
        guard link != nil || hasMasterKey || clients.accepts(anyOf: call.credentials.keys) else {
            throw ParseFailure.unauthorized
        }
        let id = link?.applicationID ?? call.credentials.applicationID
        let named = applications[id] ?? ForeignVersion(address: id)
        guard let environment = try await host.environments.named(named.environment) else {
            throw ParseFailure.unauthorized
        }
        return try await host.answer(request, context, in: environment) { exchange in
            let engine = try await exchange.words(ofVersion: named.version, or: clients.version)
            misreadFields.note(
                in: engine.definition, engine.namedVersion, of: environment.name,
                to: exchange.logger)
            let own = ParseExchange(
                exchange: exchange, engine: engine, call: call, prefix: prefix, clients: clients,
                defaultLimit: defaultLimit, accounts: accounts, master: master,
                allowances: allowances, passwordChanges: passwordChanges, body: body,
                repeatKey: repeatKey)
            if let link { return try await own.download(link) }
            return try await own.response()
        }
    }
}

extension ForeignClients {
    /// Whether one of the keys that a client sent is the application key. None is needed if there
    /// is none.
    func accepts(anyOf keys: Set<String>) -> Bool {
        applicationKey == nil || keys.contains(where: accepts(key:))
    }
}
