import AzureWire
import DefinitionModel
import FileExchange
import FileVault
import Logging
import NativeWire
import Notifications
import ParseWire
import SQLiteStore
import ServiceLifecycle
import SyncEngine
import SyncServer
import UserAccounts
import WholeRecordSync

/// A filled site behind a server with all wires, which is asked over one connection, so that
/// the cost of the clients of a wire can be compared with that of native ones.
struct ServedSite: Sendable {
    static let environment = "counts"

    private let connection: Connection

    /// The server runs until the process ends.
    init(_ site: FilledSite, in folder: String) async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let logger = Logger(label: "counts") { _ in SwiftLogNoOpLogHandler() }
        let clients = ForeignClients(deviceCategory: FilledSite.Person.dispatcher.deviceCategory)
        let server = Server(
            Environments(source: SiteEnvironment(site: site, folder: folder)),
            wires: [
                WaggleWire(), AzureMobileWire(for: clients),
                ParseRESTWire(prefix: "/parse", for: clients),
            ],
            streams: LiveStreams(max: 1),
            settings: ServerSettings(
                host: "127.0.0.1", port: 0, maxBodyBytes: 1 << 20, maxBodySeconds: 600,
                maxConnections: 8, maxUploads: 1),
            logger: logger, now: { FilledSite.now }, listening: { listening.yield($0) })
        let services = ServiceGroup(
            configuration: ServiceGroupConfiguration(services: [server], logger: logger))
        Task { try await services.run() }
        var iterator = ports.makeAsyncIterator()
        guard let port = await iterator.next() else { throw ConnectionFailure() }
        connection = try Connection(port: port)
    }

    /// The body of the answer to a request of the dispatcher, which must succeed.
    ///
    /// - Parameter headers: Lines such as `X-Parse-Application-Id: counts`.
    func answer(
        _ method: String, _ target: String, _ headers: [String], _ body: [UInt8] = []
    ) throws -> [UInt8] {
        let lines =
            ["\(method) \(target) HTTP/1.1", "Host: localhost", "Content-Length: \(body.count)"]
            + headers
        return try connection.answer(
            to: Array((lines + ["", ""]).joined(separator: "\r\n").utf8) + body)
    }
}

/// The environment of the site alone.
private struct SiteEnvironment: EnvironmentSource {
    let site: FilledSite
    let folder: String

    func checkHealth() async throws(SyncError) {}

    func deployments() async throws(SyncError) -> [EnvironmentDeployment] {
        do {
            return try await site.store.environments()
        } catch {
            throw .store(error)
        }
    }

    func definition(
        withFingerprint fingerprint: String
    ) async throws(SyncError) -> Definition? { nil }

    func definition(withDigest digest: String) async throws(SyncError) -> Definition? { nil }

    func fingerprint(ofVersion name: String) async throws(SyncError) -> String? { nil }

    func load(_ name: String) async throws(SyncError) -> ServedEnvironment? {
        let (engine, store) = (site.engine, site.store)
        do {
            guard let state = try await store.environment(named: name) else { return nil }
            return ServedEnvironment(
                state, engine: engine, accounts: AccountEngine(engine: engine, store: store),
                files: FileEngine(
                    engine: engine, store: store, blobs: FolderBlobStore(path: folder + "/files")),
                notifications: NotificationEngine(engine: engine, store: store),
                tickets: TicketEngine(engine: engine, store: store), formerDefinitions: [])
        } catch {
            throw .store(error)
        }
    }
}
