import Administration
import Foundation
import GRDB
import Notifications
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("A database file of an earlier version is migrated")
struct MigrationTests {
    @Test func versionFromBeforeFingerprintHasItsDigestForOne() async throws {
        let old = try OldFile(upTo: "2 records, history, conflicts, outcomes")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO environments VALUES (1, 'test', 'i', 0, 2);
                    INSERT INTO versions VALUES (1, 1, 'one', x'31', 5), (2, 1, 'two', x'32', 6);
                    """)
        }

        let database = try old.opened()
        let state = try #require(try await database.environment(named: "test"))
        #expect(state.digest == "two" && state.fingerprint == "two")
        #expect(
            try await database.versions(of: state.id) == [
                StoredVersion(source: [0x31], sequence: nil, number: 1),
                StoredVersion(source: [0x32], sequence: nil, number: 2),
            ])
        try database.close()
    }

    @Test func earlierVersionsAreNumberedByTheirFirstDeployment() async throws {
        let old = try OldFile(upTo: "18 refusals, files and details of devices")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO environments (id, name, instance, version)
                        VALUES (1, 'test', 'i', 3), (2, 'other', 'j', 4);
                    INSERT INTO versions
                        (id, environment, digest, source, deployed_at, fingerprint)
                    VALUES (1, 1, 'one', x'3C', 5, 'one'), (2, 1, 'two', x'3D', 6, 'two'),
                        (3, 1, 'one', x'3C', 7, 'one'), (4, 2, 'two', x'3D', 8, 'two');
                    """)
        }
        let database = try old.opened()
        let catalog = try await database.catalog(before: nil, limit: 10)
        #expect(catalog.map(\.fingerprint) == ["two", "one"])
        #expect(catalog.map(\.addedAt.milliseconds) == [6, 5])
        #expect(catalog.allSatisfy { $0.author.isEmpty && $0.application == nil })
        #expect(try await database.catalogSource(1) == [0x3C])
        let state = try #require(try await database.environment(named: "test"))
        let deployments = try await database.deployments(of: state.id, before: nil, limit: 10)
        #expect(deployments.map(\.version) == [1, 2, 1])
        #expect(!state.isLocked)
        try database.close()
    }

    /// Earlier versions did not store the owner of a file: it is the owner of its first record.
    @Test func fileThatRecordsNamedBelongsToFirstOnesOwner() async throws {
        let old = try OldFile(upTo: "5 what was there before a version")
        defer { withExtendedLifetime(old) {} }
        let one = #"{"f":{"guid":"one","filename":"n"}}"#
        try await old.pool.write { db in
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

        let database = try old.opened()
        let files = try await database.pool.read { db in
            try String.fetchAll(
                db,
                sql: "SELECT guid || ' ' || login || ' ' || is_named FROM files ORDER BY guid")
        }
        #expect(files == ["one a 1", "two b 1"])
        try database.close()
    }

    /// Earlier versions did not store the device of an edit that is set aside.
    @Test func conflictIsOfDeviceThatHistoryNames() async throws {
        let old = try OldFile(upTo: "8 files")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO conflicts VALUES (1, 'g', 2, 1, '{}'), (1, 'g', 3, 1, '{}');
                    INSERT INTO history VALUES
                        (1, 1, 'g', 2, 'conflicted', 'c', 'a', 'd', 'phone', 7, 0, '{}', 5),
                        (2, 1, 'g', 2, 'discarded', 'c', 'x', 'd', 'wrong', 7, 0, '{}', 5),
                        (3, 1, 'g', 3, 'conflicted', 'c', 'b', 'd', 'tablet', 7, 0, '{}', 5);
                    """)
        }

        let database = try old.opened()
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

    /// Earlier versions had no notifications, so the first number is 1, and none is pending.
    @Test func notificationsBeginWithFirst() async throws {
        let old = try OldFile(upTo: "9 devices of conflicts, progress of devices")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO environments (id, name, instance, version)
                    VALUES (1, 'test', 'i', 1);
                    INSERT INTO versions (id, environment, digest, source, deployed_at)
                    VALUES (1, 1, 'd', x'31', 5);
                    """)
        }

        let database = try old.opened()
        let environment = EnvironmentID(number: 1)
        let start = Instant(milliseconds: 0)
        #expect(try await database.lastNotification(in: environment) == 0)
        let claim = DeliveryClaim(by: "p", at: start, seconds: 9)
        #expect(
            try await database.claimNotification(claim, in: environment, sentSince: start)
                == .nonePending)
        let notification = NewNotification(
            id: "n", sender: "a", at: start, audience: .everyone, body: "{}")
        _ = try await database.add(
            notification, in: environment, windowSeconds: 60,
            keeping: StoredAmount(rows: 9, bytes: 99)
        ) { _ in 0 }
        #expect(
            try await database.claimNotification(claim, in: environment, sentSince: start)
                == .claimed(StoredNotification(number: 1, content: notification), after: nil))
        try database.close()
    }

    /// Earlier versions keyed history and links by guids, which several environments may share.
    @Test func historyAndLinksStayWithTheirRecords() async throws {
        let old = try OldFile(upTo: "11 changes of accounts")
        defer { withExtendedLifetime(old) {} }
        let fields = #"{"f":{"guid":"file","filename":"n"}}"#
        try await old.pool.write { db in
            for (place, environment, guid) in [(11, 1, "g"), (12, 1, "h"), (21, 2, "g")] {
                try db.execute(
                    sql: """
                        INSERT INTO records
                        VALUES (?1, ?2, ?3, 'Note', 'a', 'g', 1, 0, 0, ?4, 3, 0, 0);
                        """, arguments: [place, environment, guid, fields])
                try db.execute(
                    sql: """
                        INSERT INTO history
                        VALUES (NULL, ?1, ?2, 1, 'created', ?3, 'a', 'd', 'phone', 7, 0, '{}', 3)
                        """, arguments: [environment, guid, "c\(place)"])
                try db.execute(
                    sql: "INSERT INTO links VALUES (?, ?, 'file', ?)",
                    arguments: [environment, guid, place == 11])
            }
        }

        let database = try old.opened()
        for (environment, guid, change) in [(1, "g", "c11"), (1, "h", "c12"), (2, "g", "c21")] {
            let changes = try await database.read { db in
                try String.fetchAll(
                    db, sql: "SELECT change_id FROM history WHERE origin = \(originOfRecord)",
                    arguments: [environment, guid])
            }
            #expect(changes == [change])
        }
        let links = try await database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT place || ' ' || source || ' ' || is_current
                    FROM links JOIN records ON records.origin = links.origin ORDER BY place
                    """)
        }
        #expect(links == ["11 g 1", "12 h 0", "21 g 0"])
        try database.close()
    }

    /// Earlier versions ordered them by guid, and did not store the creation of the oldest records:
    /// these still come first.
    @Test func recordsOfOwnerStandInOrderOfTheirCreation() async throws {
        let old = try OldFile(upTo: "12 origins of records")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            for (place, guid, owner, created) in [
                (1, "d", "a", 0), (2, "c", "a", 0), (3, "b", "a", 5), (4, "a", "b", 1),
                (6, "e", "a", 3),
            ] {
                try db.execute(
                    sql: """
                        INSERT INTO records
                        VALUES (?1, 1, ?2, 'Note', ?3, 'g', 1, 0, 0, '{}', ?4, 0, 0, ?1)
                        """, arguments: [place, guid, owner, created])
            }
        }

        let database = try old.opened()
        let guids = try await database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT guid FROM records INDEXED BY records_by_owner
                    WHERE (NOT is_deleted OR is_conflicted) AND environment = 1 AND model = 'Note'
                        AND group_name = 'g'
                    """)
        }
        #expect(guids == ["c", "d", "e", "b", "a"])
        try database.close()
    }

    /// Earlier versions kept outcomes of removed users, and did not list devices.
    @Test func devicesAreListedAndOutcomesOfNobodyDeleted() async throws {
        let old = try OldFile(upTo: "14 stamps, names, expiring outcomes")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO environments (id, name, instance, version)
                        VALUES (1, 'test', 'i', 1);
                    INSERT INTO versions (id, environment, digest, source, deployed_at)
                        VALUES (1, 1, 'd', x'', 0);
                    INSERT INTO users VALUES (1, 'ann', 'users', '', 0, 'h');
                    INSERT INTO sessions VALUES (x'01', 1, 'ann', 'mobile', 'phone', 9);
                    INSERT INTO outcomes VALUES (1, 'ann', 'phone', 'c', '{}', 0),
                        (1, 'ann', 'tablet', 'c', '{}', 0), (1, 'ben', 'phone', 'c', '{}', 0);
                    INSERT INTO failed_sign_ins VALUES (1, 'ann', 7, 0);
                    """)
        }

        let database = try old.opened()
        let devices = try await database.read { db in
            try String.fetchAll(
                db,
                sql: """
                    SELECT login || ' ' || device_identifier FROM devices
                    WHERE signed_in_at > 1700000000000 ORDER BY 1
                    """)
        }
        #expect(devices == ["ann phone", "ann tablet"])
        let outcomes = try await database.read { db in
            try String.fetchAll(db, sql: "SELECT login FROM outcomes")
        }
        #expect(outcomes == ["ann", "ann"])
        try database.close()
    }

    /// Earlier versions stored the clock's time of the last change, which may repeat or go back.
    @Test func recordsGetUniqueStamps() async throws {
        let old = try OldFile(upTo: "13 records of an owner by creation")
        defer { withExtendedLifetime(old) {} }
        try await old.pool.write { db in
            try db.execute(
                sql: "INSERT INTO environments VALUES (1, 'test', 'i', 6, 1, 0, x'', 0, 0, 0)")
            try db.execute(
                sql: "INSERT INTO versions VALUES (1, 1, 'one', x'31', 5, 'one', NULL)")
            for record in RecordBeforeStamps.all {
                try db.execute(
                    sql: """
                        INSERT INTO records
                        VALUES (?1, 1, ?2, 'Note', 'a', 'g', 1, 0, 0, '{}', ?3, 0, ?4, ?1)
                        """,
                    arguments: [record.sequence, record.guid, record.created, record.changedAt])
                guard let at = record.createdAt else { continue }
                try db.execute(
                    sql: """
                        INSERT INTO history
                        VALUES (NULL, 1, ?, 1, 'created', 'c', 'a', 'd', 'i', ?, 0, '{}', 1, ?)
                        """, arguments: [record.guid, at, record.sequence])
            }
        }

        let database = try old.opened()
        let stamps = try await database.read { db in
            try String.fetchAll(db, sql: RecordBeforeStamps.selection)
        }
        #expect(stamps == RecordBeforeStamps.stamps)
        let last = try await database.read { db in
            try Int64.fetchOne(db, sql: "SELECT last_stamp FROM environments")
        }
        #expect(last == 200)
        try database.close()
    }

    /// Earlier versions had the fields in the middle of a row.
    @Test func recordsKeepAllColumns() async throws {
        let old = try OldFile(upTo: "34 names that versions follow back")
        defer { withExtendedLifetime(old) {} }
        let names = """
            place, environment, guid, model, owner, group_name, revision, is_deleted,
            is_conflicted, created, moved, changed_at, origin, created_at, fields
            """
        try await old.pool.write { db in
            try db.execute(
                sql: """
                    INSERT INTO records (\(names)) VALUES
                        (9, 1, 'g', 'Note', 'a', 'h', 2, 1, 0, 3, 4, 5, 6, 7, '{"f":1}'),
                        (8, 2, 'g', 'Film', 'b', 'i', 1, 0, 1, 13, 14, 15, 16, 17, '{}')
                    """)
        }

        let database = try old.opened()
        let (rows, columns) = try await database.read { db in
            (
                try Row.fetchAll(db, sql: "SELECT \(names) FROM records ORDER BY place")
                    .map { $0.databaseValues.map { "\($0)" }.joined(separator: " ") },
                try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('records')")
            )
        }
        #expect(
            rows == [
                #"8 2 "g" "Film" "b" "i" 1 0 1 13 14 15 16 17 "{}""#,
                #"9 1 "g" "Note" "a" "h" 2 1 0 3 4 5 6 7 "{\"f\":1}""#,
            ])
        #expect(columns.last == "fields")
        try database.close()
    }
}

/// A database file of an earlier version, removed with the last reference.
private final class OldFile: Sendable {
    private let folder: URL
    private let path: String
    let pool: DatabasePool

    init(upTo migration: String) throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        path = folder.appending(path: "old.sqlite").path
        pool = try DatabasePool(path: path)
        try SQLiteSchema.migrator.migrate(pool, upTo: migration)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Opens it with the current version.
    func opened() throws -> SQLiteDatabase {
        try pool.close()
        return try SQLiteDatabase(path: path)
    }
}
