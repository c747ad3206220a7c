import AccessPolicy
import DefinitionModel
import Foundation

/// The records of an app on this device. They can be read and changed without a network; `sync`
/// brings them together with those of others.
///
/// ```swift
/// let database = try Database(definition, settings)
/// try await database.logIn("anna", password: password)
/// try await database.save(Film(title: "Solaris"))
/// let good = try await database.find(Film.self).where(\.score >= 3).order(by: \.title).all()
/// try await database.sync()
/// ```
public final class Database: Sendable {
    /// The definition that the database decides by.
    public let definition: AppDefinition
    /// The settings that the database was opened with.
    public let settings: Settings
    let wire: any Transport
    let device: DeviceFile
    let state = LockedValue(DatabaseState())
    let mutex = AsyncMutex()

    /// Opens the database of an app. Makes its folder if there is none; calls no server.
    ///
    /// Throws `failed` if the folder cannot be made.
    public convenience init(
        _ definition: AppDefinition, _ settings: Settings
    ) throws(DatabaseError) {
        try self.init(definition, settings, wire: HTTPWire(server: settings.server))
    }

    init(
        _ definition: AppDefinition, _ settings: Settings, wire: any Transport
    ) throws(DatabaseError) {
        self.definition = definition
        self.settings = settings
        self.wire = wire
        device = DeviceFile(
            folder: settings.folder, environment: settings.mode.environment)
        do {
            try makeFolder(settings.folder)
            try protection.apply(to: settings.folder)
        } catch {
            throw .failed("the folder '\(settings.folder.path)' cannot be made: \(error)")
        }
    }

    /// The user who is logged in, or nil.
    public var user: User? { state.withLock { $0.session?.user } }

    func session() throws(DatabaseError) -> LocalSession {
        guard let session = state.withLock({ $0.session }) else { throw .notLoggedIn }
        return session
    }
}

/// The mutable state of an open database.
struct DatabaseState: Sendable {
    var session: LocalSession?
    /// The opened stores by path. A user who logs in again gets the same store, so that running
    /// observations see its writes.
    var stores: [String: DeviceStore] = [:]
    var handlers = ConflictHandlers()
    var listeners: [UInt64: AsyncStream<SyncProgress>.Continuation] = [:]
    var nextListener: UInt64 = 0
    /// The subscribers to edits.
    var edits: [UInt64: AsyncStream<Void>.Continuation] = [:]
}

/// The user who is logged in, with their records.
struct LocalSession: Sendable {
    let user: User
    let rules: LocalRules
    let store: DeviceStore
    let contents: ContentsFolder
    /// Nil if the server was not asked.
    let token: String?
}
