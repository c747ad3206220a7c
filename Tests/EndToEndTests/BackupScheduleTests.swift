import Foundation
import JSON
import SyncProtocol
import Testing

/// Regular backups of a running server.
@Suite(.serialized, .timeLimit(.minutes(5))) struct BackupScheduleTests {
    private let site: Site
    private let folder: String

    init() async throws {
        site = try await Site(prepared: "Conflicts")
        folder = site.folder.path("backups")
    }

    private func server(_ arguments: String...) async throws -> RunningServer {
        try await RunningServer(
            site: site, processes: 1,
            arguments: ["--backup-folder", folder, "--metrics-port", "0"] + arguments)
    }

    private func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    @Test func firstBackupIsMadeAtOnceAndCanBeRestored() async throws {
        let server = try await server()
        let line = try await server.line("backed up")
        #expect(line.contains(#""environments":"test""#) && line.contains(#""records":"0""#))
        let name = try #require(try names().first)
        #expect(name.wholeMatch(of: /waggle-\d{8}T\d{6}Z\.sqlite/) != nil, "\(name)")
        #expect(try names().count == 1)
        let text = try await server.metrics()
        #expect(text.contains(/\nwaggle_last_backup_seconds \d{10}/))
        #expect(await server.stop() == 0)
        let place = site.keeping(in: site.folder.path("restored.sqlite"))
        let restored = try await place.waggle("restore", "\(folder)/\(name)")
        #expect(restored.exitCode == 0, "\(restored.errors)")
    }

    @Test func recentBackupIsWaitedFor() async throws {
        let first = try await server()
        try await first.line("backed up")
        #expect(await first.stop() == 0)
        let before = try names()
        let second = try await server()
        var text = try await second.metrics()
        while !text.contains(/\nwaggle_last_backup_seconds \d{10}/), second.isRunning {
            text = try await second.metrics()
        }
        #expect(await second.stop() == 0)
        #expect(try names() == before)
    }

    @Test func onlyTheLatestAreKept() async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let old = ["waggle-20200101T000000Z.sqlite", "waggle-20200102T000000Z.sqlite"]
        let others = ["notes.txt", "waggle-yesterday.sqlite"]
        for name in old + others + ["waggle-20200103T000000Z.sqlite.partial"] {
            try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(old[0]).files", withIntermediateDirectories: true)
        let orphan = "waggle-20200104T000000Z.sqlite.files"
        try FileManager.default.createDirectory(
            atPath: "\(folder)/\(orphan)", withIntermediateDirectories: true)
        let server = try await server("--backup-keep", "2")
        try await server.line("removed old backups")
        #expect(await server.stop() == 0)
        let left = try names()
        #expect(left.count == 4, "\(left)")
        #expect(left.contains(old[1]) && !left.contains(old[0]))
        #expect(Set(others).isSubset(of: left))
    }

    /// A clock was wrong when it was made.
    @Test func backupOfFutureDoesNotCount() async throws {
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        let future = "waggle-20990101T000000Z.sqlite"
        let old = "waggle-20200101T000000Z.sqlite"
        for name in [future, old] {
            try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
        let server = try await server("--backup-keep", "1")
        let warning = try await server.line(
            "backups are dated later than now, and count as not there")
        #expect(warning.contains(#""level":"warning""#) && warning.contains(future))
        try await server.line("removed old backups")
        #expect(await server.stop() == 0)
        let left = try names()
        #expect(left.count == 2 && left.contains(future) && !left.contains(old), "\(left)")
    }

    /// Nothing can be moved to a link that leads nowhere, which counts as a free name at first.
    @Test(.withAFile) func backupThatFailsAtItsEndLeavesNothing() async throws {
        let dates = try await Site(prepared: "Dates")
        let server = try await RunningServer(site: dates, processes: 1)
        #expect(try await server.client("a").put(fresh(), someBytes(1000)).status == 201)
        await server.stop()
        let path = dates.folder.path("backup.sqlite")
        try FileManager.default.createSymbolicLink(
            atPath: path, withDestinationPath: dates.folder.path("nowhere"))
        let finished = try await dates.waggle("backup", path)
        #expect(finished.exitCode == 3, "\(finished.errors)")
        #expect(finished.errors.contains("cannot be written"), "\(finished.errors)")
        let left = try FileManager.default.contentsOfDirectory(atPath: dates.folder.path)
            .filter { $0.hasPrefix("backup.sqlite") }
        #expect(left == ["backup.sqlite"], "\(left)")
    }

    /// The contents would be missing in the next attempt too, so the backup is as good as it gets.
    @Test(.withAFile) func backupWithoutLostContentsIsKeptAndTellsOfThem() async throws {
        let dates = try await Site(prepared: "Dates")
        let folder = dates.folder.path("backups")
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let old = "waggle-20200101T000000Z.sqlite"
        try Data("x".utf8).write(to: URL(filePath: "\(folder)/\(old)"))
        let first = try await RunningServer(site: dates, processes: 1)
        let (file, bytes) = (fresh(), someBytes(1000))
        let a = try first.client("a")
        #expect(try await a.put(file, bytes).status == 201)
        let picture: JSONValue = .object(["guid": .string(file), "filename": "a.png"])
        try await a.push(
            .create(
                fresh(), of: "Occasion",
                [
                    "kind": "holiday", "name": "0", "date": 1_767_225_600_000,
                    "picture": picture,
                ]))
        await first.stop()
        let hash = hex(of: bytes)
        try FileManager.default.removeItem(
            atPath: dates.folder.path("app.sqlite.files/\(hash.prefix(2))/\(hash)"))
        let second = try await RunningServer(
            site: dates, processes: 1,
            arguments: ["--backup-folder", folder, "--backup-keep", "1", "--metrics-port", "0"])
        let line = try await second.line("a backup lacks contents of files")
        #expect(line.contains(#""level":"error""#) && line.contains(file), "\(line)")
        #expect(try await second.metrics().contains("\nwaggle_failed_backups_total 1\n"))
        #expect(await second.stop() == 0)
        #expect(try !second.log().contains("a backup failed"))
        let left = try FileManager.default.contentsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".sqlite") }
        #expect(left.count == 1 && left != [old], "\(left)")
    }

    @Test func failureIsLoggedAndCounted() async throws {
        // A folder in the place of every file that is not there yet.
        let server = try await RunningServer(
            site: site, processes: 1,
            arguments: ["--backup-folder", "/proc/self/task", "--metrics-port", "0"])
        let line = try await server.line("a backup failed")
        #expect(line.contains(#""level":"error""#) && line.contains("cannot be written"))
        #expect(try await server.metrics().contains("\nwaggle_failed_backups_total 1\n"))
        #expect(try await server.request("GET", "/health").status == 200)
    }

    @Test func folderThatCannotBeMadeIsReportedAtStart() async throws {
        let file = try site.folder.write("x", to: "file")
        let finished = try await site.waggle(
            "serve", site.definition, "--port", "0", "--backup-folder", file + "/backups")
        #expect(finished.exitCode == 3)
        #expect(finished.errors.contains("no backups can be written to"), "\(finished.errors)")
    }
}
