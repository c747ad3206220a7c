import Administration
import ChangeRules
import DefinitionCompiler
import DefinitionModel
import FileExchange
import FileVault
import Foundation
import JSON
import Notifications
import PostgresStore
import SQLiteStore
import Secrets
import SyncEngine
import UserAccounts
import WholeRecordSync

/// All protocols of a store.
typealias WholeStore = Store & AccountStore & FileStore & TicketStore & NotificationStore
    & CopyableStore & AdministrationStore & ErasureStore & ClientStore

/// Limits for the use of a database.
struct DatabaseLimits {
    var pushesPerCommit = CommitLimits().calls
    /// For PostgreSQL only.
    var connections = PostgresLimits().connections
}

/// A database opened by a command.
struct OpenDatabase {
    let store: any WholeStore
    let blobs: any BlobStore
    let address: DatabaseAddress
    /// Reaches the other processes on the database; nil for a file, which one process serves.
    let designers: (any DesignerChannel)?
    /// Closes the database.
    private let closing: @Sendable () throws(StoreError) -> Void
    private let checking: @Sendable () async throws(StoreError) -> Void
    private let claiming: @Sendable () async throws(StoreError) -> (any StoreHold)?
    private let claimingFills: @Sendable () async throws(StoreError) -> (any StoreHold)?

    /// Creates the database if it does not exist and `creating` is true.
    init(
        _ address: DatabaseAddress, creating: Bool, limits: DatabaseLimits = DatabaseLimits(),
        observer: (any EngineObserver)? = nil
    ) async throws(ToolFailure) {
        do {
            switch address {
            case .file(let path):
                try Self.checkIsThere(path, creating: creating)
                try self.init(path: path, limits, observer)
            case .server(let server):
                try await self.init(server, creating: creating, limits, observer)
            }
        } catch let error as StoreError {
            throw ToolFailure(opening: address, error, creating: creating)
        } catch let failure as ToolFailure {
            throw failure
        } catch {
            throw ToolFailure(.machineFailed, "the database failed: \(error)")
        }
    }

    private init(
        path: String, _ limits: DatabaseLimits, _ observer: (any EngineObserver)?
    ) throws {
        var commits = CommitLimits()
        commits.calls = limits.pushesPerCommit
        let file = try SQLiteDatabase(path: path, commits: commits, observer: observer)
        address = .file(path)
        store = file
        designers = nil
        // The contents of files are in a folder beside the database.
        blobs = FolderBlobStore(path: path + ".files")
        closing = { () throws(StoreError) in try file.close() }
        checking = { () async throws(StoreError) in try await file.checkIntegrity() }
        claiming = { () async throws(StoreError) in try FileHold(on: path, for: "copying") }
        claimingFills = { () async throws(StoreError) in try FileHold(on: path, for: "filling") }
    }

    private init(
        _ server: PostgresAddress, creating: Bool, _ limits: DatabaseLimits,
        _ observer: (any EngineObserver)?
    ) async throws {
        var most = PostgresLimits()
        most.commits.calls = limits.pushesPerCommit
        most.connections = limits.connections
        let database = try await PostgresDatabase(
            address: server, creating: creating, limits: most, observer: observer)
        address = .server(server)
        store = database
        designers = database
        blobs = PostgresBlobStore(database)
        closing = { () throws(StoreError) in database.close() }
        // PostgreSQL checks its pages itself when it reads them.
        checking = { () async throws(StoreError) in }
        claiming = { () async throws(StoreError) in try await database.claimCopies() }
        claimingFills = { () async throws(StoreError) in try await database.claimFills() }
    }

    /// Throws if there is no such file and `creating` is false.
    static func checkIsThere(_ path: String, creating: Bool) throws(ToolFailure) {
        guard creating || FileManager.default.fileExists(atPath: path) else {
            throw ToolFailure(
                .inputAtFault, "there is no database '\(path)'",
                help: "make it with 'waggle deploy FILE --database \(path)', or name another")
        }
    }

