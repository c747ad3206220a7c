import AccessPolicy
import DefinitionCompiler
import DefinitionModel
import Foundation
import JSON
import MemoryStore
import NativeCalls
import SyncEngine
import SyncProtocol
import Synchronization
import TestKit
import Testing
import UserAccounts
import VersionTranslation

@testable import Waggle

/// A server without a network: the engine of every server, with a store in memory. Requests and
/// answers can be lost.
final class EngineWire: Transport {
    /// The result of a request.
    enum Fault: Hashable, Sendable, CaseIterable {
        case answered, requestLost, answerLost
    }

    private let served: Mutex<Served>
    /// Versions that were not deployed.
    private let imported = Mutex<[Definition]>([])
    /// The folder of the devices, deleted with this.
    let folder = FileManager.default.temporaryDirectory.appending(
        path: "waggle-\(UUID().uuidString)")
    private let store = MemoryDatabase()
    private let faults = Mutex<[Fault]>([])
    private let requests = Mutex<[SyncRequest]>([])
    private let tokens = Mutex(0)
    private let isCut = Mutex(false)
    private let maxPageRecords = Mutex(Int.max)

    private struct Served: Sendable {
        let engine: Engine
        /// In the order of their deployment.
        let versions: [DeployedDefinition]
    }

    init(_ document: String, people: [(login: String, group: String)]) async throws {
        served = Mutex(try Self.deploy(document, to: store, after: nil))
        for (login, group) in people { try await accounts.add(person: login, group: group) }
    }

    var engine: Engine { served.withLock { $0.engine } }
    var definition: Definition { engine.rules.definition }

    /// Deploys another version.
    func deploy(_ document: String) throws {
        try served.withLock { $0 = try Self.deploy(document, to: store, after: $0) }
    }

    func importing(_ document: String) throws {
        let definition = try checked(document)
        imported.withLock { $0.append(definition) }
    }

    private static func deploy(
        _ document: String, to store: MemoryDatabase, after former: Served?
    ) throws -> Served {
        let definition = try checked(document)
        let present = try store.environment(named: "test")
        let deployment = Deployment(
            of: definition, source: [], at: SyncEngine.Instant(milliseconds: 0), instance: "i",
            replacing: present, after: former?.versions ?? [])
        let state = try store.deploy(to: "test", deciding: deployment.decide).get().state
        let engine = Engine(
            rules: Rules(definition),
            formerly: (former?.versions ?? []).map { Rules($0.definition) },
            environment: state, store: store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }))
        let version = DeployedDefinition(definition, sequence: present?.sequence ?? 0)
        return Served(engine: engine, versions: (former?.versions ?? []) + [version])
    }

    /// The engine for the version that a request names; nil for the deployed one.
    private func client(of request: WireRequest) -> ClientEngine? {
        guard let version = request.headers["Waggle-Definition"], !engine.isCurrent(version)
        else { return nil }
        if let client = engine.serving(client: version) { return client }
        return imported.withLock { $0.first { $0.fingerprint == version } }.map {
            engine.serving(
                ClientTranslation(of: $0, along: VersionPath(from: $0, to: definition)))
        }
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    var accounts: UserDirectory {
        UserDirectory(store: store, environment: engine.environment, definition: definition)
    }

    /// The next requests have these faults; later ones are answered.
    func next(_ faults: Fault...) { self.faults.withLock { $0 = faults } }

    /// Disconnects the network, or connects it again.
    func cut(_ isCut: Bool) { self.isCut.withLock { $0 = isCut } }

    /// Answers with fewer records than a request asks for, from now on.
    func shortenPages(to records: Int) { maxPageRecords.withLock { $0 = records } }

    /// Gives a record to another owner, as an admin of the server.
    func give(_ guid: String, of model: String, to owner: String) async throws {
        let role = try #require(definition.roles.first)
        let admin = Caller(
            asker: Asker(login: "admin", group: role.group, role: role), deviceIdentifier: "desk",
            isAdmin: true, moment: .none)
        _ = try await engine.reassign(
            guid, of: model, to: NewOwnership(owner: owner, group: nil), by: admin, at: now)
    }

    /// The syncs that reached the server.
    var seen: [SyncRequest] { requests.withLock { $0 } }

    func send(_ request: WireRequest) async throws(WireFailure) -> WireAnswer {
        guard !isCut.withLock({ $0 }) else { throw WireFailure(reason: "no network") }
        let fault = faults.withLock { $0.isEmpty ? Fault.answered : $0.removeFirst() }
        guard fault != .requestLost else { throw WireFailure(reason: "lost") }
        do {
            let answer = try await answer(request)
            guard fault != .answerLost else { throw WireFailure(reason: "lost") }
            return answer
        } catch let failure as WireFailure {
            throw failure
        } catch {
            throw WireFailure(reason: "\(error)")
        }
    }

    private func answer(_ request: WireRequest) async throws -> WireAnswer {
        do {
            switch request.path {
            case "v1/test/session" where request.method == "POST":
                let number = tokens.withLock { number in
                    number += 1
                    return number
                }
                let answer = try await AccountEngine(engine: engine, store: store).signIn(
                    try decodeMessage(SessionRequest.self, from: request.body ?? []),
                    token: NewToken(text: "\(number)", hash: Array("\(number)".utf8)),
                    at: now
                ) { password, hash in password == hash }
                return try WireAnswer(answer, status: 201)
            case "v1/test/sync":
                var message = try decodeMessage(SyncRequest.self, from: request.body ?? [])
                requests.withLock { $0.append(message) }
                message.limit = message.limit.map { min($0, maxPageRecords.withLock { $0 }) }
                let caller = try await engine.identify(
                    tokenHash: Array((request.token ?? "").utf8), at: now)
                if let client = client(of: request) {
                    return try WireAnswer(
                        try await client.sync(message, from: caller, at: now))
                }
                return try WireAnswer(try await engine.sync(message, from: caller, at: now))
            default: return WireAnswer(status: 204, body: [])
            }
        } catch SyncError.signIn(.wrongCredentials) {
            return try WireAnswer(
                ErrorMessage(code: "wrongCredentials", message: "no", help: "try"), status: 401)
        }
    }

    private var now: SyncEngine.Instant { SyncEngine.Instant(milliseconds: 1_800_000_000_000) }
}

