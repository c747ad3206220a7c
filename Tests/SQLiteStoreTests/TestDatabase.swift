import Foundation
import SQLiteStore
import SyncEngine
import TestKit

/// A database file in a temporary folder, removed with the last reference.
final class TestDatabase: Sendable {
    let folder: URL
    let database: SQLiteDatabase

    var path: String { folder.appending(path: "test.sqlite").path }

    init(commits: CommitLimits = CommitLimits()) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = try SQLiteDatabase(
            path: folder.appending(path: "test.sqlite").path, commits: commits)
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func environment(named name: String = "test") async throws -> EnvironmentID {
        try await database.environment(name)
    }
}
