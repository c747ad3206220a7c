import Administration
import HTTPTypes
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncProtocol
import SyncServer

/// A request of the administration that was admitted.
struct AdminExchange: Sendable {
    let request: Request
    let context: ConnectionContext
    let host: WireHost
    let desk: AdminDesk
    let route: AdminRoute
    /// Nil only where anyone may ask.
    let caller: AdminCaller?
    let now: Instant
    /// The members of the body, which have the shape of the route.
    let body: AdminBody

    typealias Handler = @Sendable (AdminExchange) async throws -> Response

    /// Admits a request and answers it. Every request comes through here.
    static func answer(
        _ request: Request, _ context: ConnectionContext, _ host: WireHost, _ desk: AdminDesk,
        by route: AdminRoute, _ handler: Handler
    ) async throws -> Response {
        let now = host.now()
        try checkOrigin(of: request, desk.origins, route)
        // A page that nobody looks at opens its streams again after a break, and counts conflicts.
        let isOfPage = [.followEvents, .followDraft, .countConflicts].contains(route.operation)
        // A cookie of a session that has ended does not keep anybody from signing in again.
        let caller =
            route.access == .anyone
            ? nil : try await identify(request, desk, at: now, renewing: !isOfPage)
        let environment =
            route.parameters.contains("environment") ? try context.pathPart("environment") : nil
        do throws(AdminRefusal) {
            try route.access.decide(caller, in: environment, at: now)
        } catch {
            throw HTTPFailure(error)
        }
        try checkParameters(of: request, route)
        let body = try await AdminBody(of: request, context, host, route)
        let exchange = AdminExchange(
            request: request, context: context, host: host, desk: desk, route: route,
            caller: caller, now: now, body: body)
        return try await handler(exchange)
    }

    /// The caller's name, as in the activity log.
    var actor: String { caller?.name ?? "" }
}

// MARK: - Admission

extension AdminExchange {
    /// Refuses requests for hosts that are not ours, and requests that a page of another site
    /// caused.
    ///
    /// Browsers say in `Sec-Fetch-Site` whose page it was, and older ones in `Origin`. Programs
    /// send neither.
    private static func checkOrigin(
        of request: Request, _ origins: AdminOrigins, _ route: AdminRoute
    ) throws {
        let authority = request.head.authority ?? ""
        guard origins.accept(host: authority) else { throw HTTPFailure.hostUnknown() }
        guard route.method.isUnsafe else { return }
        if let isOfAnotherSite = request.isOfAnotherSite {
            guard !isOfAnotherSite else { throw HTTPFailure.crossSite() }
        } else if let origin = request.header("origin") {
            let scheme = origins.isSecure(host: authority) ? "https" : "http"
            guard origin.lowercased() == "\(scheme)://\(authority.lowercased())" else {
                throw HTTPFailure.crossSite()
            }
        }
    }

    /// Refuses parameters that the route does not have, and flags that are neither true nor false:
    /// an import with `dryrun=1` must not be a real one.
    private static func checkParameters(of request: Request, _ route: AdminRoute) throws {
        let members = route.documentedQuery
        let given: QueryParameters
        do {
            given = try QueryParameters(request.uri.query ?? "", known: members.map(\.name))
        } catch {
            throw SyncError.find(.query(error))
        }
        for member in members where member.shape == .flag {
            guard [nil, "true", "false"].contains(given[member.name]) else {
                throw HTTPFailure.parameterIllegal(member.name, "is neither true nor false")
            }
        }
    }

    /// Nil if the request has neither token nor cookie. Throws if it has one that is not valid. A
    /// session that is renewed counts as used now.
    static func identify(
        _ request: Request, _ desk: AdminDesk, at now: Instant, renewing isRenewed: Bool
    ) async throws -> AdminCaller? {
        if let text = request.header("authorization") {
            let words = text.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else {
                throw HTTPFailure.sessionEnded()
            }
            let hash = BearerToken.hash(String(words[1]))
            let token = try await storing { () async throws(StoreError) in
                try await desk.store.token(hash: hash, at: now)
            }
            guard let token else { throw HTTPFailure.sessionEnded() }
            return AdminCaller(token)
        }
        guard let cookie = request.cookie(named: cookieName(request, desk)) else { return nil }
        let hash = BearerToken.hash(cookie)
        let oldest = now.adding(seconds: -AdministrationLimits.idleSeconds)
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.operatorSession(tokenHash: hash, usedAfter: oldest)
        }
        guard let found else { throw HTTPFailure.sessionEnded() }
        if isRenewed, now.seconds(since: found.session.usedAt) >= 60 {
            try await storing { () async throws(StoreError) in
                try await desk.store.renewOperatorSession(
                    tokenHash: hash, at: now, confirmed: false)
            }
        }
        return AdminCaller(found)
    }

    /// The prefix makes browsers refuse the cookie without HTTPS.
    static func cookieName(_ request: Request, _ desk: AdminDesk) -> String {
        (isSecure(request, desk) ? "__Host-" : "") + "waggle-operator"
    }

    static func browserCookieName(_ request: Request, _ desk: AdminDesk) -> String {
        (isSecure(request, desk) ? "__Host-" : "") + "waggle-browser"
    }

    static func isSecure(_ request: Request, _ desk: AdminDesk) -> Bool {
        desk.origins.isSecure(host: request.head.authority ?? "")
    }
}

/// Calls the store, and converts its errors.
func storing<Value: Sendable>(
    _ call: () async throws(StoreError) -> Value
) async throws(SyncError) -> Value {
    do {
        return try await call()
    } catch {
        throw .store(error)
    }
}

extension AdminExchange {
    /// Writes to the activity log. An act is logged before it is carried out, so that none is
    /// missing in the log.
    func log(
        target: String = "", before: JSONValue? = nil, after: JSONValue? = nil,
        by actor: String? = nil
    ) async throws {
        let environment =
            route.parameters.contains("environment") ? try context.pathPart("environment") : nil
        let activity = Activity(
            actor: actor ?? self.actor, origin: context.clientAddress,
            act: route.operation.rawValue, environment: environment, target: target,
            before: before?.text ?? "", after: after?.text ?? "")
        try await storing { () async throws(StoreError) in
            try await desk.store.log(activity, at: now)
        }
    }
}

extension Request {
    /// The value of a header whose name is in lower case.
    func header(_ name: String) -> String? {
        headers.first { $0.name.canonicalName == name }?.value
    }
}

extension Response {
    static func json(_ value: JSONValue, status: HTTPResponse.Status = .ok) -> Response {
        .json(bytes: value.text.utf8, status: status)
    }
}
