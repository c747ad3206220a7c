package import Administration
import HTTPTypes
import Hummingbird
import NIOConcurrencyHelpers
package import SyncEngine
package import SyncServer
package import UserAccounts

/// The administration of a database: JSON over HTTP/1.1 at `/admin/v1`. The routes are in
/// `AdminRoute`.
package struct OperatorWire: Wire {
    private let desk: AdminDesk

    /// `store` is that of the served environments.
    package init(
        store: any Store & AccountStore & AdministrationStore, origins: AdminOrigins
    ) {
        desk = AdminDesk(store: store, origins: origins)
    }

    package func routes(in host: WireHost) -> WireRoutes {
        var routes = WireRoutes(prefix: AdminRoute.prefix)
        for route in AdminRoute.all {
            guard let handler = AdminExchange.handlers[route.operation] else { continue }
            routes.on(route.method.httpMethod, route.path) { [desk] request, context in
                try await AdminExchange.answer(request, context, host, desk, by: route, handler)
            }
        }
        return routes
    }
}

/// The state that the requests of a process share.
struct AdminDesk: Sendable {
    let store: any Store & AccountStore & AdministrationStore
    let origins: AdminOrigins
    let failures = NIOLockedValueBox(FailureCounts())
}

extension AdminRoute.Method {
    fileprivate var httpMethod: HTTPRequest.Method {
        switch self {
        case .get: .get
        case .post: .post
        case .put: .put
        case .patch: .patch
        case .delete: .delete
        }
    }

    /// Whether requests change something.
    var isUnsafe: Bool {
        switch self {
        case .get: false
        case .post, .put, .patch, .delete: true
        }
    }
}
