import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing
import VersionTranslation

@Suite("Clients go on after deployments of other versions")
struct ServedVersionTests {
    private static let both = document(models: ["Folder", "Sheet"])
    private static let folders = document(models: ["Folder"])

    /// By the client's name, also if a version in between has renamed it.
    @Test(arguments: [[folders], [document(models: ["Folder", "Page<Sheet"]), folders]])
    func recordsOfModelThatIsGoneAreDropped(later: [String]) async throws {
        let bench = try await TestBench(Self.both)
        let old = bench.engine.rules.definition.fingerprint
        let a = bench.person("a")
        let first = try await a.sync([
            create(1, model: "Folder", ["name": "f"]), create(2, model: "Sheet", ["name": "s"]),
        ])
        var cursor = first.cursor
        var dropped: [DroppedMessage] = []
        for version in later {
            let next = try await bench.deploying(version)
            let client = try #require(next.serving(client: old))
            let answer = try await client.sync(
                SyncRequest(cursor: cursor), from: try await a.caller(),
                at: Instant(milliseconds: 0))
            #expect(!answer.resync)
            (cursor, dropped) = (answer.cursor, answer.dropped)
        }
        #expect(dropped == [DroppedMessage(model: "Sheet", guid: guid(2))])
    }

    /// The client has not synchronized since before the version that renamed the model.
    @Test func recordsOfModelThatWasRenamedBeforeAreDropped() async throws {
        let bench = try await TestBench(Self.both)
        let old = bench.engine.rules.definition.fingerprint
        let a = bench.person("a")
        let first = try await a.sync([create(1, model: "Sheet", ["name": "s"])])
        _ = try await bench.deploying(Self.document(models: ["Folder", "Page<Sheet"]))
        let next = try await bench.deploying(Self.folders)
        let client = try #require(next.serving(client: old))
        let answer = try await client.sync(
            SyncRequest(cursor: first.cursor), from: try await a.caller(),
            at: Instant(milliseconds: 0))
        #expect(answer.dropped == [DroppedMessage(model: "Sheet", guid: guid(1))])
        #expect(!answer.resync)
    }

    /// The former name is in none of the attributes of the present version.
    @Test func recordOutOfSightIsDroppedAfterForgottenRenaming() async throws {
        let bench = try await TestBench(Self.document(models: ["Sheet"]))
        let a = bench.person("a")
        let first = try await a.sync([create(1, model: "Sheet", ["name": "s"])])
        _ = try await bench.deploying(Self.document(models: ["Page<Sheet"]))
        let hidden = Self.document(models: ["Page"])
            .replacing("readAllowed=\"ALL\"", with: "readAllowed=\"NONE\"")
        let next = try await bench.deploying(hidden)
        let answer = try await a.sync(with: next, cursor: first.cursor)
        #expect(answer.dropped.map(\.guid) == [guid(1)] && !answer.resync)
    }

    /// The app has a version that is only imported, while another one is deployed.
    @Test func appOfImportedVersionDoesNotStartOver() async throws {
        let bench = try await TestBench(Self.folders)
        let a = bench.person("a")
        let ahead = try checked(Self.document(models: ["Binder<Folder"]))
        func sync(with engine: Engine, _ cursor: String?) async throws -> SyncResponse {
            let path = VersionPath(from: ahead, to: engine.rules.definition)
            return try await engine.serving(ClientTranslation(of: ahead, along: path)).sync(
                SyncRequest(cursor: cursor), from: try await a.caller(),
                at: Instant(milliseconds: 0))
        }
        _ = try await a.push(create(1, model: "Folder", ["name": "f"]))
        let first = try await sync(with: bench.engine, nil)
        #expect(first.records.map(\.model) == ["Binder"])
        let next = try await bench.deploying(
            Self.folders.replacing("deleteAllowed=\"ALL\"", with: "deleteAllowed=\"NONE\""))
        let second = try await sync(with: next, first.cursor)
        #expect(!second.resync && second.records.isEmpty)
    }