    func environment(named name: String) async throws(ToolFailure) -> EnvironmentState? {
        do {
            return try await store.environment(named: name)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// Looks at each record that is not deleted; returns whether anybody uses the environment.
    func visitRecords(
        of present: EnvironmentState,
        _ body: (_ guid: String, _ model: String, [String: JSONValue]) -> Void
    ) async throws(ToolFailure) -> Bool {
        do {
            return try await store.visitRecords(in: present.id, body)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    func sweepFiles(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(ToolFailure) -> FileSweepResult {
        do {
            return try await FileSweep(store: store, blobs: blobs)
                .run(in: environment, before: moment)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// Removes contents that no file has, and uploads that no file waits for, of environments that
    /// were removed. Returns the number of contents.
    func sweepContents() async throws(ToolFailure) -> Int {
        do {
            // Every upload that a file waits for stays, however old it is.
            return try await FileSweep(store: store, blobs: blobs)
                .removeUnused(before: Instant(milliseconds: 0)).contents
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    func sweepNotifications(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(ToolFailure) -> Int {
        do {
            return try await NotificationSweep(store: store).run(in: environment, before: moment)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// The folder for archives in transfer, local to this machine.
    var transferFolder: String {
        switch address {
        case .file(let path): path + ".transfers"
        case .server:
            FileManager.default.temporaryDirectory
                .appending(path: "waggle-transfers-\(getuid())").path
        }
    }

    func existingEnvironment(named name: String) async throws(ToolFailure) -> EnvironmentState {
        guard let state = try await environment(named: name) else {
            throw ToolFailure(
                .inputAtFault, "'\(address)' has no environment '\(name)'",
                help:
                    "make it with 'waggle deploy FILE --database \(address) --environment \(name)'")
        }
        return state
    }

    func sweep(_ request: SweepRequest) async throws(ToolFailure) -> SweepResult {
        do {
            return try await store.sweep(request)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// Deletes expired outcomes. Returns their number.
    func sweepOutcomes(in environment: EnvironmentID) async throws(ToolFailure) -> Int {
        do {
            return try await SweepRequest(environment: environment, before: .now, limit: 1000)
                .repeated(store.sweepOutcomes)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// Forgets devices that have not signed in for a long time. Returns their number.
    func forgetDevices(in environment: EnvironmentID) async throws(ToolFailure) -> Int {
        let oldest = Instant.now.adding(seconds: -Limits().deviceSeconds)
        do {
            return try await SweepRequest(environment: environment, before: oldest, limit: 100)
                .repeated(store.forgetDevices)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    func sweepRefusals(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(ToolFailure) -> Int {
        do {
            return try await SweepRequest(environment: environment, before: moment, limit: 1000)
                .repeated(store.sweepRefusals)
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// The name of the application whose definition an environment has.
    func application(of name: String) async throws -> String {
        let state = try await existingEnvironment(named: name)
        return try definition(stored: state.source, in: name).application
    }

    func accounts(of name: String) async throws -> UserDirectory {
        let state = try await existingEnvironment(named: name)
        return UserDirectory(
            store: store, environment: state.id,
            definition: try definition(stored: state.source, in: name))
    }

    /// Throws if a file is damaged. Reads all of it.
    func checkIntegrity() async throws(ToolFailure) {
        do {
            try await checking()
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    /// The right to write copies to the database. Throws if another process has it.
    func claimCopies() async throws(ToolFailure) -> any StoreHold {
        let claim: (any StoreHold)?
        do {
            claim = try await claiming()
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
        guard let claim else {
            throw ToolFailure(
                .machineFailed, "another copy to '\(address)' is running",
                help: "wait until it has ended, and repeat the command")
        }
        return claim
    }

    /// The right to fill in the values of deployments; nil if another process has it.
    func claimFills() async throws(StoreError) -> (any StoreHold)? { try await claimingFills() }

    /// Closes the database.
    func close() throws(ToolFailure) {
        do {
            try closing()
        } catch {
            throw ToolFailure(error, database: "\(address)")
        }
    }
}

extension Instant {
    static var now: Instant {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
