package import Administration
package import FileExchange
import HTTPTypes
import Hummingbird
package import MailDelivery
package import Monitoring
import NIOConcurrencyHelpers
package import Notifications
package import SourceGenerator
package import SyncEngine
package import SyncServer
package import UserAccounts

/// The administration of a database: JSON over HTTP/1.1 at `/admin/v1`. The routes are in
/// `AdminRoute`.
package struct OperatorWire: Wire {
    private let desk: AdminDesk
    package let presence: DraftPresence

    /// - Parameters:
    ///   - store: The store of the served environments.
    ///   - metrics: The metrics of the process; nil if nobody counts.
    ///   - file: A definition that designers change as a file; nil for none.
    ///   - mails: Takes codes for people; nil if nothing is mailed.
    ///   - texts: Makes the addresses of codes that operators hand out.
    ///   - library: The library of new packages if a request names none; nil for none.
    ///   - presence: The designers of each draft, in this process and in others.
    package init(
        store: any AdminStore, origins: AdminOrigins, metrics: MetricsRegistry?,
        file: DraftFile?, mails: MailDesk?, texts: MailTexts, library: LibraryLocation?,
        presence: DraftPresence
    ) {
        self.presence = presence
        desk = AdminDesk(
            store: store, origins: origins, metrics: metrics, file: file, mails: mails,
            texts: texts, library: library, presence: presence)
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

/// A store with all that the administration reads and writes.
package typealias AdminStore = Store & AccountStore & FileStore & NotificationStore
    & CopyableStore & AdministrationStore & ErasureStore & ClientStore

/// The state that the requests of a process share.
struct AdminDesk: Sendable {
    let store: any AdminStore
    let origins: AdminOrigins
    let metrics: MetricsRegistry?
    let file: DraftFile?
    let mails: MailDesk?
    let texts: MailTexts
    let library: LibraryLocation?
    let presence: DraftPresence
    let storedDefinitions = DefinitionCache()
    let sentDefinitions = DefinitionCache()
    let simulations = SimulationDesk()
    let failures = NIOLockedValueBox(FailureCounts())
    let loggedFailures = NIOLockedValueBox(LoggedFailures())
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