    /// The records that an app of the first version gets again after later ones, in its names.
    struct Redeployment: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let later: [String]
        /// Titles and scores.
        let received: [[JSONValue?]]
    }

    private static let redeployments = [
        Redeployment(
            testDescription: "a field and its model are renamed",
            later: [memos("Memo<Note", "heading<title", "score INTEGER")], received: []),
        Redeployment(
            testDescription: "a field that a role may not see is renamed too",
            later: [memos("Memo<Note", "title", "points<score INTEGER", scoreRead: "NONE")],
            received: [["t", nil]]),
        Redeployment(
            testDescription: "whole numbers become decimals",
            later: [memos("Note", "title", "score DECIMAL")], received: []),
        Redeployment(
            testDescription: "all of this, one after the other",
            later: [
                memos("Memo<Note", "title", "score INTEGER"),
                memos("Memo", "title", "score DECIMAL"),
                memos("Memo", "heading<title", "points<score DECIMAL"),
            ], received: []),
        Redeployment(
            testDescription: "a field is gone",
            later: [memos("Memo<Note", "title", nil)], received: [["t", .null]]),
    ]

    @Test(arguments: redeployments, [true, false])
    func appGetsWhatIsDifferentInItsWords(example: Redeployment, isEach: Bool) async throws {
        let bench = try await TestBench(Self.memos("Note", "title", "score INTEGER"))
        let old = bench.engine.rules.definition.fingerprint
        let a = bench.person("a")
        var cursor = try await a.sync([create(1, model: "Note", ["title": "t", "score": 4])]).cursor
        var received: [[JSONValue?]] = []
        for (place, version) in example.later.enumerated() {
            let next = try await bench.deploying(version)
            guard isEach || place == example.later.count - 1 else { continue }
            let answer = try await #require(next.serving(client: old)).sync(
                SyncRequest(cursor: cursor), from: try await a.caller(),
                at: Instant(milliseconds: 0))
            #expect(!answer.resync && answer.dropped.isEmpty)
            cursor = answer.cursor
            received += answer.records.map { [$0.fields?["title"], $0.fields?["score"]] }
        }
        #expect(received == example.received)
    }

    /// Also what was written under the later names. Apps of both versions go on in their words.
    @Test(arguments: [false, true]) func earlierVersionHasItsNamesBack(forgets: Bool) async throws {
        let first = Self.memos("Note", "title", "score INTEGER")
        let second = Self.memos("Memo<Note", "heading<title", "score INTEGER")
        let third = Self.memos("Memo", "heading", "points<score INTEGER")
        let bench = try await TestBench(first)
        let a = bench.person("a")
        let cursor = try await a.sync([create(1, model: "Note", ["title": "t", "score": 4])]).cursor
        let middle = try await bench.deploying(second)
        _ = try await a.sync([create(2, model: "Memo", ["heading": "h"])], with: middle)
        if forgets { _ = try await bench.deploying(third) }

        let back = try await bench.deploying(first)
        let records = try await a.sync(with: back).records
        #expect(records.map(\.model) == ["Note", "Note"])
        #expect(records.map { $0.fields?["title"] } == ["t", "h"])
        #expect(records.first?.fields?["score"] == 4)
        let app = try #require(back.serving(client: middle.rules.definition.fingerprint))
        let shown = try await app.sync(
            SyncRequest(cursor: nil), from: try await a.caller(), at: Instant(milliseconds: 0))
        #expect(shown.records.map { $0.fields?["heading"] } == ["t", "h"])
        let next = try await a.sync(with: back, cursor: cursor)
        #expect(!next.resync && next.records.contains { $0.guid == guid(2) })

        let again = try await a.sync(with: try await bench.deploying(second)).records
        #expect(again.map(\.model) == ["Memo", "Memo"])
        #expect(again.map { $0.fields?["heading"] } == ["t", "h"])
        #expect(again.first?.fields?["score"] == 4)
    }

    /// The name that the first return gave back is on the way from the version in between.
    @Test func appFindsItsNamesAfterSecondReturn() async throws {
        let first = Self.memos("Note", "title", "score INTEGER")
        let second = Self.memos("Memo<Note", "heading<title", "score INTEGER")
        let third = Self.memos("Note", "title", "points<score INTEGER")
        let key = Array("0123456789abcdef0123456789abcdef".utf8)
        let bench = try await TestBench(first, naming: RecordNaming(key: key))
        let middle = try await bench.deploying(second)
        let a = bench.person("a")
        let id = try #require(middle.naming?.guid(of: "x", in: "Memo"))
        let creation = ChangeMessage(
            id: "c", action: .create, model: "Memo", guid: id, fields: ["heading": "h"])
        _ = try await a.sync([creation], with: middle)
        for version in [first, third, first] {
            let next = try await bench.deploying(version)
            #expect(try await a.sync(with: next).records.map { $0.fields?["title"] } == ["h"])
            let app = try #require(next.serving(client: middle.rules.definition.fingerprint))
            let shown = try await app.sync(
                SyncRequest(cursor: nil), from: try await a.caller(), at: Instant(milliseconds: 0))
            #expect(shown.records.map { $0.fields?["heading"] } == ["h"])
            #expect(next.naming?.guids(of: "x", in: "Note").contains(id) == true)
        }
    }

    /// It is answered in the words of the deployed version, which it did not know.
    @Test func appWithoutVersionGetsRenamedRecordsAgain() async throws {
        let bench = try await TestBench(Self.memos("Note", "title", "score INTEGER"))
        let a = bench.person("a")
        let first = try await a.sync([create(1, model: "Note", ["title": "t", "score": 4])])
        let next = try await bench.deploying(Self.memos("Memo<Note", "title", "score INTEGER"))
        let answer = try await a.sync(with: next, cursor: first.cursor)
        #expect(answer.records.map(\.model) == ["Memo"] && !answer.resync)
    }

    /// One model; former names follow `<`.
    private static func memos(
        _ model: String, _ title: String, _ score: String?, scoreRead: String = "ALL"
    ) -> String {
        func named(_ text: Substring) -> (name: String, former: String) {
            let names = text.split(separator: "<")
            return (
                String(names[0]), names.count > 1 ? "w:renamedFrom=\"\(names[1])\"" : ""
            )
        }
        func field(_ text: String, _ type: String, read: String) -> String {
            let (name, former) = named(text[...])
            return Documents.field(name, type, read: read, own: former)
        }
        let number = score.map { $0.split(separator: " ").map(String.init) }
        let (name, former) = named(model[...])
        return Documents.document(
            .manual,
            models: """
                <model name="\(name)" \(former)>
                  <fields>
                    \(field(title, "TEXT", read: "ALL"))
                    \(number.map { field($0[0], $0[1], read: scoreRead) } ?? "")
                  </fields>
                  <credentials>
                    <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                      updateAllowed="ALL" deleteAllowed="ALL"/>
                  </credentials>
                </model>
                """)
    }

    /// Models with one field; the former name of a model follows `<`.
    private static func document(models: [String]) -> String {
        let text = models.map { model in
            let names = model.split(separator: "<")
            let former = names.count > 1 ? "w:renamedFrom=\"\(names[1])\"" : ""
            return """
                <model name="\(names[0])" \(former)>
                  <fields>\(Documents.field("name", "TEXT", read: "ALL"))</fields>
                  <credentials>
                    <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                      updateAllowed="ALL" deleteAllowed="ALL"/>
                  </credentials>
                </model>
                """
        }
        return Documents.document(.manual, models: text.joined(separator: "\n"))
    }
}
