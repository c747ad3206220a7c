import Foundation
import GRDB
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("The database file")
struct FileTests {
    @Test func commitHasReachedDiskWhenItIsAnswered() throws {
        let test = try TestDatabase()
        let (synchronous, journal) = try test.database.pool.writeWithoutTransaction { db in
            (
                try Int.fetchOne(db, sql: "PRAGMA synchronous"),
                try String.fetchOne(db, sql: "PRAGMA journal_mode")
            )
        }
        #expect(synchronous == 2, "2 is FULL")
        #expect(journal == "wal")
    }

    @Test func reopenedDatabaseHasEverything() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await test.database.write(WriteSet(records: [.test("g")]), in: environment)
        let again = try SQLiteDatabase(path: test.path)
        #expect(try await again.page(in: environment).records == [.test("g")])
        try again.close()
    }

    @Test func otherFilesAreRefusedUnchanged() throws {
        let test = try TestDatabase()
        let path = test.folder.appending(path: "other").path
        let text = String(repeating: "no database ", count: 100)
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        #expect(throws: StoreError.unreadable("the file is no SQLite database")) {
            try SQLiteDatabase(path: path)
        }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == text)
    }

    /// The state after a crash between the creation of the migrations table and the first
    /// migration.
    @Test(arguments: [
        (list: [String](), isTaken: true), (list: ["of another program"], isTaken: false),
    ])
    func databaseThatWasOnlyBegunIsGoneOnWith(list: [String], isTaken: Bool) throws {
        let test = try TestDatabase()
        let path = test.folder.appending(path: "begun").path
        let begun = try DatabaseQueue(path: path)
        try begun.write { db in
            try db.execute(
                sql: "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)")
            for name in list {
                try db.execute(sql: "INSERT INTO grdb_migrations VALUES (?)", arguments: [name])
            }
        }
        try begun.close()
        if isTaken {
            try SQLiteDatabase(path: path).close()
            try SQLiteDatabase(path: path).close()
        } else {
            #expect(
                throws: StoreError.unreadable("the file is a SQLite database of another program")
            ) { try SQLiteDatabase(path: path) }
        }
    }

    @Test func databaseOfAnotherProgramIsRefused() throws {
        let test = try TestDatabase()
        let path = test.folder.appending(path: "other").path
        try DatabaseQueue(path: path).write { try $0.execute(sql: "CREATE TABLE records (a)") }
        let bytes = try Data(contentsOf: URL(fileURLWithPath: path))
        #expect(
            throws: StoreError.unreadable("the file is a SQLite database of another program")
        ) {
            try SQLiteDatabase(path: path)
        }
        #expect(try Data(contentsOf: URL(fileURLWithPath: path)) == bytes)
    }

    @Test func databaseOfALaterVersionIsRefused() throws {
        let test = try TestDatabase()
        try test.database.pool.write { db in
            try db.execute(sql: "INSERT INTO grdb_migrations VALUES ('999 of the future')")
        }
        #expect(
            throws: StoreError.unreadable(
                "the file was written by a later version of waggle", remedy: .laterWaggle)
        ) {
            try SQLiteDatabase(path: test.path)
        }
    }

    @Test func folderThatIsNotThereIsRefused() {
        #expect(throws: StoreError.unreadable("the file cannot be opened or created")) {
            try SQLiteDatabase(path: "/nowhere/at/all.sqlite")
        }
    }

    @Test func whenItIsClosedEverythingIsInTheOneFile() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await test.database.write(WriteSet(records: [.test("g")]), in: environment)
        try test.database.close()
        let copy = test.folder.appending(path: "copy.sqlite")
        try FileManager.default.copyItem(atPath: test.path, toPath: copy.path)
        let again = try SQLiteDatabase(path: copy.path)
        #expect(try await again.page(in: environment).records == [.test("g")])
        try again.close()
        try again.close()
    }

    /// Large reads would otherwise delay the answer.
    @Test(.timeLimit(.minutes(1))) func healthDoesNotWaitForReadersOfPool() async throws {
        let test = try TestDatabase()
        let pool = test.database.pool
        let (begun, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        for _ in 0..<pool.configuration.maximumReaderCount {
            pool.asyncRead { _ in
                begun.signal()
                released.wait()
            }
            wait(for: begun)
        }
        try await test.database.checkHealth()
        for _ in 0..<pool.configuration.maximumReaderCount { released.signal() }
    }

    @Test func closedDatabaseIsNotHealthy() async throws {
        let test = try TestDatabase()
        try await test.database.checkHealth()
        try test.database.close()
        await #expect(throws: StoreError.self) { try await test.database.checkHealth() }
    }
}

private func wait(for semaphore: DispatchSemaphore) { semaphore.wait() }
