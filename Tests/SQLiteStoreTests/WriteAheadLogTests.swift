import Foundation
import GRDB
import SyncEngine
import TestKit
import Testing

@testable import SQLiteStore

@Suite("Losses in the write-ahead log are detected")
struct WriteAheadLogTests {
    private static let commits = 12
    private static let frameBytes = 24 + 4096

    /// A database and its log after a crash, with one record per commit.
    private struct Left {
        let database: Data
        var log: Data

        var frames: Int { (log.count - 32) / frameBytes }

        /// The frames that end a transaction.
        var ends: [Int] {
            (0..<frames).filter { frame in
                log[(32 + frame * frameBytes + 4)...].prefix(4).contains { $0 != 0 }
            }
        }

        func open<Value>(_ body: (SQLiteDatabase, String) throws -> Value) throws -> Value {
            let folder = FileManager.default.temporaryDirectory
                .appending(path: "waggle-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let path = folder.appending(path: "left.sqlite").path
            try database.write(to: URL(filePath: path))
            try log.write(to: URL(filePath: path + "-wal"))
            do {
                let opened = try SQLiteDatabase(path: path)
                defer { try? opened.close() }
                return try body(opened, path)
            } catch {
                #expect(try Data(contentsOf: URL(filePath: path)) == database)
                #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
                throw error
            }
        }

        func guids() throws -> [String] {
            try open { opened, _ in
                try opened.pool.read { db in
                    #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
                    let all = "SELECT guid FROM records ORDER BY place"
                    let isThere = try db.tableExists("records")
                    return isThere ? try String.fetchAll(db, sql: all) : []
                }
            }
        }
    }

    private func left(checkpointAfter checkpoint: Int? = nil) async throws -> Left {
        let test = try TestDatabase()
        let environment = try await test.environment()
        for number in 0..<Self.commits {
            if number == checkpoint { try test.startLogOver() }
            try await test.database.write(WriteSet(records: [.test("\(number)")]), in: environment)
        }
        return Left(
            database: try Data(contentsOf: URL(filePath: test.path)),
            log: try Data(contentsOf: URL(filePath: test.path + "-wal")))
    }

    private let all = (0..<commits).map(String.init)

    @Test func completeLogIsRead() async throws {
        #expect(try await left().guids() == all)
    }

    /// Only the last commit may be incomplete; all others were confirmed.
    @Test func brokenByteBeforeLastCommitIsRefused() async throws {
        let whole = try await left()
        let ends = whole.ends
        for frame in 0..<whole.frames {
            var broken = whole
            broken.log[32 + frame * Self.frameBytes + 24 + 1000] ^= 1
            let behind = ends.count { $0 >= frame }
            if behind > 1 {
                expectRefusal("at least \(behind) commits") { try broken.guids() }
            } else {
                #expect(try broken.guids() == all.dropLast())
            }
        }
    }

    @Test func brokenHeaderIsRefused() async throws {
        let whole = try await left()
        for byte in 0..<32 {
            var broken = whole
            broken.log[byte] ^= 0x10
            expectRefusal("commits in it cannot be read") { try broken.guids() }
        }
    }

    @Test func overwrittenLogIsRefused() async throws {
        var broken = try await left()
        let middle = broken.log.count / 2
        broken.log.replaceSubrange(middle..<middle + 5000, with: Data(repeating: 0xa5, count: 5000))
        expectRefusal("commits in it cannot be read") { try broken.guids() }
    }

    /// As after a loss of power during a write.
    @Test func truncatedLogIsReadToItsEnd() async throws {
        let whole = try await left()
        let firstOfAll = whole.ends[whole.ends.count - Self.commits]
        for frame in stride(from: firstOfAll, to: whole.frames, by: 3) {
            for bytes in [0, 10, 24, 2000] {
                var cut = whole
                cut.log = whole.log.prefix(32 + frame * Self.frameBytes + bytes)
                let commits = whole.ends.count { $0 >= firstOfAll && $0 < frame }
                #expect(try cut.guids() == Array(all.prefix(commits)))
            }
        }
    }

    @Test func remainsOfEarlierLogAreIgnored() async throws {
        let restarted = try await left(checkpointAfter: Self.commits - 2)
        #expect(restarted.frames > restarted.ends.count { $0 > 0 } && restarted.ends.count > 4)
        #expect(try restarted.guids() == all)
    }

    @Test(arguments: [nil, Data()])
    func logWithoutItsDatabaseIsRefusedAndKept(database: Data?) async throws {
        let log = try await left().log
        let folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "left.sqlite").path
        try database?.write(to: URL(filePath: path))
        try log.write(to: URL(filePath: path + "-wal"))
        expectRefusal("missing or empty", remedy: .backup) { try SQLiteDatabase(path: path) }
        #expect(try Data(contentsOf: URL(filePath: path + "-wal")) == log)
    }

    /// Another process writes, checkpoints and restarts the log while this one opens the file.
    @Test func logThatIsBeingWrittenIsTaken() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let writing = Task {
            var number = 0
            while !Task.isCancelled {
                try await test.database.write(
                    WriteSet(records: [.test("\(number % 50)")]), in: environment)
                number += 1
                if number % 40 == 0 { try test.startLogOver() }
            }
        }
        for _ in 0..<300 { try checkWriteAheadLog(of: test.path) }
        writing.cancel()
        _ = await writing.result
    }

    /// A log that is being written may look damaged, but not twice in the same way.
    @Test func onlyDamageThatStaysIsDamage() throws {
        let damages = [3, 5, 9].map { LogDamage(salts: 1, brokenFrame: $0, lostCommits: 2) }
        var looks = damages
        try checkWriteAheadLog(of: "a") { _ in looks.isEmpty ? nil : looks.removeFirst() }
        looks = damages + damages.suffix(1)
        expectRefusal("'a-wal' is damaged, at least 2 commits") {
            try checkWriteAheadLog(of: "a") { _ in looks.isEmpty ? nil : looks.removeFirst() }
        }
    }

    private func expectRefusal<Value>(
        _ words: String, remedy: StoreRemedy = .backupOrShorterLog, _ open: () throws -> Value
    ) {
        do {
            _ = try open()
            Issue.record("it was taken, where '\(words)' was expected")
        } catch StoreError.unreadable(let text, let given) {
            #expect(text.contains(words) && given == remedy)
        } catch {
            Issue.record("\(error)")
        }
    }
}

extension TestDatabase {
    /// Checkpoints the log and restarts it.
    fileprivate func startLogOver() throws {
        try database.pool.writeWithoutTransaction { _ = try $0.checkpoint(.restart) }
    }
}
