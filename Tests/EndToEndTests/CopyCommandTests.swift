import Foundation
import JSON
import SyncProtocol
import Synchronization
import TestKit
import Testing
import Waggle

@testable import KilledDevice

@Suite("An environment moves from one kind of database to the other", .timeLimit(.minutes(10)))
struct CopyCommandTests {
    private let model = "Occasion"

    private func occasion(_ name: String, picture: String? = nil) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "kind": "holiday", "name": .string(name), "date": 1_767_225_600_000,
        ]
        if let picture {
            fields["picture"] = .object(["guid": .string(picture), "filename": "a.png"])
        }
        return fields
    }

    private func copy(
        _ site: Site, to place: SiteDatabase, _ more: String...
    ) async throws -> Finished {
        try await Tool.run(
            ["copy", "--from", site.database, "--to", place.address] + more, in: site.folder)
    }

    /// In both directions.
    @Test func clientsGoOnAsIfNothingHadHappened() async throws {
        var site = try await Site(prepared: "Dates")
        var server = try await RunningServer(site: site)
        let (guid, file, bytes) = (fresh(), fresh(), someBytes(700_000))
        #expect(try await server.client("a").put(file, bytes).status == 201)
        let creation = ChangeMessage.create(guid, of: model, occasion("0", picture: file))
        let outcome = try await server.client("a").push(creation)
        var seen = try await server.client("a").everythingSeen()
        try await OriginalClient("a", of: server).synchronize()
        for (number, backend) in [Backend.current.other, .current].enumerated() {
            await server.stop()
            let place = try SiteDatabase.make(
                backend, in: site.folder, named: "\(number + 1).sqlite")
            let copied = try await copy(site, to: place)
            #expect(copied.exitCode == 0, "\(copied.errors)")
            #expect(copied.errors.contains("1 record and 1 file; new:"))
            #expect(copied.errors.contains("counts and checksums agree"))
            site = site.keeping(in: place)
            server = try await RunningServer(
                site: site, processes: backend == .sqlite ? 1 : Backend.servers)
            let a = try server.client("a")
            let news = try await a.sync(cursor: seen)
            #expect(news.records.isEmpty && news.resync != true, "the cursor is one of its own")
            #expect(try await a.push(creation) == outcome, "what was answered is remembered")
            #expect(try await a.get(file).body == bytes)
            let base = try await a.record(guid).revision
            let update = ChangeMessage.update(
                guid, of: model, from: base, ["name": .string("\(number)!")])
            #expect(try await a.push(update).outcome == .accepted)
            let delivery = try await OriginalClient("a", of: server).synchronize()
            #expect(delivery.lines.map { $0["name"] } == ["\(number)!"])
            seen = try await a.everythingSeen()
        }
        #expect(await server.stop() == 0)
    }

    /// Most of the copy is made while servers run.
    @Test func preparedCopyTransfersOnlyTheRest() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        for number in 0..<20 {
            _ = try await a.sync((0..<50).map { film("\(number) \($0)") })
        }
        let place = try SiteDatabase.make(
            Backend.current.other, in: site.folder, named: "next.sqlite")
        let prepared = try await copy(site, to: place, "--prepare")
        #expect(prepared.exitCode == 0, "\(prepared.errors)")
        #expect(prepared.errors.contains(/prepared 'test' in .*: 1000 records/))
        let next = site.keeping(in: place)
        let early = try await next.waggle("user", "list")
        #expect(early.errors.contains("has no environment 'test'"), "it is none yet")
        try await a.push(film("after"))
        let copied = try await copy(site, to: place)
        #expect(copied.errors.contains(/copied 'test' to 'test' in .*: 1001 records/))
        let counts = try #require(copied.errors.firstMatch(of: /(\d+) of (\d+) rows/))
        let (new, all) = (Int(counts.1) ?? .max, Int(counts.2) ?? 0)
        #expect(new < all && all > 3000, "\(copied.errors)")
        try await a.push(film("too late"))
        let again = try await copy(site, to: place, "--as", "later")
        #expect(again.exitCode == 0, "\(again.errors)")
        #expect(await server.stop() == 0)
        let moved = try await RunningServer(site: next, processes: 1)
        #expect(try await moved.client("a").records().count == 1001)
    }

    private func film(_ title: String) -> ChangeMessage {
        .create(fresh(), of: "ConflictsEntity", ["title": .string(title)])
    }

    /// All other contents are copied and usable.
    @Test(.withAFile) func contentsThatSourceHasLostAreNamed() async throws {
        let site = try await Site(prepared: "Dates")
        let server = try await RunningServer(site: site)
        let (file, bytes) = (fresh(), someBytes(1000))
        let a = try server.client("a")
        #expect(try await a.put(file, bytes).status == 201)
        try await a.push(.create(fresh(), of: model, occasion("0", picture: file)))
        await server.stop()
        let hash = hex(of: bytes)
        try FileManager.default.removeItem(
            atPath: site.folder.path("app.sqlite.files/\(hash.prefix(2))/\(hash)"))
        let place = try SiteDatabase.make(
            Backend.current.other, in: site.folder, named: "next.sqlite")
        let copied = try await copy(site, to: place)
        #expect(copied.exitCode == 1)
        #expect(copied.errors.contains("the contents of 1 file are missing or damaged"))
        #expect(copied.errors.contains(file))
        let moved = try await RunningServer(site: site.keeping(in: place), processes: 1)
        let next = try moved.client("a")
        #expect(try await next.records().count == 1)
        #expect(try await next.get(file).error().code == "fileAwaited")
    }

    @Test func copyThatIsKilledGoesOn() async throws {
        var random = SplitMix64(seed: 5)
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        for number in 0..<40 {
            _ = try await server.client("a").sync((0..<100).map { film("\(number) \($0)") })
        }
        #expect(await server.stop() == 0)
        let place = try SiteDatabase.make(
            Backend.current.other, in: site.folder, named: "next.sqlite")
        for _ in 0..<6 {
            let seconds = Double(random.number(in: 5..<80)) / 100
            _ = try await Program(
                path: "/usr/bin/env",
                arguments: [
                    "timeout", "--signal=KILL", "\(seconds)", Tool.path, "copy",
                    "--from", site.database, "--to", place.address, "--prepare",
                ], folder: site.folder
            ).run()
        }
        let copied = try await copy(site, to: place)
        #expect(copied.exitCode == 0, "\(copied.errors)")
        let ordered = "SELECT guid, revision, fields FROM records ORDER BY guid"
        #expect(try await site.keeping(in: place).sql(ordered) == site.sql(ordered))
    }

    @Test func refusedCopiesAreReported() async throws {
        let site = try await Site(prepared: "Conflicts")
        let place = try SiteDatabase.make(
            Backend.current.other, in: site.folder, named: "next.sqlite")
        let unknown = try await copy(site, to: place, "--environment", "production")
        #expect(unknown.exitCode == 1)
        #expect(unknown.errors.contains("has no environment 'production'"))
        #expect(try await copy(site, to: place).exitCode == 0)
        let taken = try await copy(site, to: place)
        #expect(taken.exitCode == 1)
        #expect(taken.errors.contains("has an environment 'test' already"))
        #expect(taken.errors.contains("nothing was changed"))
        let itself = try await copy(site, to: .file(site.database))
        #expect(itself.exitCode == (Backend.current == .sqlite ? 2 : itself.exitCode))
        let unnamed = try await copy(site, to: place, "--as", "two words")
        #expect(unnamed.exitCode == 2)
        #expect(unnamed.errors.contains("'two words' is not a valid name for an environment"))
        let nowhere = try await copy(site, to: .file("/nowhere/at/all.sqlite"))
        #expect(nowhere.exitCode == 3, "\(nowhere.errors)")
        #expect(nowhere.errors.contains("'/nowhere/at/all.sqlite'"))
    }
}

