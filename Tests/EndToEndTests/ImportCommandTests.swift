import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite("Records are imported and exported by the tool", .timeLimit(.minutes(10)))
struct ImportCommandTests {
    private func run(
        _ arguments: [String], on site: Site, input: String = ""
    ) async throws -> Finished {
        try await Tool.run(
            arguments + ["--database", site.database], input: input, in: site.folder)
    }

    private func film(_ title: String) -> ChangeMessage {
        .create(fresh(), of: "ConflictsEntity", ["title": .string(title)])
    }

    private func rows(_ count: Int) -> String {
        "title,score\n" + (1...count).map { "Film \($0),\(1 + $0 % 5)\n" }.joined()
    }

    @Test func trialReportsPlacesAndWritesNothing() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = try site.folder.write("title,score\nSolaris,5\n,4\nx,y\n", to: "f.csv")
        let arguments = ["import", path, "--model", "ConflictsEntity", "--owner", "a"]
        let trial = try await run(arguments + ["--dry-run"], on: site)
        #expect(trial.exitCode == 1)
        #expect(trial.errors.contains("f.csv:3:1: 'title' is required"))
        #expect(trial.errors.contains("f.csv:4:2: 'score' takes"))
        #expect(trial.errors.contains("would import: 1 created"))
        let nothing = try await run(["export"], on: site)
        #expect(nothing.exitCode == 0 && nothing.output.isEmpty)
        let done = try await run(arguments, on: site)
        #expect(done.exitCode == 1 && done.errors.contains("imported: 1 created"))
    }

    /// The number of outcomes that clients leave without acknowledging them is limited; those of
    /// imports are not. They are counted after 32,768 changes at the latest.
    @Test func anyNumberOfRowsIsImported() async throws {
        let site = try await Site(prepared: "Conflicts")
        try await site.sql(
            """
            INSERT INTO outcomes (environment, login, device_identifier, change_id, outcome,
                expires_at)
            WITH RECURSIVE numbers (number) AS (
                SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 500000)
            SELECT environments.id, 'operator import', 'import', CAST(number AS text), '{}',
                4000000000000
            FROM environments CROSS JOIN numbers
            """)
        let done = try await run(
            ["import", "-", "--format", "csv", "--model", "ConflictsEntity", "--owner", "a"],
            on: site, input: rows(33_000))
        #expect(done.exitCode == 0, "\(done.errors)")
    }

    @Test func unknownModelFieldAndColumnAreNamed() async throws {
        let site = try await Site(prepared: "Conflicts")
        let path = try site.folder.write("title\nSolaris\n", to: "f.csv")
        for command in [["import", path, "--owner", "a"], ["export"]] {
            for name in ["Film", "conflictsentity"] {
                let done = try await run(command + ["--model", name], on: site)
                #expect(done.exitCode == 1)
                #expect(done.errors.contains("error: the definition has no model '\(name)'\n"))
            }
        }
        let field = ["import", path, "--model", "ConflictsEntity", "--id-field", "titel"]
        let refused = try await run(field, on: site)
        #expect(refused.exitCode == 2 && refused.errors.contains("'titel'"), "\(refused.errors)")
        let header = try site.folder.write("titel", to: "header.csv")
        let none = try await run(["import", header, "--model", "ConflictsEntity"], on: site)
        #expect(none.exitCode == 1 && none.errors.contains("nothing was imported"))
        let azure = ["import", path, "--owner", "a", "--from", "azure", "--model", "Film"]
        let done = try await run(azure, on: site)
        #expect(done.exitCode == 1 && done.errors.contains("no model 'Film'"), "\(done.errors)")
    }

    /// Devices get what was imported while they are connected to a running server.
    @Test func clientsGetImportedRecords() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        let seen = try await a.everythingSeen()
        let imported = try await run(
            ["import", "-", "--format", "csv", "--model", "ConflictsEntity", "--owner", "a"],
            on: site,
            input: rows(3))
        #expect(imported.exitCode == 0, "\(imported.errors)")
        let titles = try await a.sync(cursor: seen).records.map { $0.fields?["title"] }
        #expect(titles == ["Film 1", "Film 2", "Film 3"])
        await server.stop()
    }

    /// The import is killed after its input has been written in part, and then repeated.
    @Test func killedImportIsCompletedByRepeat() async throws {
        let site = try await Site(prepared: "Conflicts")
        let text = rows(8000)
        let path = try site.folder.write(text, to: "films.csv")
        let arguments = [
            "import", "-", "--format", "csv", "--model", "ConflictsEntity", "--owner", "a",
            "--name", "films.csv", "--database", site.database,
        ]
        let program = Program(path: Tool.path, arguments: arguments, folder: site.folder)
        let process = try program.process(writingTo: nil, and: "killed.err")
        let pipe = Pipe()
        process.standardInput = pipe
        let (end, ending) = AsyncStream.makeStream(of: Void.self)
        process.terminationHandler = { _ in ending.finish() }
        try process.run()
        killAfterDeadline(process)
        // A pipe holds 64 KiB, so a part has been read when this returns.
        let part = Data(text.utf8.prefix(text.utf8.count - 9))
        try pipe.fileHandleForWriting.write(contentsOf: part)
        kill(process.processIdentifier, SIGKILL)
        for await _ in end {}
        for _ in 0..<2 {
            let repeated = try await run(
                ["import", path, "--model", "ConflictsEntity", "--owner", "a"], on: site)
            #expect(repeated.exitCode == 0, "\(repeated.errors)")
        }
        let exported = try await run(["export", "--model", "ConflictsEntity"], on: site)
        let lines = exported.output.split(separator: "\n")
        #expect(lines.count == 8000)
        let titles = lines.compactMap { line in
            line.firstRange(of: "Film ").map { line[$0.lowerBound...].prefix { $0 != "\"" } }
        }
        #expect(Set(titles).count == 8000)
    }

    /// The same row on the same line of two files is two records; that of a mended file is one.
    @Test func fileIsAnImportOfItsOwn() async throws {
        let site = try await Site(prepared: "Conflicts")
        let head = "title,score\nAlien,1\n"
        let counts = [
            ("one.csv", head, "1 created"), ("two.csv", head, "1 created"),
            ("two.csv", head + "Solaris,2\n", "1 created"),
        ]
        for (name, text, expected) in counts {
            let path = try site.folder.write(text, to: name)
            let imported = try await run(
                ["import", path, "--model", "ConflictsEntity", "--owner", "a"], on: site)
            #expect(imported.exitCode == 0, "\(imported.errors)")
            #expect(imported.errors.contains(expected), "\(name): \(imported.errors)")
        }
        let again = try await run(
            [
                "import", site.folder.path("two.csv"), "--model", "ConflictsEntity", "--owner",
                "a",
            ], on: site)
        #expect(again.errors.contains("0 created"), "\(again.errors)")
        #expect(again.errors.contains("0 unchanged, 2 repeated"), "\(again.errors)")
        let exported = try await run(["export"], on: site)
        #expect(exported.output.split(separator: "\n").count == 3)
    }

    /// Two from standard input are two, and each is completed under its name.
    @Test func importOfStandardInputTellsItsName() async throws {
        let site = try await Site(prepared: "Conflicts")
        let arguments = [
            "import", "-", "--format", "csv", "--model", "ConflictsEntity", "--owner", "a",
        ]
        let trial = try await run(arguments + ["--dry-run"], on: site, input: rows(1))
        #expect(!trial.errors.contains("--name"), "\(trial.errors)")
        for unnamed in [[], [], ["--name", ""]] {
            let imported = try await run(arguments + unnamed, on: site, input: rows(1))
            #expect(imported.errors.contains("1 created"), "\(imported.errors)")
            let name = try #require(imported.errors.firstMatch(of: /--name (\S+)/)?.1)
            let again = try await run(
                arguments + ["--name", String(name)], on: site, input: rows(1))
            #expect(again.errors.contains("1 repeated"), "\(again.errors)")
            #expect(!again.errors.contains("--name"))
        }
    }

    @Test func exportIsImportedElsewhere() async throws {
        let site = try await Site(prepared: "Conflicts")
        let other = try await Site(prepared: "Conflicts")
        let input = try site.folder.write(rows(20), to: "films.csv")
        _ = try await run(
            ["import", input, "--model", "ConflictsEntity", "--owner", "a"], on: site)
        let file = site.folder.path("export.csv")
        let arguments = [
            "export", "--format", "csv", "--model", "ConflictsEntity", "--output", file,
        ]
        #expect(try await run(arguments, on: site).exitCode == 0)
        #expect(try await run(arguments, on: site).exitCode == 1, "a file is not replaced")
        let imported = try await run(["import", file, "--model", "ConflictsEntity"], on: other)
        #expect(imported.exitCode == 0, "\(imported.errors)")
        let (first, second) = (
            try await run(["export"], on: site), try await run(["export"], on: other)
        )
        #expect(first.output == second.output && !first.output.isEmpty)
    }

    /// The rows of an export that ends with an error are those of persons.
    @Test func failedExportLeavesNothing() async throws {
        let site = try await Site(prepared: "Conflicts")
        let input = try site.folder.write(rows(3), to: "films.csv")
        _ = try await run(
            ["import", input, "--model", "ConflictsEntity", "--owner", "a"], on: site)
        let file = site.folder.path("export.jsonl")
        let failed = try await run(["export", "--model", "None", "--output", file], on: site)
        #expect(failed.exitCode != 0, "\(failed.errors)")
        let left = try site.folder.files().keys.filter { $0.hasPrefix("export") }
        #expect(left.isEmpty, "\(left)")
    }

    /// Keyboards differ in what they make of an accent.
    @Test func ownerIsFoundByAnyFormOfTheLogin() async throws {
        let site = try await Site(prepared: "Conflicts")
        let added = try await run(
            ["user", "add", "ren\u{E9}", "--group", "users", "--password-stdin"], on: site,
            input: "a new secret\n")
        #expect(added.exitCode == 0, "\(added.errors)")
        let input = try site.folder.write(rows(3), to: "films.csv")
        _ = try await run(
            ["import", input, "--model", "ConflictsEntity", "--owner", "ren\u{E9}"], on: site)
        let exported = try await run(["export", "--owner", "rene\u{301}"], on: site)
        #expect(exported.output.split(separator: "\n").count == 3, "\(exported.errors)")
    }

    /// Everything of one person and nothing of another; no secrets.
    @Test func personGetsEverything() async throws {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site)
        let (a, b) = (try server.client("a"), try server.client("b"))
        _ = try await a.sync([film("canary of a")])
        _ = try await b.sync([film("canary of b")])
        await server.stop()
        let export = try await run(["export", "--user", "a"], on: site)
        #expect(export.exitCode == 0, "\(export.errors)")
        let tables = Set(
            export.output.split(separator: "\n").compactMap { line -> String? in
                guard case .object(let row)? = try? parseJSON(Array(line.utf8)),
                    case .string(let table) = row["$table"]
                else { return nil }
                return table
            })
        #expect(tables.isSuperset(of: ["users", "sessions", "records", "history"]))
        #expect(export.output.contains("canary of a") && !export.output.contains("canary of b"))
        #expect(!export.output.contains("password_hash") && !export.output.contains("token_hash"))
    }

    /// Named by a record or not; what another user has uploaded is not theirs.
    @Test func contentsOfPersonsFilesAreExported() async throws {
        let site = try await Site.withFiles()
        let server = try await RunningServer(site: site)
        let (a, b) = (try server.client("a"), try server.client("b"))
        let (named, loose, other) = (fresh(), fresh(), fresh())
        let large = someBytes(600_000)
        #expect(try await a.put(named, large).status == 201)
        #expect(try await a.attach(named).outcome == .accepted)
        #expect(try await a.put(loose, Data("loose".utf8)).status == 201)
        #expect(try await b.put(other, Data("of b".utf8)).status == 201)
        let (rows, folder) = (site.folder.path("a.jsonl"), site.folder.path("of a"))
        let arguments = ["export", "--user", "a", "--output", rows, "--files", folder]
        let export = try await run(arguments, on: site)
        #expect(export.exitCode == 0, "\(export.errors)")
        #expect(export.errors.contains("exported files: 2"), "\(export.errors)")
        #expect(try site.folder.bytes(of: "of a/\(named)") == large)
        #expect(try site.folder.text(of: "of a/\(loose)") == "loose")
        #expect(try site.folder.files().keys.count { $0.hasPrefix("of a/") } == 2)
        #expect(try site.folder.text(of: "a.jsonl").contains(loose))
        #expect(try await run(["export", "--files", folder], on: site).exitCode == 2)
        await server.stop()
    }

    /// One file is whole. The other has other bytes of the same number, and a part beside it.
    @Test func exportOfContentsGoesOnInItsFolder() async throws {
        let site = try await Site.withFiles()
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        let (whole, damaged) = (fresh(), fresh())
        #expect(try await a.put(whole, Data("whole".utf8)).status == 201)
        #expect(try await a.put(damaged, Data("right".utf8)).status == 201)
        await server.stop()
        let arguments = ["export", "--user", "a", "--files", site.folder.path("of a")]
        #expect(try await run(arguments, on: site).exitCode == 0)
        try site.folder.write("wrong", to: "of a/\(damaged)")
        try site.folder.write("rig", to: "of a/\(damaged).partial")
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o755], ofItemAtPath: site.folder.path("of a"))
        let before = try changed(site.folder.path("of a/\(whole)"))
        let again = try await run(arguments, on: site)
        #expect(again.exitCode == 0, "\(again.errors)")
        #expect(again.errors.contains("exported files: 2, 1 of them"), "\(again.errors)")
        #expect(try site.folder.text(of: "of a/\(damaged)") == "right")
        #expect(try changed(site.folder.path("of a/\(whole)")) == before)
        let mode = try FileManager.default.attributesOfItem(atPath: site.folder.path("of a"))[
            .posixPermissions]
        #expect(mode as? Int == 0o700)
        #expect(try site.folder.files().keys.count { $0.hasPrefix("of a/") } == 2)
    }

    private func changed(_ path: String) throws -> Date {
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        return try #require(attributes[.modificationDate] as? Date)
    }

    /// Such as a file of another person.
    @Test func folderWithAnythingElseIsRefused() async throws {
        let site = try await Site.withFiles()
        try FileManager.default.createDirectory(
            atPath: site.folder.path("of a"), withIntermediateDirectories: false)
        try site.folder.write("of b", to: "of a/\(fresh())")
        let export = try await run(
            ["export", "--user", "a", "--files", site.folder.path("of a")], on: site)
        #expect(export.exitCode == 1, "\(export.errors)")
        #expect(export.errors.contains("which is no file of this person"), "\(export.errors)")
    }

    @Test func missingContentsAreToldOnceAllElseIsExported() async throws {
        guard Backend.current == .sqlite else { return }
        let site = try await Site.withFiles()
        let server = try await RunningServer(site: site)
        let a = try server.client("a")
        let (lost, kept) = (fresh(), fresh())
        let bytes = someBytes(1000)
        #expect(try await a.put(lost, bytes).status == 201)
        #expect(try await a.put(kept, Data("kept".utf8)).status == 201)
        await server.stop()
        let hash = hex(of: bytes)
        try FileManager.default.removeItem(
            atPath: site.folder.path("app.sqlite.files/\(hash.prefix(2))/\(hash)"))
        let (rows, folder) = (site.folder.path("a.jsonl"), site.folder.path("of a"))
        let export = try await run(
            ["export", "--user", "a", "--output", rows, "--files", folder], on: site)
        #expect(export.exitCode == 1 && export.errors.contains(lost), "\(export.errors)")
        #expect(try site.folder.text(of: "of a/\(kept)") == "kept")
        #expect(try site.folder.text(of: "a.jsonl").contains(lost))
        // A part that an earlier export has left does not stay.
        try site.folder.write("wrong", to: "of a/\(lost)")
        try site.folder.write("wro", to: "of a/\(lost).partial")
        let again = try await run(["export", "--user", "a", "--files", folder], on: site)
        #expect(again.exitCode == 1 && again.errors.contains(lost), "\(again.errors)")
        #expect(try site.folder.files().keys.filter { $0.hasPrefix("of a/") } == ["of a/\(kept)"])
    }

    @Test func rowsAreNotWrittenIntoFolderOfContents() async throws {
        let site = try await Site(prepared: "Conflicts")
        let (folder, rows) = (site.folder.path("of a"), site.folder.path("of a/rows.jsonl"))
        let export = try await run(
            ["export", "--user", "a", "--files", folder + "/", "--output", rows], on: site)
        #expect(export.exitCode == 2, "\(export.errors)")
    }
}
