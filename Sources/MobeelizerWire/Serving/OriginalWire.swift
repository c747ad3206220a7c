package import DefinitionModel
package import Hummingbird
import Secrets
package import SyncEngine
package import SyncServer

/// The wire of the original Mobeelizer clients, at `/sync/v2`. It turns their requests into calls
/// of the engine, and its answers into what they can read.
package struct OriginalWire: ForeignWire {
    private let environment: String
    private let former: [Definition]
    private let ledger: any TicketLedger
    private let limits: WireLimits
    private let folder: TransferFolder

    /// What earlier processes left in the folder is removed.
    ///
    /// - Parameters:
    ///   - environment: The name of the one that is served.
    ///   - former: Versions of its definition that were deployed before.
    ///   - ledger: The engine's own store.
    ///   - folder: Where archives lie while they come and go; it is made when it is first needed.
    package init(
        environment: String, former: [Definition], ledger: any TicketLedger, folder: String,
        limits: WireLimits = WireLimits()
    ) {
        self.environment = environment
        self.former = former
        self.ledger = ledger
        self.limits = limits
        self.folder = TransferFolder(path: folder)
    }

    package func add(to router: Router<ConnectionContext>, with services: WireServices) {
        let engine = services.engine
        let routes = WireRoutes(
            services: services,
            versions: ServedVersions(
                environment: environment, now: engine.rules.definition, before: former),
            tickets: TicketEngine(engine: engine, ledger: ledger),
            sessions: OpenSessions(salt: BearerToken.make()), folder: folder, limits: limits)
        let group = router.group("sync/v2").add(middleware: WireErrorShape())
        for (method, path, answer) in routes.table { group.on(path, method: method, use: answer) }
    }
}

/// What this wire takes at most, beside what the engine does. Every one is answered with an error
/// that names it.
package struct WireLimits: Hashable, Sendable {
    /// Of an archive, packed.
    package var archiveBytes = 256 << 20
    /// Records in an archive.
    package var records = 200_000
    /// Of one record, as the archive has it.
    package var recordBytes = 8 << 20

    package init() {}
}
