import Hummingbird
import Secrets
package import SyncServer

/// The wire of the original Mobeelizer clients, at `/sync/v2`.
package struct OriginalWire: Wire {
    private let limits: WireLimits
    private let folder: TransferFolder

    /// Removes what earlier processes left in the folder.
    ///
    /// - Parameter folder: The folder for archives in transfer, created on first use.
    package init(folder: String, limits: WireLimits = WireLimits()) {
        self.limits = limits
        self.folder = TransferFolder(path: folder)
    }

    package func routes(in host: WireHost) -> WireRoutes {
        let own = OriginalRoutes(
            versions: ServedVersionsCache(), sessions: OpenSessions(salt: BearerToken.make()),
            folder: folder, limits: limits)
        var routes = WireRoutes(
            prefix: "/sync/v2", errors: OriginalErrorMiddleware(),
            refusals: { failure, _ in WireRefusal.response(to: failure) })
        for (method, path, handler) in own.table {
            routes.on(method, path) { request, context in
                let identity = try ClientIdentity(request)
                guard let environment = try await host.environments.named(identity.environment)
                else { throw WireRefusal.environmentUnknown(identity) }
                return try await host.answer(request, context, in: environment) { exchange in
                    try await handler(exchange, try await own.client(identity, exchange))
                }
            }
        }
        return routes
    }
}

/// Limits of this wire, in addition to those of the engine. An error that exceeds one names it.
package struct WireLimits: Hashable, Sendable {
    /// The compressed size of an archive.
    package var archiveBytes = 256 << 20
    /// Records in an archive.
    package var records = 200_000
    /// The size of one record in the archive.
    package var recordBytes = 8 << 20
    /// The memory for the values of one record in the archive.
    package var recordValueBytes = 24 << 20
    /// Versions of a record in the archive of its history, and the size of their lines.
    package var historyVersions = 10_000
    package var historyBytes = 16 << 20
    /// The files of one delivery, and their bytes. The first one may have more.
    package var deliveredFiles = 1000
    package var deliveredFileBytes: Int64 = 256 << 20

    package init() {}
}