@Suite("A database is backed up while it is served, and restored", .timeLimit(.minutes(10)))
struct BackupTests {
    private func film(_ title: String) -> ChangeMessage {
        .create(fresh(), of: "ConflictsEntity", ["title": .string(title)])
    }

    /// A backup contains a prefix of the sequential changes of one user, each complete.
    @Test(arguments: [Backend.sqlite, .postgres])
    func backupIsOfOneMoment(restoredTo backend: Backend) async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let path = site.folder.path("backup.sqlite")
        for number in 0..<20 { try await pushPair(number, server) }
        let isBackedUp = Mutex(false)
        // Ended by a flag instead of cancellation. If a task is cancelled just when Foundation's
        // client has an answer, the two can deadlock.
        async let writing: Void = {
            var number = 20
            while !isBackedUp.withLock({ $0 }) {
                try await pushPair(number, server)
                number += 1
            }
        }()
        let backup = try await site.waggle("backup", path)
        isBackedUp.withLock { $0 = true }
        try await writing
        #expect(backup.exitCode == 0, "\(backup.errors)")
        #expect(backup.errors.contains(/backed up 'test' to .*backup.sqlite: \d+ records/))
        #expect(await server.stop() == 0)
        let place = try SiteDatabase.make(backend, in: site.folder, named: "restored.sqlite")
        let restored = site.keeping(in: place)
        let done = try await restored.waggle("restore", path)
        #expect(done.exitCode == 0, "\(done.errors)")
        let again = try await RunningServer(site: restored, processes: 1)
        let session = try await again.signIn("a")
        let a = Client(server: again, token: session.token)
        let titles = try await a.records().compactMap(\.fields?["title"])
        let numbers = (0..<titles.count / 2).map { JSONValue.string("\($0)") }
        #expect(numbers.count >= 20 && titles.count == numbers.count * 2)
        #expect(Set(titles) == Set(numbers))
    }

    private func pushPair(_ number: Int, _ server: RunningServer) async throws {
        _ = try await server.client("a").sync([film("\(number)"), film("\(number)")])
    }

    /// Devices with later states start over, and send their unsent changes.
    @Test func devicesSyncWithRestoredDatabase() async throws {
        let site = try await Site.withFiles()
        let server = try await RunningServer(site: site)
        let proxy = try CuttingProxy(to: server.port)
        let device = try await device(in: site, proxy)
        try await device.save(PermissionsEntity(title: "before"))
        try await device.sync()
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        try await device.save(PermissionsEntity(title: "after"))
        try await device.sync()
        try await device.save(PermissionsEntity(title: "unsent"))
        let late = try await server.client("a").everythingSeen()
        await server.stop()

        let restored = site.keeping(in: site.folder.path("restored.sqlite"))
        #expect(try await restored.waggle("restore", path).exitCode == 0)
        let again = try await RunningServer(site: restored, processes: 1)
        // As many changes as the restored state lacks.
        let session = try await again.signIn("b")
        let b = Client(server: again, token: session.token)
        try await b.push(.create(fresh(), of: "PermissionsEntity", ["title": "of another"]))
        #expect(try await again.client("a").ask(SyncRequest()).status == 401)
        let stale = try await b.ask(SyncRequest(cursor: late))
        #expect(try stale.error().code == "cursorUnreadable")
        proxy.goOn(to: again.port)
        await #expect(throws: SyncFailure.self) { try await device.sync() }
        try await device.logIn("a", password: PreparedDatabase.password(of: "a"))
        try await device.sync()
        let titles = try await device.list(PermissionsEntity.self).map(\.title)
        #expect(Set(titles) == ["before", "unsent", "of another"])
        #expect(try await b.records().count == 3)
    }

    @Test func nothingIsEverWrittenOver() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        let written = try site.folder.bytes(of: "backup.sqlite")
        let second = try await site.waggle("backup", path)
        #expect(second.exitCode == 1 && second.errors.contains("already exists"))
        #expect(try site.folder.bytes(of: "backup.sqlite") == written)
        let over = try await site.waggle("restore", path)
        #expect(over.exitCode == 1, "\(over.errors)")
        #expect(over.errors.contains("has an environment 'test' already"))
        let beside = try await site.waggle(
            "restore", path, "--environment", "test", "--as", "yesterday")
        #expect(beside.exitCode == 0, "\(beside.errors)")
        let users = try await site.waggle("user", "list", "--environment", "yesterday")
        #expect(users.output.contains("a "), "\(users.output)")
        let unclear = try await site.waggle("restore", path, "--as", "x")
        #expect(unclear.exitCode == 2 && unclear.errors.contains("--as goes with one"))
    }

    @Test func onlyItsOwnerMayReadBackup() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let left = try FileManager.default.contentsOfDirectory(atPath: site.folder.path(""))
        #expect(!left.contains { $0.contains("partial") }, "\(left)")
    }

    @Test func nextBackupReplacesInterruptedOne() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = site.folder.path("backup.sqlite")
        try site.folder.write("what was left", to: "backup.sqlite.partial")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        let place = site.keeping(in: site.folder.path("restored.sqlite"))
        #expect(try await place.waggle("restore", path).exitCode == 0)
    }

    /// As it was typed.
    @Test func backupThatCannotBeWrittenSaysWhy() async throws {
        let site = try await Site(prepared: "Conflicts")
        try site.folder.write("x", to: "file")
        for (path, reason) in [
            ("/nowhere/at/all.sqlite", "no such file or directory"),
            (site.folder.path("file/all.sqlite"), "not a directory"),
        ] {
            let finished = try await site.waggle("backup", path)
            #expect(finished.exitCode == 3, "\(finished.errors)")
            #expect(
                finished.errors == "error: '\(path)' cannot be written: \(reason)\n"
                    + "help: name a folder that exists and that you may write to\n")
        }
    }

    private func leftovers(in site: Site) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: site.folder.path("."))
            .filter { $0.hasPrefix("failed.sqlite") }
    }

    @Test func backupThatFailsLeavesNothing() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = site.folder.path("failed.sqlite")
        let unknown = try await site.waggle("backup", path, "--environment", "nope")
        #expect(unknown.exitCode == 1 && unknown.errors.contains("has no environment 'nope'"))
        #expect(try leftovers(in: site) == [])
        let nowhere = site.keeping(in: site.folder.path("nowhere.sqlite"))
        #expect(try await nowhere.waggle("backup", path).exitCode == 1)
        #expect(try leftovers(in: site) == [])
    }

    /// Whenever it comes: before, during or after the work.
    @Test(arguments: [SIGINT, SIGTERM])
    func backupThatIsInterruptedLeavesAllOrNothing(signal: Int32) async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = site.folder.path("failed.sqlite")
        let process = try Program(
            path: Tool.path, arguments: ["backup", path, "--database", site.database],
            folder: site.folder
        ).process(writingTo: "backup.out", and: "backup.err")
        try process.run()
        while process.isRunning,
            !FileManager.default.fileExists(atPath: path + ".partial")
        {
            await Task.yield()
        }
        if process.isRunning { kill(process.processIdentifier, signal) }
        let code = await offloaded {
            process.waitUntilExit()
            return process.terminationStatus
        }
        #expect(try leftovers(in: site) == (code == 0 ? ["failed.sqlite"] : []))
    }
}

/// A device of `a`, which reaches the server through a proxy.
func device(in site: Site, _ proxy: CuttingProxy) async throws -> Waggle.Database {
    let compiled = try await Tool.run(["compile", site.definition], in: site.folder).output
    let address = try #require(URL(string: "http://127.0.0.1:\(proxy.port)"))
    let device = try Waggle.Database(
        try AppDefinition(json: compiled),
        Settings(
            mode: .test, server: address, deviceCategory: "mobile",
            folder: URL(filePath: site.folder.path("device"))))
    try await device.logIn("a", password: PreparedDatabase.password(of: "a"))
    return device
}
