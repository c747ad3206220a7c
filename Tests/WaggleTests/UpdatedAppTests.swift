import DefinitionModel
import SyncProtocol
import Testing

@testable import Waggle

/// An app is updated, and opens what the earlier one has stored.
@Suite(.timeLimit(.minutes(5))) struct UpdatedAppTests {
    private static let old = document(
        "Note", ["title TEXT required", "body TEXT", "size INTEGER", "old TEXT"])
    private static let new = document(
        "Memo<Note", ["name<title TEXT required", "text<body TEXT", "size INTEGER", "tag TEXT"])

    /// The earlier app with a record that both devices have, and unsent changes.
    private func before(
        _ document: String = Self.old
    ) async throws -> (bench: DeviceBench, shared: Note, made: Note) {
        let bench = try await DeviceBench(document)
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        var shared = Note(["title": "first".stored, "body": "text".stored, "size": Int64(7).stored])
        try await a.save(shared)
        try await a.sync()
        try await b.sync()
        shared.values["body"] = "edited".stored
        try await a.save(shared)
        let made = Note(["title": "made offline".stored])
        try await a.save(made)
        return (bench, shared, made)
    }

    /// The app of the other device, which is not updated.
    private func earlierApp(of bench: DeviceBench) async throws -> Waggle.Database {
        let database = try bench.database(on: "phone-of-b", definition: try checked(Self.old))
        try await database.logIn("b", password: "b")
        return database
    }

    @Test func databaseOpensOfflineInNewWords() async throws {
        let (bench, shared, made) = try await before()
        bench.wire.cut(true)
        let app = try bench.database(on: "phone-of-a", definition: try checked(Self.new))
        try await app.logIn("a", password: "a")
        let found = try #require(try await app.get(Memo.self, guid: shared.guid))
        #expect(found.text("name") == "first" && found.text("text") == "edited")
        #expect(found.values["tag"] == .null && found.values["size"] == Int64(7).stored)
        let other = try #require(try await app.get(Memo.self, guid: made.guid))
        #expect(other.text("name") == "made offline" && other.values["tag"] == .null)
        #expect(try await app.list(Memo.self).count == 2)
        #expect(try await app.list(Note.self).isEmpty)
    }

    /// Before or after the deployment of the version that the app has.
    @Test(arguments: [true, false])
    func unsentChangesAreSentAndUnderstood(isDeployed: Bool) async throws {
        let (bench, shared, made) = try await before()
        if isDeployed {
            try bench.wire.deploy(Self.new)
        } else {
            try bench.wire.importing(Self.new)
        }
        let app = try bench.database(on: "phone-of-a", definition: try checked(Self.new))
        try await app.logIn("a", password: "a")
        let sent = try await app.sync()
        #expect(sent.accepted == 2 && sent.refused == 0)
        let b = try await earlierApp(of: bench)
        try await b.sync()
        let seen = try #require(try await b.get(Note.self, guid: shared.guid))
        #expect(seen.text("title") == "first" && seen.text("body") == "edited")
        #expect(try await b.get(Note.self, guid: made.guid)?.text("title") == "made offline")
    }

    @Test func oldAndNewAppsGoOnTogether() async throws {
        let (bench, shared, _) = try await before()
        try bench.wire.deploy(Self.new)
        let app = try bench.database(on: "phone-of-a", definition: try checked(Self.new))
        try await app.logIn("a", password: "a")
        try await app.sync()
        var memo = try #require(try await app.get(Memo.self, guid: shared.guid))
        memo.values["tag"] = "t".stored
        memo.values["name"] = "second".stored
        try await app.save(memo)
        try await app.sync()
        let b = try await earlierApp(of: bench)
        try await b.sync()
        var note = try #require(try await b.get(Note.self, guid: shared.guid))
        #expect(note.text("title") == "second" && note.values["tag"] == .hidden)
        #expect(note.values["old"] == .null, "it is gone, and reads null")
        note.values["title"] = "third".stored
        try await b.save(note)
        #expect(try await b.sync().accepted == 1)
        try await app.sync()
        memo = try #require(try await app.get(Memo.self, guid: shared.guid))
        #expect(memo.text("name") == "third" && memo.text("tag") == "t")
        note.values["old"] = "x".stored
        try await b.save(note)
        #expect(try await b.sync().refused == 1)
        let refused = try #require(try await b.refusedChanges().first)
        #expect(refused.refusals.map(\.code) == ["fieldNotServed"])
    }

    /// The next sync brings the values of new fields, of the models that have them.
    @Test func syncBringsWhatEarlierVersionDidNotKnow() async throws {
        let wide = Self.document("Note", ["title TEXT required", "body TEXT", "size INTEGER"])
        let (bench, shared, _) = try await before(wide)
        let wider = Self.document(
            "Note", ["title TEXT required", "body TEXT", "size INTEGER", "tag TEXT"])
        try bench.wire.deploy(wider)
        let c = try bench.database(on: "desk", definition: try checked(wider))
        try await c.logIn("b", password: "b")
        try await c.sync()
        var note = try #require(try await c.get(Note.self, guid: shared.guid))
        note.values["tag"] = "t".stored
        try await c.save(note)
        try await c.sync()
        let app = try bench.database(on: "phone-of-b", definition: try checked(wider))
        try await app.logIn("b", password: "b")
        #expect(try await app.get(Note.self, guid: shared.guid)?.values["tag"] == .null)
        #expect(try await app.sync().received == 1)
        #expect(try await app.get(Note.self, guid: shared.guid)?.text("tag") == "t")
        #expect(try await app.sync().received == 0)
    }

    /// The definition no longer tells of a renaming that the app has skipped.
    @Test func renamingThatIsNoLongerToldCostsModelOnly() async throws {
        let (bench, shared, _) = try await before()
        try bench.wire.deploy(
            Self.document(
                "Note", ["name<title TEXT required", "body TEXT", "size INTEGER", "old TEXT"]))
        let last = Self.document(
            "Note", ["name TEXT required", "body TEXT", "size INTEGER", "old TEXT"])
        try bench.wire.deploy(last)
        let b = try bench.database(on: "phone-of-b", definition: try checked(last))
        try await b.logIn("b", password: "b")
        #expect(try await b.sync().received == 1)
        #expect(try await b.get(Note.self, guid: shared.guid)?.text("name") == "first")
    }

    @Test func openConflictIsKept() async throws {
        let (bench, shared, _) = try await before()
        let (a, b) = (try await bench.loggedIn("a"), try await bench.loggedIn("b"))
        try await a.sync()
        var late = try #require(try await b.get(Note.self, guid: shared.guid))
        late.values["body"] = "of b".stored
        try await b.save(late)
        try await b.sync()
        try bench.wire.deploy(Self.new)
        let app = try bench.database(on: "phone-of-b", definition: try checked(Self.new))
        try await app.logIn("b", password: "b")
        let conflict = try #require(try await app.conflicts(of: Memo.self).first)
        #expect(conflict.sides.first?.mine?.text("text") == "of b")
        #expect(conflict.record?.text("text") == "edited")
        var resolved = try #require(conflict.sides.first?.mine)
        resolved.values["tag"] = "resolved".stored
        try await app.resolve(resolved)
        #expect(try await app.sync().accepted == 1)
        #expect(try await app.conflicts(of: Memo.self).isEmpty)
    }

    /// The deployment has yet to bring the value. The app reads a placeholder, and sends none.
    @Test func requiredFieldThatIsNotFilledYetIsRead() async throws {
        let (bench, shared, _) = try await before()
        let next = Self.document(
            "Note", ["title TEXT required", "body TEXT", "size INTEGER", "old TEXT required"])
        try bench.wire.deploy(next)
        let app = try bench.database(on: "desk", definition: try checked(next))
        try await app.logIn("b", password: "b")
        try await app.sync()
        var note = try #require(try await app.list(Note.self).first { $0.guid == shared.guid })
        #expect(note.values["old"] == "".stored)
        #expect(try await app.get(Note.self, guid: shared.guid) == note)
        note.values["body"] = "of b".stored
        try await app.save(note)
        #expect(try await app.sync().accepted == 1)
        let b = try await earlierApp(of: bench)
        try await b.sync()
        let seen = try #require(try await b.get(Note.self, guid: shared.guid))
        #expect(seen.text("body") == "of b" && seen.values["old"] == .null)
    }

    /// Generated models send the default of the field in every new record. Another value is
    /// refused by the name of the field.
    @Test(arguments: [true, false])
    func unsentValueThatSaysNothingInGoneFieldIsLeftOut(isDeployed: Bool) async throws {
        let bench = try await DeviceBench(
            Self.document("Note", ["title TEXT required", "score INTEGER default=3"]))
        let a = try await bench.loggedIn("a")
        var shared = Note(["title": "first".stored, "score": Int64(5).stored])
        try await a.save(shared)
        try await a.sync()
        shared.values["score"] = .null
        try await a.save(shared)
        try await a.save(Note(["title": "as generated".stored, "score": Int64(3).stored]))
        let scored = Note(["title": "with a score".stored, "score": Int64(4).stored])
        try await a.save(scored)
        let next = Self.document("Note", ["title TEXT required"])
        if isDeployed { try bench.wire.deploy(next) } else { try bench.wire.importing(next) }
        let app = try bench.database(on: "phone-of-a", definition: try checked(next))
        try await app.logIn("a", password: "a")
        let sent = try await app.sync()
        #expect(sent.accepted == 2 && sent.refused == 1)
        let refused = try await app.refusedChanges()
        #expect(refused.map(\.guid) == [scored.guid])
        #expect(refused.first?.refusals.map(\.code) == ["unknownField"])
    }

    /// A model, and fields as in `name<title TEXT required` and `score INTEGER default=3`.
    private static func document(_ model: String, _ fields: [String]) -> String {
        let all = #"role="users-mobile" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL""#
        let written = fields.map { text in
            let words = text.split(separator: " ").map(String.init)
            return """
                <field \(named(words[0])) type="\(words[1])"
                  required="\(words.contains("required"))" \(defaulted(words))>
                  <credentials><credential \(all)/></credentials>
                </field>
                """
        }
        return """
            <application xmlns="http://schema.mobeelizer.com/application"
              xmlns:w="urn:waggle:definition" application="notes" vendor="waggle"
              conflictMode="MANUAL">
              <devices><device name="mobile"/></devices>
              <groups><group name="users"/><group name="guests"/></groups>
              <roles>
                <role group="users" device="mobile"/><role group="guests" device="mobile"/>
              </roles>
              <models><model \(named(model))>
                <fields>\(written.joined())</fields>
                <credentials>
                  <credential \(all) deleteAllowed="ALL" resolveConflictAllowed="true"/>
                </credentials>
              </model></models>
            </application>
            """
    }
}

