import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Copies, backups and sweeps run beside each other", .timeLimit(.minutes(10)))
struct SweepBesideCopyTests {
    private func occasion(_ guid: String, _ name: String, picture: String) -> ChangeMessage {
        .create(
            guid, of: "Occasion",
            [
                "kind": "holiday", "name": .string(name), "date": 1_767_225_600_000,
                "picture": .object(["guid": .string(picture), "filename": "a.png"]),
            ])
    }

    /// Runs the tool again whenever others kept the lock of the database for too long.
    private func run(_ site: Site, _ arguments: String...) async throws -> Finished {
        try await asked(
            { try await Tool.run(arguments + ["--database", site.database], in: site.folder) },
            until: { !$0.foundLock })
    }

    private func push(_ number: Int, _ client: Client) async throws -> (String, Data) {
        let (guid, file, bytes) = (fresh(), fresh(), someBytes(200_000 + number))
        #expect(try await client.put(file, bytes).status == 201)
        try await client.push(occasion(guid, "\(number)", picture: file))
        return (guid, bytes)
    }

    /// Records are deleted and purged with their files while backups of them are made.
    @Test func noBackupLacksContents() async throws {
        let site = try await Site(prepared: "Dates")
        let server = try await RunningServer(site: site)
        let client = try server.client("a")
        for number in 0..<4 {
            var guids: [String] = []
            for place in 0..<5 { guids.append(try await push(number * 5 + place, client).0) }
            let path = site.folder.path("\(number).sqlite")
            async let backup = run(site, "backup", path)
            for guid in guids {
                _ = try await client.syncOnceUnlocked([.delete(guid, of: "Occasion", from: 1)])
            }
            async let sweep = run(
                site, "sweep", "--keep-deleted-days", "0", "--keep-loose-file-days", "0")
            let (saved, swept) = (try await backup, try await sweep)
            #expect(saved.exitCode == 0, "\(saved.errors)")
            #expect(swept.exitCode == 0, "\(swept.errors)")
        }
        let last = try await site.waggle(
            "sweep", "--keep-deleted-days", "0", "--keep-loose-file-days", "0")
        #expect(last.exitCode == 0)
        #expect(try await site.blobs().isEmpty, "what was held is removed afterwards")
    }

    @Test func restoreBesideSweepsOfItsTargetIsWhole() async throws {
        let site = try await Site(prepared: "Dates")
        let server = try await RunningServer(site: site)
        let client = try server.client("a")
        var contents: [Data] = []
        for number in 0..<20 { contents.append(try await push(number, client).1) }
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        async let restored = run(
            site, "restore", path, "--environment", "test", "--as", "again")
        for _ in 0..<3 {
            let swept = try await run(site, "sweep", "--keep-loose-file-days", "0")
            #expect(swept.exitCode == 0, "\(swept.errors)")
        }
        let done = try await restored
        #expect(done.exitCode == 0, "\(done.errors)")
        let shown = try await site.waggle("environment", "show", "again", "--format", "json")
        #expect(shown.output.contains(#""records":20"#), "\(shown.output)")
    }

    /// The second would write to what the first has published.
    @Test func oneCopyToDatabaseAtATime() async throws {
        let site = try await Site(prepared: "Dates")
        let server = try await RunningServer(site: site)
        let client = try server.client("a")
        for number in 0..<10 { _ = try await push(number, client) }
        let path = site.folder.path("backup.sqlite")
        #expect(try await site.waggle("backup", path).exitCode == 0)
        let place = try SiteDatabase.make(in: site.folder, named: "target.sqlite")
        let target = site.keeping(in: place)
        let deployed = try await target.waggle(
            "deploy", site.definition, "--environment", "other")
        #expect(deployed.exitCode == 0, "\(deployed.errors)")
        let ends = try await withThrowingTaskGroup(of: Finished.self) { group in
            for _ in 0..<4 { group.addTask { try await run(target, "restore", path) } }
            return try await group.reduce(into: [Finished]()) { $0.append($1) }
        }
        #expect(ends.filter { $0.exitCode == 0 }.count == 1, "\(ends.map(\.errors))")
        for end in ends where end.exitCode != 0 {
            let isNamed =
                end.errors.contains("another copy to") || end.errors.contains("already")
            #expect(isNamed, "\(end.errors)")
        }
        let shown = try await target.waggle("environment", "show", "test", "--format", "json")
        #expect(shown.output.contains(#""records":10"#), "\(shown.output)")
    }
}
