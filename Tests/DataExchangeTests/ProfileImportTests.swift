import DefinitionModel
import EngineKit
import JSON
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@testable import DataExchange

@Suite("Users of a Parse server get their profiles") struct ProfileImportTests {
    private static let naming = RecordNaming(key: Array("key".utf8))
    private static let document: String = {
        func field(_ name: String, _ type: String, _ options: String = "") -> String {
            Documents.field(name, type, read: "ALL", options: options)
        }
        func relation(_ name: String, _ model: String) -> String {
            field(name, "BELONGS_TO", #"<option name="model">\#(model)</option>"#)
        }
        let rights = Documents.credentials(resolving: true)
        return Documents.document(
            .manual,
            models: """
                <model name="Team"><fields>\(field("name", "TEXT"))
                \(relation("head", "_User"))</fields>\(rights)</model>
                <model name="_User"><fields>\(field("city", "TEXT")) \(field("face", "FILE"))
                \(relation("team", "Team")) \(relation("friend", "_User"))
                </fields>\(rights)</model>
                """)
    }()

    private func bench() async throws -> TestBench {
        try await TestBench.withUsers(Self.document, naming: Self.naming)
    }

    private func imported(
        _ rows: String, into bench: TestBench, isTrial: Bool = false
    ) async throws -> (profiles: ProfileImport, problems: [String]) {
        var problems: [String] = []
        var profiles = try ProfileImport(
            into: bench.engine, group: "users", name: "users", isTrial: isTrial,
            at: Instant(milliseconds: 1000)
        ) { problems.append("\($0.line) \($0.field ?? "-") \($0.code)") }
        var reader = UserRowReader()
        for item in reader.read(Array(rows.utf8)) + reader.finish() {
            guard case .user(let row) = item else { continue }
            try await profiles.add(row, owner: row.login)
        }
        try await profiles.finish()
        return (profiles, problems)
    }

    private func profile(
        _ id: String, in bench: TestBench
    ) async throws -> [String: JSONValue]? {
        let guid = try #require(Self.naming.guid(of: id, in: "_User"))
        return try await bench.person("a").record(guid)?.fields
    }

    private static func pointer(_ className: String, _ id: String) -> String {
        #"{"__type":"Pointer","className":"\#(className)","objectId":"\#(id)"}"#
    }

    /// A friend may be in a later row. Columns without a field are told by name.
    @Test func profileHasOldIDAndColumns() async throws {
        let bench = try await bench()
        let rows = """
            {"objectId":"u1","username":"a","city":"Bern","age":7,"name":"Anna","gone":null,
            "ACL":{"*":{"read":true}},"face":{"__type":"File","name":"x.png","url":"http://x"},
            "friend":\(Self.pointer("_User", "u2"))}
            """.replacing("\n", with: "") + "\n" + #"{"objectId":"u2","username":"b"}"#
        for isTrial in [true, false] {
            let (profiles, problems) = try await imported(rows, into: bench, isTrial: isTrial)
            #expect(problems.isEmpty && profiles.summary.created == 2, "\(problems)")
            #expect(profiles.leftOut == ["age", "name"] && profiles.hasModel)
            #expect(profiles.summary.leftOut == [.accessLists: 1, .files: 1])
        }
        let own = try #require(try await profile("u1", in: bench))
        #expect(own["city"] == "Bern" && own["face"] == .null)
        #expect(own["friend"] == Self.naming.guid(of: "u2", in: "_User").map { .string($0) })
        let words = WordedEngine(bench.engine, for: nil)
        #expect(try await words.ownID(of: "b", in: "_User", usually: "x") == "u2")
        #expect(try await words.ownID(of: "b", in: "_User", usually: "u1") == "u1")
        #expect(try await words.ownID(of: "c", in: "_User", usually: "x") == "x")
    }

    /// In a trial, users need not be there: it adds none.
    @Test func trialNeedsNoUsers() async throws {
        let rows = #"{"objectId":"u7","username":"z","city":"Bern"}"#
        let bench = try await bench()
        let tried = try await imported(rows, into: bench, isTrial: true)
        #expect(tried.problems.isEmpty && tried.profiles.summary.created == 1)
        #expect(try await imported(rows, into: bench).problems == ["1 - ownerUnknown"])
    }

    /// Users and classes may point to each other: a repeat gives profiles what came since, and
    /// changes nothing else.
    @Test func repeatAddsRelatedRecordsOnly() async throws {
        let bench = try await bench()
        func row(_ city: String) -> String {
            #"{"objectId":"u1","username":"a","city":"\#(city)","#
                + #""team":\#(Self.pointer("Team", "t1"))}"#
        }
        for isTrial in [true, false] {
            let (profiles, problems) = try await imported(
                row("Bern"), into: bench, isTrial: isTrial)
            #expect(problems.isEmpty && profiles.summary.created == 1, "\(problems)")
            #expect(profiles.summary.unrelated == 1)
        }
        let again = try await imported(row("Rome"), into: bench)
        #expect(again.problems.isEmpty && again.profiles.summary.counts == [0, 0, 0, 1, 0])
        #expect(again.profiles.summary.unrelated == 1)
        let team = #"{"className":"Team","objectId":"t1","head":\#(Self.pointer("_User", "u1"))}"#
        let teams = try await bench.imported(team, .jsonl) { $0.source = .parse }
        #expect(teams.problems.isEmpty && teams.summary.created == 1)
        let last = try await imported(row("Rome"), into: bench)
        #expect(last.problems.isEmpty && last.profiles.summary.counts == [0, 1, 0, 0, 0])
        let own = try #require(try await profile("u1", in: bench))
        #expect(own["city"] == "Bern")
        #expect(own["team"] == Self.naming.guid(of: "t1", in: "Team").map { .string($0) })
    }

    @Test func userHasOneProfile() async throws {
        let bench = try await bench()
        let rows = """
            {"objectId":"u1","username":"a"}
            {"objectId":"u2","username":"a"}
            """
        #expect(try await imported(rows, into: bench).problems == ["2 - otherProfile"])
        let other = try await imported(#"{"objectId":"u3","username":"a"}"#, into: bench)
        #expect(other.problems == ["1 - otherProfile"] && other.profiles.summary.refused == 1)
        #expect(try await profile("u3", in: bench) == nil)
    }

    @Test func withoutModelAllColumnsAreLeftOut() async throws {
        let bench = try await TestBench.withUsers(
            Self.document.replacing("_User", with: "Person"), naming: Self.naming)
        let rows = #"{"objectId":"u1","username":"a","city":"Bern","createdAt":"x","ACL":{}}"#
        let (profiles, problems) = try await imported(rows, into: bench)
        #expect(problems.isEmpty && !profiles.hasModel && profiles.leftOut == ["city"])
        #expect(profiles.summary.rows == 0)
    }
}