extension UserDirectory {
    /// Adds a user. The password is the login, and its own hash.
    func add(person login: String, group: String) async throws {
        try await add(
            login: login, group: group, mail: "", isAdmin: false, passwordHash: login,
            at: Instant(milliseconds: 0))
    }
}

extension WireAnswer {
    fileprivate init(_ message: some Encodable, status: Int = 200) throws {
        self.init(status: status, body: Array(try StoredJSON.encode(message).utf8))
    }
}

/// A server for one test, with devices in a folder of their own.
final class DeviceBench: Sendable {
    let wire: EngineWire
    var folder: URL { wire.folder }

    init(_ document: String? = nil) async throws {
        wire = try await EngineWire(
            document ?? films(), people: [("a", "users"), ("b", "users"), ("g", "guests")])
    }

    /// The database of a device. The same name opens the same files.
    func database(
        on device: String = "phone", mode: Settings.Mode = .test, through detour: DetourWire? = nil,
        definition: Definition? = nil
    ) throws -> Waggle.Database {
        let compiled = try StoredJSON.encode(CompiledDefinition(definition ?? wire.definition))
        return try Waggle.Database(
            try AppDefinition(json: compiled),
            Settings(
                mode: mode, server: URL(filePath: "/"), deviceCategory: "mobile",
                folder: folder.appending(path: device)),
            wire: detour ?? wire)
    }

    /// The database of a user who is logged in on a device of their own.
    func loggedIn(_ login: String, on device: String? = nil) async throws -> Waggle.Database {
        let database = try database(on: device ?? "phone-of-\(login)")
        try await database.logIn(login, password: login)
        return database
    }
}

func checked(_ document: String) throws -> Definition {
    let source = SourceFile(name: "test.xml", bytes: Array(document.utf8))
    let compilation = compile(source)
    return try #require(compilation.definition, "\(renderForPeople(compilation, of: source))")
}

/// The definition of these tests, with another conflict mode.
func films(_ mode: ConflictMode = .manual) throws -> String {
    let document = try bytes(ofFile: "Tests/WaggleTests/application.xml")
    return String(decoding: document, as: UTF8.self).replacing(
        #"conflictMode="MANUAL""#, with: #"conflictMode="\#(mode.rawValue)""#)
}
