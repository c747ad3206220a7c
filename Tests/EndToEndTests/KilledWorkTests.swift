import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// Long works whose process is killed in the midst, and that are then begun again: all of it is
/// done in the end, once, and nothing is ever half done. See `ImportCommandTests` for imports.
@Suite(.serialized, .timeLimit(.minutes(15))) struct KilledWorkTests {
    private static let model = "ConflictsEntity"
    private static let films = 3000

    private func site() async throws -> Site {
        let site = try await Site(prepared: "Conflicts")
        let server = try await RunningServer(site: site, processes: 1)
        let a = try server.client("a")
        for start in stride(from: 0, to: Self.films, by: 100) {
            _ = try await a.sync(
                (start..<start + 100).map {
                    .create(fresh(), of: Self.model, ["title": .string("film \($0)")])
                })
        }
        #expect(await server.stop() == 0)
        return site
    }

    /// Every record has the value by one change, or has neither.
    private func expectNothingHalf(_ site: Site) async throws {
        #expect(try await site.isIntact())
        let status = site.text(of: "status")
        let wrong = try await site.sql(
            """
            SELECT guid FROM records
            WHERE revision <> CASE WHEN \(status) = 'open' THEN 2 ELSE 1 END
                OR revision <> (SELECT count(*) FROM history WHERE history.guid = records.guid)
            """)
        #expect(wrong == "", "half filled")
    }

    private func expectAllFilled(_ site: Site) async throws {
        try await expectNothingHalf(site)
        let filled = try await site.sql(
            "SELECT count(*) FROM records WHERE \(site.text(of: "status")) = 'open'")
        #expect(filled == "\(Self.films)")
    }

    private func filled(_ site: Site) async throws -> Int {
        Int(try await site.sql("SELECT count(*) FROM history WHERE kind = 'filled'")) ?? 0
    }

    /// The tool is killed, the next one goes on, and is killed too.
    @Test func killedFillIsCompletedByRepeat() async throws {
        let site = try await site()
        let next = try site.writing(try filmsWithStatus(), to: "next.xml")
        let arguments = ["deploy", next, "--fill", "\(Self.model).status=open"]
        for part in 0..<2 {
            try await site.kill(arguments) { try await self.filled(site) > part * 900 }
            try await expectNothingHalf(site)
            let versions = try await site.sql("SELECT count(*) FROM versions")
            #expect(versions == "2")
        }
        let repeated = try await site.waggle(
            "deploy", next, "--fill", "\(Self.model).status=open")
        #expect(repeated.exitCode == 0, "\(repeated.errors)")
        try await expectAllFilled(site)
    }

    /// A server that starts goes on, with pushes beside it.
    @Test func serverGoesOnWithKilledFill() async throws {
        let site = try await site()
        let next = try site.writing(try filmsWithStatus(), to: "next.xml")
        try await site.kill(["deploy", next, "--fill", "\(Self.model).status=open"]) {
            try await self.filled(site) > 0
        }
        var server = try await RunningServer(site: site.serving(next))
        while try await filled(site) < Self.films / 2 {}
        await server.crash()
        try await expectNothingHalf(site)
        server = try await RunningServer(site: site.serving(next))
        let a = try server.client("a")
        let guid = fresh()
        let made = try await a.push(
            .create(guid, of: Self.model, ["title": "beside", "status": "open"]))
        #expect(made.outcome == .accepted)
        while try await site.sql("SELECT count(*) FROM versions WHERE fill LIKE '%\"done\":true%'")
            != "1"
        {}
        let deleted = try await a.push(.delete(guid, of: Self.model, from: 1))
        #expect(deleted.outcome == .accepted)
        let records = try await server.client("b").records().filter { !$0.deleted }
        #expect(records.count == Self.films)
        #expect(records.allSatisfy { $0.fields?["status"] == "open" && $0.revision == 2 })
    }

    /// A deployment that renames everything is one transaction.
    @Test func killedDeploymentIsDoneOrNot() async throws {
        let site = try await site()
        let renamed = try site.writing(
            try definition("Conflicts")
                .changing("<application ", to: #"<application xmlns:w="urn:waggle:definition" "#)
                .changing(#"name="title""#, to: #"name="name" w:renamedFrom="title""#),
            to: "renamed.xml")
        let refused = try await site.waggle("deploy", renamed)
        let names = refused.errors.matches(of: /--accept '([^']+)'/).map { String($0.1) }
        let arguments = ["deploy", renamed] + names.flatMap { ["--accept", $0] }
        let activities = "SELECT count(*) FROM activities"
        for microseconds in [0, 40_000, 120_000] {
            let before = try await site.sql(activities)
            try await site.kill(arguments, after: microseconds) {
                try await site.sql(activities) != before
            }
            #expect(try await site.isIntact())
            let versions = try await site.sql("SELECT count(*) FROM versions")
            let new = try await site.sql(
                "SELECT count(*) FROM records WHERE \(site.text(of: "name")) IS NOT NULL")
            #expect(
                (versions, new) == ("1", "0") || (versions, new) == ("2", "\(Self.films)"),
                "\(versions) versions, \(new) records with new names")
        }
        let repeated = try await site.deployAcceptingAll(renamed)
        #expect(repeated.exitCode == 0, "\(repeated.errors)")
        let server = try await RunningServer(site: site.serving(renamed))
        let records = try await server.client("b").records()
        #expect(records.count == Self.films)
        #expect(records.allSatisfy { $0.fields?["name"] != nil && $0.fields?["title"] == nil })
    }

    /// An erasure that was begun is listed, and completed by a repeat.
    @Test func killedErasureIsCompletedByRepeat() async throws {
        let site = try await site()
        let erased = "SELECT count(*) FROM records WHERE fields = '{}'"
        try await site.kill(["user", "erase", "a"]) { try await site.sql(erased) != "0" }
        #expect(try await site.isIntact())
        #expect(try await site.sql("SELECT login FROM erasures") == "a")
        let half = try await site.sql(
            """
            SELECT guid FROM records WHERE (fields = '{}') <> (revision = 2)
                OR (fields = '{}' AND NOT is_deleted)
            """)
        #expect(half == "", "half erased")
        let repeated = try await site.waggle("user", "erase", "a")
        #expect(repeated.exitCode == 0, "\(repeated.errors)")
        #expect(try await site.sql(erased) == "\(Self.films)")
        #expect(
            try await site.sql("SELECT count(*) FROM history WHERE fields <> '{}'") == "0")
        #expect(try await site.sql("SELECT count(*) FROM history") == "\(Self.films)")
        #expect(try await site.sql("SELECT count(*) FROM users WHERE login = 'a'") == "0")
    }
}

extension Site {
    /// Starts the tool, and kills it some time after something has happened, unless it has ended
    /// by then.
    fileprivate func kill(
        _ arguments: [String], after microseconds: Int = 0,
        when hasHappened: () async throws -> Bool
    ) async throws {
        let name = UUID().uuidString
        let process = try Program(
            path: Tool.path, arguments: arguments + ["--database", database], folder: folder
        ).process(writingTo: "\(name).out", and: "\(name).err")
        try process.run()
        killAfterDeadline(process)
        while try await !hasHappened(), process.isRunning {}
        DispatchQueue.global().asyncAfter(deadline: .now() + .microseconds(microseconds)) {
            if process.isRunning { Foundation.kill(process.processIdentifier, SIGKILL) }
        }
        await offloaded { process.waitUntilExit() }
        let isOver = process.terminationStatus == 0 || process.terminationStatus == SIGKILL
        let errors = try folder.text(of: "\(name).err")
        #expect(isOver, "\(errors)")
    }
}
