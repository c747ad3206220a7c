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
        #expect(try await words.ownIDs(in: "_User", usually: ["b": "x"])["b"] == "u2")
        #expect(try await words.ownIDs(in: "_User", usually: ["b": "u1"])["b"] == "u2")
        #expect(try await words.ownIDs(in: "_User", usually: ["c": "x"])["c"] == "x")
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
    @Test(arguments: ["Bern", "Rome"])
    func repeatAddsRelatedRecordsOnly(lastCity city: String) async throws {
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
        for counts in [[0, 1, 0, 0, 0], [0, 0, 0, 1, 0]] {
            let last = try await imported(row(city), into: bench)
            #expect(last.problems.isEmpty && last.profiles.summary.counts == counts)
        }
        let own = try #require(try await profile("u1", in: bench))
        #expect(own["city"] == "Bern")
        #expect(own["team"] == Self.naming.guid(of: "t1", in: "Team").map { .string($0) })
    }

    /// A friend whose own relation is left out is still a friend.
    @Test(arguments: [true, false]) func onlyMissingRecordsAreLeftOut(isTrial: Bool) async throws {
        let bench = try await bench()
        let rows = """
            {"objectId":"u1","username":"a","friend":\(Self.pointer("_User", "u2"))}
            {"objectId":"u2","username":"b","team":\(Self.pointer("Team", "t1"))}
            """
        let (profiles, problems) = try await imported(rows, into: bench, isTrial: isTrial)
        #expect(problems.isEmpty && profiles.summary.created == 2, "\(problems)")
        #expect(profiles.summary.unrelated == 1)
        guard !isTrial else { return }
        let friend = Self.naming.guid(of: "u2", in: "_User").map { JSONValue.string($0) }
        #expect(try await profile("u1", in: bench)?["friend"] == friend)
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

    /// The records of other users neither are profiles nor get anything.
    @Test func idIsOfOneUser() async throws {
        let bench = try await bench()
        let a = #"{"objectId":"u1","username":"a"}"#
        let b = #"{"objectId":"u1","username":"b","friend":\#(Self.pointer("_User", "u1"))}"#
        for isTrial in [true, false] {
            let both = try await imported(a + "\n" + b, into: bench, isTrial: isTrial)
            #expect(both.problems == ["2 - otherOwner"] && both.profiles.summary.created == 1)
        }
        for isTrial in [true, false] {
            let other = try await imported(b, into: bench, isTrial: isTrial)
            #expect(other.problems == ["1 - otherOwner"] && other.profiles.summary.refused == 1)
        }
        #expect(try await profile("u1", in: bench)?["friend"] == .null)
    }

    /// A user who could not get the profile is not added. Records that are not there are left out.
    @Test func profileIsCheckedBeforeUserIsAdded() async throws {
        let bench = try await bench()
        var problems: [String] = []
        var profiles = try ProfileImport(
            into: bench.engine, group: "users", name: "users", isTrial: false,
            at: Instant(milliseconds: 1000)
        ) { problems.append("\($0)") }
        let team = try parseJSON(Array(Self.pointer("Team", "t1").utf8))
        for (line, column, isTaken) in [
            (1, ("city", 7), false), (2, ("city", "Bern"), true), (3, ("team", team), true),
        ] as [(Int, (String, JSONValue), Bool)] {
            let user = UserRow(
                line: line, login: "z", mail: "",
                profile: ["objectId": .string("u\(line)"), column.0: column.1])
            #expect(try await profiles.takes(user, owner: "z") == isTaken, "\(line)")
        }
        #expect(problems.count == 1 && profiles.summary.counts == [0, 0, 0, 0, 1])
        #expect(try await profile("u2", in: bench) == nil)
    }

    /// A row without an old id gives the profile that a sign-in would make.
    @Test func rowWithoutIDHasThatOfLogin() async throws {
        let bench = try await bench()
        let rows = """
            {"username":"a","city":"Bern"}
            {"username":"b","objectId":null}
            """
        let (profiles, problems) = try await imported(rows, into: bench)
        #expect(problems.isEmpty && profiles.summary.created == 2)
        let id = try #require(Self.naming.parseID(of: "a", in: "_User"))
        #expect(try await profile(id, in: bench)?["city"] == "Bern")
        let again = try await imported(rows, into: bench)
        #expect(again.problems.isEmpty && again.profiles.summary.counts == [0, 0, 0, 2, 0])
    }

    /// An operator may give a user profiles of others.
    @Test func idStaysThatOfOwnProfile() async throws {
        let bench = try await bench()
        let rows = """
            {"objectId":"u1","username":"a"}
            {"objectId":"u2","username":"b"}
            """
        #expect(try await imported(rows, into: bench).problems.isEmpty)
        let guid = try #require(Self.naming.guid(of: "u1", in: "_User"))
        let words = WordedEngine(bench.engine, for: nil)
        func ids() async throws -> [String: String] {
            try await words.ownIDs(in: "_User", usually: ["a": "x", "b": "y"])
        }
        #expect(try await ids() == ["a": "u1", "b": "u2"])
        for (owner, expected) in [("b", ["a": "x", "b": "u2"]), ("a", ["a": "u1", "b": "u2"])] {
            _ = try await bench.engine.reassign(
                guid, of: "_User", to: NewOwnership(owner: owner, group: nil),
                by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
            #expect(try await ids() == expected)
        }
    }

    /// An operator removes the profile that a sign-in has made, and imports the old one.
    @Test func importReplacesDeletedProfile() async throws {
        let bench = try await bench()
        let made = try #require(Self.naming.parseID(of: "a", in: "_User"))
        #expect(try await imported(#"{"username":"a"}"#, into: bench).problems.isEmpty)
        let old = #"{"objectId":"u1","username":"a"}"#
        #expect(try await imported(old, into: bench).problems == ["1 - otherProfile"])
        let guid = try #require(Self.naming.guid(of: made, in: "_User"))
        let deletion = ChangeMessage(
            id: "delete", action: .delete, model: "_User", guid: guid, base: 1)
        #expect(try await bench.person("a").push(deletion).map(\.outcome) == [.accepted])
        let words = WordedEngine(bench.engine, for: nil)
        #expect(try await words.ownIDs(in: "_User", usually: ["a": made])["a"] == made)
        #expect(try await imported(old, into: bench).problems.isEmpty)
        #expect(try await words.ownIDs(in: "_User", usually: ["a": made])["a"] == "u1")
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
