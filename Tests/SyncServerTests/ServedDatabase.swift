import DefinitionCompiler
import DefinitionModel
import FileExchange
import FileVault
import Foundation
import Logging
import Notifications
import SQLiteStore
import Secrets
import ServiceLifecycle
import SyncEngine
import SyncServer
import Synchronization
import Testing
import UserAccounts
import WholeRecordSync

/// A database in a temporary folder. Each environment has notes and the user `anna`.
final class ServedDatabase: EnvironmentSource {
    let store: SQLiteDatabase
    /// The body of `checkHealth`.
    let checking = Mutex<@Sendable () async throws(SyncError) -> Void>({})
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(freshGuid())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try SQLiteDatabase(path: folder.appending(path: "test.sqlite").path)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Deploys a definition with a maximum length of notes.
    func deploy(to name: String, maxLength: Int = 100) async throws {
        let document = """
            <application xmlns="http://schema.mobeelizer.com/application" application="notes"
              vendor="waggle" conflictMode="OVERWRITE">
              <devices><device name="mobile"/></devices><groups><group name="users"/></groups>
              <roles><role group="users" device="mobile"/></roles>
              <models><model name="Note"><fields><field name="text" type="TEXT">
                <credentials><credential role="users-mobile" createAllowed="ALL"
                  readAllowed="ALL" updateAllowed="ALL"/></credentials>
                <options><option name="maxLength">\(maxLength)</option></options>
              </field></fields>
              <credentials><credential role="users-mobile" createAllowed="ALL"
                readAllowed="ALL" updateAllowed="ALL" deleteAllowed="ALL"/></credentials>
              </model></models>
            </application>
            """
        let source = SourceFile(name: "application.xml", bytes: Array(document.utf8))
        let definition = try #require(compile(source).definition)
        let present = try await store.environment(named: name)
        let deployment = Deployment(
            of: definition, source: source.bytes, at: Instant(milliseconds: 0),
            instance: freshGuid(), replacing: present, after: [])
        let deployed = try await store.deploy(to: name, deciding: deployment.decide).get()
        guard present == nil else { return }
        let hash = try PasswordHash.make(of: "secret")
        _ = try await UserDirectory(
            store: store, environment: deployed.state.id, definition: definition
        ).add(
            login: "anna", group: "users", mail: "", isAdmin: false, passwordHash: hash,
            at: Instant(milliseconds: 0))
    }

    func checkHealth() async throws(SyncError) { try await checking.withLock { $0 }() }

    func deployments() async throws(SyncError) -> [EnvironmentDeployment] {
        do {
            return try await store.environments()
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
        do {
            guard let state = try await store.environment(named: name),
                let definition = recompile(SourceFile(name: "", bytes: state.source)).definition
            else { return nil }
            let engine = Engine(
                rules: Rules(definition), formerly: [], environment: state, store: store,
                seal: CursorSeal(
                    seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }))
            return ServedEnvironment(
                state, engine: engine, accounts: AccountEngine(engine: engine, store: store),
                files: FileEngine(
                    engine: engine, store: store,
                    blobs: FolderBlobStore(path: folder.appending(path: "files").path)),
                notifications: NotificationEngine(engine: engine, store: store),
                tickets: TicketEngine(engine: engine, store: store), formerDefinitions: [])
        } catch {
            throw .store(error)
        }
    }
}

/// Runs a server with these wires while `body` runs with its address.
func withServer<Value: Sendable>(
    of database: ServedDatabase, wires: [any Wire], threads: Int = 0,
    _ body: @escaping @Sendable (_ address: String) async throws -> Value
) async throws -> Value {
    let (ports, listening) = AsyncStream.makeStream(of: Int.self)
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    var settings = ServerSettings(
        host: "127.0.0.1", port: 0, maxBodyBytes: 1 << 20, maxBodySeconds: 60,
        maxConnections: 100, maxUploads: 4)
    settings.maxConnectionsPerAddress = 100
    settings.threads = threads
    let server = Server(
        Environments(source: database), wires: wires, streams: LiveStreams(max: 10),
        settings: settings, logger: logger, now: { Instant(milliseconds: 0) },
        listening: { port in
            listening.yield(port)
            listening.finish()
        })
    let services = ServiceGroup(
        configuration: ServiceGroupConfiguration(services: [server], logger: logger))
    return try await withThrowingTaskGroup(of: Value?.self) { group in
        group.addTask {
            defer { listening.finish() }
            try await services.run()
            return nil
        }
        group.addTask {
            var iterator = ports.makeAsyncIterator()
            let port = try #require(await iterator.next())
            do {
                let value = try await body("http://127.0.0.1:\(port)")
                await services.triggerGracefulShutdown()
                return value
            } catch {
                await services.triggerGracefulShutdown()
                throw error
            }
        }
        let results = try await group.reduce(into: [Value]()) { $0 += $1.map { [$0] } ?? [] }
        return try #require(results.first)
    }
}
