import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// On full disks and with read-only or damaged files, the server answers with a clear error and
/// does not crash. Data that was confirmed before is there when the file is usable again.
@Suite(.serialized, .timeLimit(.minutes(5)), .withAFile) struct DamageTests {
    private let model = "ConflictsEntity"

    // MARK: - A full disk

    private func creations(_ count: Int) -> [ChangeMessage] {
        let title = String(repeating: "all work and no play ", count: 10)
        return (0..<count).map { _ in .create(fresh(), of: model, ["title": .string(title)]) }
    }

    @Test func fullDiskIsReportedAndNothingIsLost() async throws {
        let site = try await Site(prepared: "Conflicts")
        var server = try await RunningServer(site: site, under: limited(toKiB: 512))
        let a = try server.client("a")
        var stored: Set<String> = []
        var refused: [ChangeMessage] = []
        while refused.isEmpty {
            let changes = creations(20)
            let answer = try await a.ask(SyncRequest(limit: 1, changes: changes))
            if answer.status == 200 {
                stored.formUnion(changes.map(\.guid))
                try #require(stored.count < 2000, "the disk is never full")
            } else {
                #expect(answer.status == 507)
                let error = try answer.error()
                #expect(error.code == "outOfSpace" && error.message.contains("disk is full"))
                refused = changes
            }
        }
        // Reading still works, and the log has the reason of the failure.
        #expect(Set(try await a.records().map(\.guid)) == stored && !stored.isEmpty)
        #expect(try server.log().contains("the disk is full, or a quota"))
        #expect(await server.stop() == 0)

        server = try await RunningServer(site: site)
        let again = try server.client("a")
        #expect(Set(try await again.records().map(\.guid)) == stored)
        let outcomes = try await again.sync(refused, limit: 1).outcomes
        #expect(outcomes.allSatisfy { $0.outcome == .accepted && $0.revision == 1 })
        #expect(try await site.isIntact())
    }

    /// Confirmed changes then remain in the write-ahead log beside the database.
    @Test func serverThatStopsOnFullDiskReportsItAndLosesNothing() async throws {
        let site = try await Site(prepared: "Conflicts")
        var server = try await RunningServer(site: site)
        _ = try await server.client("a").sync(creations(1000))
        #expect(await server.stop() == 0)

        server = try await RunningServer(site: site, under: limited(toKiB: 512))
        let guid = fresh()
        try await server.client("a").push(.create(guid, of: model, ["title": "Alien"]))
        #expect(await server.stop() == 3)
        #expect(try server.log().contains("is full, or takes no more\nhelp: make room on it"))

        server = try await RunningServer(site: site)
        #expect(try await server.client("a").record(guid).revision == 1)
        #expect(try await site.isIntact())
    }

    @Test func commandReportsFullDisk() async throws {
        let site = try await Site(prepared: "Conflicts")
        let before = try await site.sql("SELECT * FROM users ORDER BY login")
        let finished = try await site.run(
            ["user", "set-group", "a", "users"], under: limited(toKiB: 16))
        #expect(finished.exitCode == 3, "\(finished.errors)")
        #expect(finished.errors.contains("is full, or takes no more"), "\(finished.errors)")
        #expect(finished.errors.contains("\nhelp: make room on it"))
        #expect(try await site.sql("SELECT * FROM users ORDER BY login") == before)
        #expect(try await site.isIntact())
    }

    // MARK: - No right to write

    /// Root ignores file permissions unless its capabilities are dropped.
    private var boundByRights: [String] {
        geteuid() == 0 ? ["setpriv", "--bounding-set=-dac_override,-dac_read_search"] : []
    }

    @Test(arguments: [(file: 0o444, folder: 0o755), (file: 0o644, folder: 0o555)])
    func readOnlyDatabaseIsReportedAndUnchanged(file: Int, folder: Int) async throws {
        let original = try await Site(prepared: "Conflicts")
        let data = original.folder.path("data")
        try FileManager.default.createDirectory(
            atPath: data, withIntermediateDirectories: false)
        let site = original.keeping(in: data + "/app.sqlite")
        try FileManager.default.moveItem(atPath: original.database, toPath: site.database)
        let bytes = try site.folder.bytes(of: "data/app.sqlite")
        try setMode(file, of: site.database)
        try setMode(folder, of: data)
        defer { try? setMode(0o755, of: data) }
        let commands = [
            ["serve", site.definition, "--port", "0"], ["deploy", site.definition],
            ["user", "list"], ["user", "remove", "a"],
        ]
        for command in commands {
            let finished = try await site.run(command, under: boundByRights)
            #expect(finished.exitCode == 3, "\(command) \(finished.errors)")
            #expect(finished.errors.contains("'\(site.database)' cannot be used"))
            #expect(
                finished.errors.contains("cannot be written\nhelp: let the user that runs waggle"))
        }
        #expect(try site.folder.bytes(of: "data/app.sqlite") == bytes)
        try setMode(0o755, of: data)
        try setMode(0o644, of: site.database)
        let server = try await RunningServer(site: site)
        try await server.client("a").push(.create(fresh(), of: model, ["title": "Alien"]))
    }

    @Test(arguments: ["", "-wal", "-shm"])
    func readOnlyFilesOfKilledServerAreReported(suffix: String) async throws {
        let site = try await Site(prepared: "Conflicts")
        let guid = fresh()
        var server = try await RunningServer(site: site)
        try await server.client("a").push(.create(guid, of: model, ["title": "Alien"]))
        await server.crash()
        try setMode(0o444, of: site.database + suffix)
        let finished = try await site.run(
            ["serve", site.definition, "--port", "0"], under: boundByRights)
        #expect(finished.exitCode == 3 && finished.output == "", "\(finished.errors)")
        #expect(finished.errors.contains("cannot be written\nhelp: let the user that runs waggle"))
        #expect(finished.errors.contains("app.sqlite\(suffix)'"))

        try setMode(0o644, of: site.database + suffix)
        server = try await RunningServer(site: site)
        #expect(try await server.client("a").record(guid).revision == 1)
    }

    private func setMode(_ mode: Int, of path: String) throws {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
    }

    // MARK: - Damage

    @Test(arguments: [4096 * 7, 4096 * 12 + 100, 90])
    func fileThatIsCutOffIsRefusedAndLeftAsItIs(bytes count: Int) async throws {
        let site = try await Site(prepared: "Conflicts")
        let cut = try site.folder.bytes(of: "app.sqlite").prefix(count)
        try #require(cut.count == count)
        try cut.write(to: URL(fileURLWithPath: site.database))
        for command in [["serve", site.definition, "--port", "0"], ["user", "list"]] {
            let finished = try await site.run(command)
            #expect(finished.exitCode == 3 && finished.output == "", "\(finished.errors)")
            #expect(finished.errors.contains("the file is damaged"), "\(finished.errors)")
            #expect(finished.errors.contains("put a backup in their place"))
        }
        #expect(try site.folder.bytes(of: "app.sqlite") == cut)
    }

    /// Everything that can be served is served. Other requests get an error upon which clients keep
    /// their changes.
    @Test(arguments: [
        (table: "environments", push: nil, pull: nil, signIn: nil),
        (table: "sessions", push: 503, pull: 503, signIn: 503),
        (table: "failed_sign_ins", push: 200, pull: 200, signIn: 503),
        (table: "records", push: 503, pull: 503, signIn: 201),
        (table: "history", push: 503, pull: 200, signIn: 201),
        (table: "outcomes", push: 503, pull: 200, signIn: 201),
    ])
    func fileWithDamagedPageIsRefusedWhereItMatters(
        table: String, push: Int?, pull: Int?, signIn: Int?
    ) async throws {
        let site = try await Site(prepared: "Conflicts")
        let page = try await site.sql(
            "SELECT rootpage FROM sqlite_master WHERE name = '\(table)'")
        try site.overwrite(from: (try #require(Int(page)) - 1) * 4096, count: 4096)
        guard let push, let pull, let signIn else {
            let finished = try await site.run(["serve", site.definition, "--port", "0"])
            #expect(finished.exitCode == 3 && finished.output == "")
            #expect(finished.errors.contains("the file is damaged"), "\(finished.errors)")
            #expect(finished.errors.contains("put a backup in their place"))
            return
        }
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        let change = ChangeMessage.create(fresh(), of: model, ["title": "Alien"])
        let answers = [
            ("push", push, try await a.ask(SyncRequest(changes: [change]))),
            ("pull", pull, try await a.ask(SyncRequest())),
            ("sign in", signIn, try await server.askToSignIn("a", device: "other")),
        ]
        for (what, status, answer) in answers {
            #expect(answer.status == status, "\(what): \(answer.text)")
            guard answer.status == 503 else { continue }
            #expect(try answer.error().code == "databaseUnusable")
            #expect(!answer.text.contains("malformed"), "that is for the log")
        }
        #expect(server.isRunning)
        let log = try server.log()
        #expect(log.contains("the file is damaged") == answers.contains { $0.2.status == 503 })
    }

    /// Any damage leads to an answer or an error.
    @Test(arguments: UInt64(0)..<16)
    func noDamageEndsServer(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        let site = try await Site(prepared: "Conflicts")
        let size = try site.folder.bytes(of: "app.sqlite").count
        for _ in 0..<random.number(in: 1...6) {
            try site.overwrite(
                from: random.number(in: 4096..<size - 300), count: random.number(in: 1...300))
        }
        let started = try? await RunningServer(site: site)
        guard let server = started else {
            let finished = try await site.run(["serve", site.definition, "--port", "0"])
            // Damage may also look like valid input, such as another definition, which gives 1.
            #expect([1, 3].contains(finished.exitCode), "\(finished.errors)")
            #expect(finished.errors.hasPrefix("error: "), "\(finished.errors)")
            return
        }
        let a = try server.client("a")
        for request in [
            SyncRequest(changes: [.create(fresh(), of: model, ["title": "Alien"])]), SyncRequest(),
        ] {
            let answer = try await a.ask(request)
            if answer.status != 200 { #expect(try !answer.error().help.isEmpty) }
        }
        let exitCode = await server.stop()
        let log = try server.log()
        #expect([0, 3].contains(exitCode), "\(log)")
    }

    @Test func damagedLogIsRefusedAndLeftAsItIs() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        var guids: Set<String> = []
        for _ in 0..<10 {
            guids.insert(fresh())
        }
        for guid in guids {
            try await server.client("a").push(.create(guid, of: model, ["title": "Alien"]))
        }
        await server.crash()
        let database = try site.folder.bytes(of: "app.sqlite")
        let log = try site.folder.bytes(of: "app.sqlite-wal")
        try site.overwrite(from: log.count / 2, count: 500, in: "app.sqlite-wal")
        let damaged = try site.folder.bytes(of: "app.sqlite-wal")
        for command in [["serve", site.definition, "--port", "0"], ["user", "list"]] {
            let finished = try await site.run(command)
            #expect(finished.exitCode == 3, "\(finished.errors)")
            #expect(
                finished.errors.contains(/app.sqlite-wal' is damaged, at least \d+ commits/),
                "\(finished.errors)")
            #expect(finished.errors.contains("put a backup in their place; or give up"))
            #expect(
                finished.errors.contains(
                    "sqlite3 '\(site.database)' 'PRAGMA wal_checkpoint(TRUNCATE)'"))
        }
        #expect(try site.folder.bytes(of: "app.sqlite") == database)
        #expect(try site.folder.bytes(of: "app.sqlite-wal") == damaged)

        try await site.sql("PRAGMA wal_checkpoint(TRUNCATE)")
        var again = try await RunningServer(site: site)
        let rest = Set(try await again.client("a").records().map(\.guid))
        #expect(rest.isStrictSubset(of: guids), "what was advised gives up the rest")
        await again.stop()

        try site.folder.write(database, to: "app.sqlite")
        try site.folder.write(log, to: "app.sqlite-wal")
        try FileManager.default.removeItem(atPath: site.database + "-shm")
        again = try await RunningServer(site: site)
        #expect(Set(try await again.client("a").records().map(\.guid)) == guids)
    }
}

/// Limits the size of files that the process may write, in KiB; the system then reports errors as
/// on a full disk.
func limited(toKiB size: Int) -> [String] {
    ["/bin/sh", "-c", "ulimit -f \(size * 2) && exec \"$0\" \"$@\""]
}

extension Site {
    fileprivate func run(
        _ arguments: [String], under command: [String] = []
    ) async throws -> Finished {
        try await Program(
            path: "/usr/bin/env",
            arguments: command + [Tool.path] + arguments + ["--database", database],
            folder: folder
        ).run()
    }

    /// Overwrites with bytes that form no valid structure.
    fileprivate func overwrite(
        from start: Int, count: Int, in name: String = "app.sqlite"
    ) throws {
        var bytes = try folder.bytes(of: name)
        try #require(start + count <= bytes.count)
        bytes.replaceSubrange(start..<start + count, with: Data(repeating: 0xa5, count: count))
        try folder.write(bytes, to: name)
    }
}
