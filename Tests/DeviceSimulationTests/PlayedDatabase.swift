import AccessPolicy
import DefinitionModel
import Foundation
import GRDB
import Simulation
import SyncProtocol
import Synchronization

@testable import Waggle

/// The database of an app on a simulated device. Sessions are set directly, because hashing
/// passwords takes long.
actor PlayedDatabase: RealClient {
    private let folder = FileManager.default.temporaryDirectory.appending(
        path: "waggle-\(UUID().uuidString)")
    private let apps: Apps
    private let decisions: Decisions?
    private let mutant: DeviceMutant?
    private let hatch = Hatch()
    private let writes = DoomedWrites()
    private var session: RealSession?
    private var open: (database: Waggle.Database, store: DeviceStore)?
    private var isSyncing = false
    private var firstVersion: String?

    /// With `decisions`, the app resolves conflicts itself.
    init(_ apps: Apps, decisions: Decisions?, mutant: DeviceMutant? = nil) {
        self.apps = apps
        self.decisions = decisions
        self.mutant = mutant
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func signIn(_ session: RealSession) async throws {
        let former = self.session
        self.session = session
        guard session.definition.fingerprint != former?.definition.fingerprint else {
            return try tellSession()
        }
        try await restart()
        guard former == nil, let (store, rules) = try adoption() else { return }
        try await writes.sparing { try store.adopt(rules) }
    }

    /// The app may end while it adapts what is stored.
    func update(to definition: Definition) async throws {
        guard session != nil else { return }
        session?.definition = definition
        try await restart()
        do {
            if let (store, rules) = try adoption() { try store.adopt(rules) }
        } catch {
            guard writes.takeDoom() else { throw error }
            try await restart()
            if let (store, rules) = try adoption() { try store.adopt(rules) }
        }
    }

    func carryOut(_ edit: AppEdit) async throws -> EditAnswer {
        do {
            let database = try opened().database
            switch edit.action {
            case .save: try await database.save(edit.record)
            case .remove: try await database.remove(edit.record)
            case .resolve: try await database.resolve(edit.record)
            }
            return .done
        } catch {
            guard !writes.takeDoom() else {
                try await restart()
                return .appEnded
            }
            guard let refusal = EditAnswer(error) else { throw error }
            return refusal
        }
    }

    func beginSync() async throws -> SyncTurn {
        try await giveUpSync()
        let database = try opened().database
        isSyncing = true
        Task { [hatch] in
            do throws(SyncFailure) {
                try await database.sync()
                await hatch.tell(.ended(nil))
            } catch {
                await hatch.tell(.ended(error))
            }
        }
        return try await turn()
    }

    func take(_ reply: SyncReply) async throws -> SyncTurn {
        var reply = reply
        if case .response(var response) = reply, let mutant {
            if let sql = mutant.storedFirst(response) { try await write(sql) }
            mutant.response(&response)
            reply = .response(response)
        }
        await hatch.answer(.success(try WireAnswer(reply)))
        return try await turn()
    }

    func endApp(atWrite write: Int) async throws {
        if write == 0 { try await restart() } else { writes.doom(write) }
    }

    func holdings() async throws -> Holdings {
        guard let store = open?.store else { return .nothing }
        return try await store.read { db in try Holdings(store, db) }
    }

    func close() async {
        try? await giveUpSync()
        try? open?.store.pool.close()
        open = nil
    }
}

extension PlayedDatabase {
    private func opened() throws -> (database: Waggle.Database, store: DeviceStore) {
        guard let open else { throw Waggle.DatabaseError.notLoggedIn }
        return open
    }

    /// Waits for the next request or the end of the sync.
    private func turn() async throws -> SyncTurn {
        let event = await hatch.next()
        let settled = decisions?.takeMade() ?? []
        switch event {
        case .asked(var asked):
            mutant?.request(&asked.request)
            if mutant?.staysOfFirstVersion ?? false { asked.version = firstVersion ?? "" }
            return SyncTurn(next: asked, settled: settled, hasAppEnded: false)
        case .ended(let failure):
            isSyncing = false
            let hasAppEnded = writes.takeDoom()
            if hasAppEnded {
                try await restart()
            } else if let failure, !failure.isToBeExpected {
                throw failure
            }
            return SyncTurn(next: nil, settled: settled, hasAppEnded: hasAppEnded)
        }
    }

    /// Fails the response that the sync is waiting for.
    private func giveUpSync() async throws {
        guard isSyncing else { return }
        await hatch.answer(.failure(WireFailure(reason: "no answer")))
        _ = try await turn()
    }

    /// Restarts the app with the stored data.
    private func restart() async throws {
        try await giveUpSync()
        try open?.store.pool.close()
        guard let session else { return }
        let app = try apps.app(with: session.definition)
        let database = try Waggle.Database(
            app,
            Settings(
                mode: .test, server: URL(filePath: "/"),
                deviceCategory: session.role.deviceCategory, folder: folder),
            wire: hatch)
        let store = try DeviceStore(
            path: folder.appending(path: "user.sqlite").path, definition: app.definition)
        store.pool.add(transactionObserver: writes, extent: .databaseLifetime)
        open = (database, store)
        if let trigger = mutant?.trigger { try await write(trigger) }
        firstVersion = firstVersion ?? app.fingerprint
        if let decisions { database.onConflict { decisions.decide($0, in: app) } }
        try tellSession()
    }

    /// The store, and the rules by which it adapts what it has.
    private func adoption() throws -> (DeviceStore, LocalRules)? {
        let (database, store) = try opened()
        return database.state.withLock { $0.session?.rules }.map { (store, $0) }
    }

    private func write(_ sql: String) async throws {
        let store = try opened().store
        try await writes.sparing {
            try await store.write { db in try db.execute(sql: sql) }
        }
    }

    private func tellSession() throws {
        guard let session else { return }
        let (database, store) = try opened()
        let role = session.role
        let local = LocalSession(
            user: User(
                login: session.login, group: role.group, role: role.name, isOffline: false),
            rules: LocalRules(
                database.definition.definition,
                asker: Asker(login: session.login, group: role.group, role: role)),
            store: store, contents: ContentsFolder(place: folder.appending(path: "files")),
            token: session.token)
        database.state.withLock { $0.session = local }
    }
}

extension EditAnswer {
    /// Nil for an error other than a refusal.
    fileprivate init?(_ error: any Error) {
        switch error as? Waggle.DatabaseError {
        case .refused(let refusals): self = .refused(codes: Set(refusals.map(\.code)))
        case .removed: self = .refused(codes: ["removed"])
        case .recordUnknown: self = .refused(codes: ["recordUnknown"])
        case .notLoggedIn, .notUnique, .unreadable, .outOfSpace, .failed, nil: return nil
        }
    }
}

extension SyncFailure {
    /// A lost response, an ended session, and a cancelled sync.
    fileprivate var isToBeExpected: Bool {
        switch self {
        case .unreachable, .sessionEnded, .roleUnknown, .cancelled: true
        case .notLoggedIn, .wrongCredentials, .signIn, .busy, .server, .unexpectedAnswer, .database:
            false
        }
    }
}

extension Holdings {
    fileprivate static let nothing = Holdings(
        cursor: nil, records: [:], shown: [:], waiting: [], refused: [])
}
