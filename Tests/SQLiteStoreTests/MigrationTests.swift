import Foundation
import GRDB
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("A file of an earlier waggle is brought up to date when it is opened")
struct MigrationTests {
    @Test func aVersionFromBeforeTheFingerprintHasItsDigestForOne() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "old.sqlite").path
        let old = try DatabasePool(path: path)
        try Schema.migrator.migrate(old, upTo: "2 records, history, conflicts, outcomes")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO environments VALUES (1, 'test', 'i', 0, 2);
                    INSERT INTO versions VALUES (1, 1, 'one', x'31', 5), (2, 1, 'two', x'32', 6);
                    """)
        }
        try old.close()

        let database = try SQLiteDatabase(path: path)
        let state = try #require(try await database.environment(named: "test"))
        #expect(state.digest == "two" && state.fingerprint == "two")
        #expect(
            try await database.versions(of: state.id) == [
                StoredVersion(source: [0x31], sequence: nil),
                StoredVersion(source: [0x32], sequence: nil),
            ])
        try database.close()
    }

    /// Until then nobody noted whose a file is: its first record's owner has it.
    @Test func aFileThatRecordsNamedBelongsToTheFirstOnesOwner() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "old.sqlite").path
        let old = try DatabasePool(path: path)
        try Schema.migrator.migrate(old, upTo: "5 what was there before a version")
        let one = #"{"f":{"guid":"one","filename":"n"}}"#
        try await old.write { db in
            for (place, owner, fields) in [(1, "a", one), (2, "b", one)] {
                try db.execute(
                    sql: "INSERT INTO records VALUES (?, 1, ?, 'Note', ?, 'g', 1, 0, 0, ?)",
                    arguments: [place, "r\(place)", owner, fields])
            }
            try db.execute(
                sql: """
                    INSERT INTO history
                    VALUES (1, 1, 'r2', 2, 'updated', 'c', 'a', 'd', 'i', 7, 0, ?)
                    """, arguments: [one.replacing("one", with: "two")])
        }
        try old.close()

        let database = try SQLiteDatabase(path: path)
        let files = try await database.pool.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT guid || ' ' || login || ' ' || is_named FROM files ORDER BY guid")
        }
        #expect(files == ["one a 1", "two b 1"])
        try database.close()
    }

    /// Until then nobody noted where an edit was made that stands beside its record.
    @Test func aConflictIsOfTheDeviceThatTheHistoryNames() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "old.sqlite").path
        let old = try DatabasePool(path: path)
        try Schema.migrator.migrate(old, upTo: "8 files")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO conflicts VALUES (1, 'g', 2, 1, '{}'), (1, 'g', 3, 1, '{}');
                    INSERT INTO history VALUES
                        (1, 1, 'g', 2, 'conflicted', 'c', 'a', 'd', 'phone', 7, 0, '{}', 5),
                        (2, 1, 'g', 2, 'discarded', 'c', 'x', 'd', 'wrong', 7, 0, '{}', 5),
                        (3, 1, 'g', 3, 'conflicted', 'c', 'b', 'd', 'tablet', 7, 0, '{}', 5);
                    """)
        }
        try old.close()

        let database = try SQLiteDatabase(path: path)
        let devices = try await database.read { db in
            try openConflicts(of: "g", in: EnvironmentID(number: 1), db).map(\.device)
        }
        #expect(
            devices == [
                DeviceKey(login: "a", deviceIdentifier: "phone"),
                DeviceKey(login: "b", deviceIdentifier: "tablet"),
            ])
        try database.close()
    }

    /// Nothing was told until then, so the first number is 1, and nothing waits to be delivered.
    @Test func notificationsBeginWithTheFirst() async throws {
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "old.sqlite").path
        let old = try DatabasePool(path: path)
        try Schema.migrator.migrate(
            old, upTo: "9 devices of conflicts, progress of devices")
        try await old.write { db in
            try db.execute(
                sql: """
                    INSERT INTO environments (id, name, instance, version)
                    VALUES (1, 'test', 'i', 1);
                    INSERT INTO versions (id, environment, digest, source, deployed_at)
                    VALUES (1, 1, 'd', x'31', 5);
                    """)
        }
        try old.close()

        let database = try SQLiteDatabase(path: path)
        let environment = EnvironmentID(number: 1)
        let start = Instant(milliseconds: 0)
        #expect(try await database.lastNotification(in: environment) == 0)
        #expect(
            try await database.claimNotification(in: environment, sentSince: start) == nil)
        let notification = NewNotification(
            id: "n", sender: "a", at: start, audience: .everyone, body: "{}")
        _ = try await database.add(notification, in: environment, windowSeconds: 60) { _ in 0 }
        #expect(
            try await database.claimNotification(in: environment, sentSince: start)
                == StoredNotification(number: 1, content: notification))
        try database.close()
    }
}
