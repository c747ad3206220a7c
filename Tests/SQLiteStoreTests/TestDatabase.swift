import Foundation
import SQLiteStore
import SyncEngine
import Testing

/// A database file in a folder of its own, which goes with it.
final class TestDatabase: Sendable {
    let folder: URL
    let database: SQLiteDatabase

    var path: String { folder.appending(path: "test.sqlite").path }

    init() throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        database = try SQLiteDatabase(path: folder.appending(path: "test.sqlite").path)
    }

    deinit {
        try? database.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func environment(named name: String = "test") async throws -> EnvironmentID {
        let state = try await database.deploy(to: name) { _ in
            NewVersion(
                digest: "digest", fingerprint: "fingerprint", source: Array("<application/>".utf8),
                deployedAt: Instant(milliseconds: 1), instance: "instance of \(name)")
        }
        return try #require(state).id
    }
}

extension SQLiteDatabase {
    /// Writes what was decided, whatever was read.
    func write(
        _ writes: Writes, in environment: EnvironmentID, device: DeviceKey = .test
    ) async throws(StoreError) {
        let need = Need(
            environment: environment, device: device, changeIDs: [], guids: [],
            baseRevisions: [:])
        try await commit(need) { _ throws(StoreError) in (writes, ()) }
    }

    func facts(
        in environment: EnvironmentID, device: DeviceKey = .test, changeIDs: [String] = [],
        guids: [String] = [], bases: [String: Int64] = [:]
    ) async throws(StoreError) -> Facts {
        let need = Need(
            environment: environment, device: device, changeIDs: changeIDs, guids: guids,
            baseRevisions: bases)
        return try await commit(need) { facts throws(StoreError) in (Writes(), facts) }
    }

    func page(
        in environment: EnvironmentID, after sequence: Int64 = 0, limit: Int = 100,
        maxScanned: Int = 1000, maxBytes: Int = 1 << 20, skipsDeleted: Bool = false
    ) async throws(StoreError) -> Page {
        try await page(
            PageRequest(
                environment: environment, afterSequence: sequence, limit: limit,
                maxScanned: maxScanned, maxBytes: maxBytes, skipsDeleted: skipsDeleted))
    }
}

extension DeviceKey {
    static let test = DeviceKey(login: "a", deviceIdentifier: "phone")
}

extension StoredRecord {
    static func test(
        _ guid: String, revision: Int64 = 1, deleted: Bool = false, conflicted: Bool = false,
        fieldsText: String = "{}"
    ) -> StoredRecord {
        StoredRecord(
            guid: guid, model: "Note", owner: "a", group: "users", revision: revision,
            isDeleted: deleted, isConflicted: conflicted, fieldsText: fieldsText)
    }
}

extension Writes {
    init(records: [StoredRecord]) {
        self.init()
        self.records = records
    }
}

extension HistoryEntry {
    static func test(_ guid: String, revision: Int64, kind: Kind = .updated) -> HistoryEntry {
        HistoryEntry(
            guid: guid, revision: revision, kind: kind, changeID: "c\(revision)", login: "a",
            deviceCategory: "mobile", deviceIdentifier: "phone",
            at: Instant(milliseconds: revision), wasDeleted: false, fieldsText: "{\"x\":1}")
    }
}