private func named(_ text: String) -> String {
    let parts = text.split(separator: "<")
    return "name=\"\(parts[0])\"" + (parts.count == 1 ? "" : " w:renamedFrom=\"\(parts[1])\"")
}

private func defaulted(_ words: [String]) -> String {
    words.compactMap { word in
        let parts = word.split(separator: "=")
        return parts.count == 2 ? "defaultValue=\"\(parts[1])\"" : nil
    }.joined()
}

private protocol NoteName: Sendable {
    static var name: String { get }
}

private enum OldName: NoteName { static let name = "Note" }
private enum NewName: NoteName { static let name = "Memo" }

private typealias Note = UntypedNote<OldName>
private typealias Memo = UntypedNote<NewName>

/// A record of either version, with its fields by name.
private struct UntypedNote<Name: NoteName>: Record {
    var values: RecordValues

    static var modelName: String { Name.name }
    static func property(at path: PartialKeyPath<Self>) -> RecordProperty? { nil }

    init(_ values: RecordValues) { self.values = values }

    init(_ fields: [String: StoredField]) {
        values = RecordValues(model: Name.name, guid: Self.newGuid())
        for (name, value) in fields { values[name] = value }
    }

    var guid: String { values.guid }
    var owner: String { values.owner }
    var group: String { values.group }
    var isConflicted: Bool { values.isConflicted }

    func text(_ field: String) -> String? { try? values.value(of: field, as: String.self) }
}
