import DefinitionModel
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
        try await database.deploy(to: name) { _ in .success(.test(instance: "instance of \(name)"))
        }
        .get().state.id
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
        try await commit(need) { _ in
            []
        } deciding: { _ throws(StoreError) in
            (writes, ())
        }
    }

    func facts(
        in environment: EnvironmentID, device: DeviceKey = .test, changeIDs: [String] = [],
        guids: [String] = [], bases: [String: Int64] = [:],
        holdersOf values: Set<UniqueValue> = []
    ) async throws(StoreError) -> Facts {
        let need = Need(
            environment: environment, device: device, changeIDs: changeIDs, guids: guids,
            baseRevisions: bases)
        return try await commit(need) { _ in
            values
        } deciding: { facts throws(StoreError) in
            (Writes(), facts)
        }
    }

    func page(
        in environment: EnvironmentID, after sequence: Int64 = 0, limit: Int = 100,
        maxScanned: Int = 1000, maxBytes: Int = 1 << 20, skipsDeleted: Bool = false,
        knownSequence: Int64 = 0
    ) async throws(StoreError) -> Page {
        try await page(
            PageRequest(
                environment: environment, afterSequence: sequence, limit: limit,
                maxScanned: maxScanned, maxBytes: maxBytes, skipsDeleted: skipsDeleted,
                knownSequence: knownSequence))
    }
}

extension NewVersion {
    static func test(
        _ name: String = "version", deployedAt milliseconds: Int64 = 1, instance: String = "i",
        adaptation: Adaptation = Adaptation(to: .test(), after: [], until: 0)
    ) -> NewVersion {
        NewVersion(
            digest: "digest", fingerprint: name, source: Array(name.utf8),
            deployedAt: Instant(milliseconds: milliseconds), instance: instance,
            adaptation: adaptation)
    }
}

extension Definition {
    /// One model, with texts that are unique, and others by their names and those they had before.
    static func test(
        _ model: String = "Note", before earlier: [String] = [], unique: [String] = [],
        others: [String: [String]] = [:]
    ) -> Definition {
        let place = SourcePlace(line: 1, column: 1)
        let names = others.merging(unique.map { ($0, []) }) { earlier, _ in earlier }
        let fields = names.sorted { $0.key < $1.key }.map { name, earlier in
            Field(
                name: name, renamedFrom: earlier, type: .text(TextLimits()), isRequired: false,
                isUnique: unique.contains(name), defaultValue: nil, credentials: [:],
                writtenOptions: [], writtenDefault: nil, place: place)
        }
        return Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: [],
            groups: [], roles: [],
            models: [
                Model(
                    name: model, renamedFrom: earlier, fields: fields, credentials: [:],
                    place: place)
            ], digest: "digest")
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
