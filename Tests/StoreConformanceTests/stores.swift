import Administration
import FileExchange
import FileVault
import Foundation
import MemoryStore
import Notifications
import PostgresKit
import PostgresStore
import SQLiteStore
import SyncEngine
import Testing
import UserAccounts
import WholeRecordSync

/// The stores that must pass; add further ones here.
let stores = [
    StoreKind("memory") { StoreBench(MemoryDatabase(commits: $0)) },
    StoreKind("SQLite") { try sqlite($0) },
    StoreKind("PostgreSQL") { try await postgres($0) },
]

/// A kind of store, and a function that creates an empty one.
struct StoreKind: Sendable, CustomTestStringConvertible {
    let testDescription: String
    private let opening: @Sendable (CommitLimits) async throws -> StoreBench

    init(_ name: String, opening: @escaping @Sendable (CommitLimits) async throws -> StoreBench) {
        testDescription = name
        self.opening = opening
    }

    func open(commits limits: CommitLimits = CommitLimits()) async throws -> StoreBench {
        var limits = limits
        // Wrong presumptions are frequent.
        limits.presumptionPause = .zero
        return try await opening(limits)
    }
}

/// All protocols of a store.
typealias WholeStore = Store & AccountStore & FileStore & TicketStore & NotificationStore
    & AdministrationStore & ErasureStore & ClientStore

/// A store for one test, removed with the last reference.
final class StoreBench: Sendable {
    let store: any WholeStore
    /// The source and target of copies; nil for a memory store.
    let database: DatabaseOfFiles?
    private let remove: @Sendable () -> Void

    init(
        _ store: any WholeStore, _ database: DatabaseOfFiles? = nil,
        remove: @escaping @Sendable () -> Void = {}
    ) {
        self.store = store
        self.database = database
        self.remove = remove
    }

    deinit { remove() }
}

/// A database, and the store of its files' contents.
struct DatabaseOfFiles: Sendable {
    let rows: any CopyableStore
    let contents: any BlobStore
}

private func sqlite(_ commits: CommitLimits) throws -> StoreBench {
    let folder = FileManager.default.temporaryDirectory
        .appending(path: "waggle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let database = try SQLiteDatabase(
        path: folder.appending(path: "test.sqlite").path, commits: commits)
    let contents = FolderBlobStore(path: folder.appending(path: "files").path)
    return StoreBench(database, DatabaseOfFiles(rows: database, contents: contents)) {
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }
}

private func postgres(_ commits: CommitLimits) async throws -> StoreBench {
    let database = try PostgresCluster.shared().makeDatabase()
    var limits = PostgresLimits()
    limits.commits = commits
    // Hundreds of tests start at once.
    limits.patienceSeconds = 120
    let store = try await PostgresDatabase(
        address: PostgresAddress(database.address), creating: true, limits: limits)
    let files = DatabaseOfFiles(rows: store, contents: PostgresBlobStore(store))
    return StoreBench(store, files) {
        store.close()
        // Removed with the last reference.
        withExtendedLifetime(database) {}
    }
}
