import Hummingbird
import Secrets
package import SyncServer

/// The wire of the original Mobeelizer clients, at `/sync/v2`. It turns their requests into calls
/// of the engine, and its answers into what they can read.
package struct OriginalWire: Wire {
    private let limits: WireLimits
    private let folder: TransferFolder

    /// What earlier processes left in the folder is removed.
    ///
    /// - Parameter folder: Where archives lie while they come and go; it is made when it is first
    ///   needed.
    package init(folder: String, limits: WireLimits = WireLimits()) {
        self.limits = limits
        self.folder = TransferFolder(path: folder)
    }

    package func routes(in host: WireHost) -> WireRoutes {
        let own = OriginalRoutes(
            versions: ServedVersionsCache(), sessions: OpenSessions(salt: BearerToken.make()),
            folder: folder, limits: limits)
        var routes = WireRoutes(prefix: "/sync/v2", errors: WireErrorShape())
        for (method, path, answer) in own.table {
            routes.on(method, path) { request, context in
                let identity = try ClientIdentity(request)
                guard let environment = try await host.environments.named(identity.environment)
                else { throw WireRefusal.environmentUnknown(identity) }
                return try await host.answer(request, context, in: environment) { exchange in
                    try await answer(exchange, try await own.client(identity, exchange))
                }
            }
        }
        return routes
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
