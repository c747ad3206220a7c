import ChangeRules
import DefinitionCompiler
import DefinitionModel
import JSON
import SyncEngine
import Testing
import WholeRecordSync

@testable import MobeelizerWire

private let guid = "ABCDEF00-0000-4000-8000-00000000abcd"

@Suite("A line contains a whole record")
struct LineTests {
    @Test func lineIsReadAsClientsWriteIt() throws {
        let line = try RecordLine(
            Array(
                #"""
                {"model":"Film","guid":"\#(guid)","owner":null,"group":null,"resolveConflict":true,
                "conflictState":"IN_CONFLICT","fields":{"title":"","score":null,"s_deleted":"true"}}
                """#.utf8))
        #expect(
            line
                == RecordLine(
                    model: "Film", guid: guid, resolvesConflict: true, isDeleted: true,
                    fields: ["title": "", "score": .null]))
    }

    @Test(arguments: [
        ("", "a value belongs here"),
        ("[]", "it is not a JSON object"),
        (#"{"guid":"g","fields":{}}"#, "it has no text 'model'"),
        (#"{"model":"m","guid":7,"fields":{}}"#, "it has no text 'guid'"),
        (#"{"model":"m","guid":"g"}"#, "it has no 'fields'"),
        (#"{"model":"m","guid":"g","fields":[]}"#, "its 'fields' are not a JSON object"),
        (
            #"{"model":"m","guid":"g","fields":{"s_deleted":"no"}}"#,
            "its 's_deleted' is neither true nor false"
        ),
        (
            #"{"model":"m","guid":"g","resolveConflict":1,"fields":{}}"#,
            "its 'resolveConflict' is neither true nor false"
        ),
        (#"{"model":"m","model":"n"}"#, "the name 'model' comes twice"),
        ("{\u{FF}", "a name in double quotes belongs here"),
    ])
    func faultIsReported(text: String, words: String) {
        #expect(throws: LineError.self) { try RecordLine(Array(text.utf8)) }
        do throws(LineError) {
            _ = try RecordLine(Array(text.utf8))
        } catch {
            #expect(error.reason.contains(words), "\(error.reason)")
        }
    }

    /// With a renamed model, a new field, and a field whose type has changed.
    @Test func clientOfEarlierVersionHasItsOwnNames() throws {
        let mapping = SchemaMapping(
            now: try definition(
                #"<model name="Film" w:renamedFrom="Movie">"#,
                [
                    ("name", "TEXT", #"w:renamedFrom="title""#), ("score", "DECIMAL", ""),
                    ("fresh", "TEXT", ""),
                ]),
            client: try definition(
                #"<model name="Movie">"#, [("title", "TEXT", ""), ("score", "INTEGER", "")]))
        let line = RecordLine(
            model: "Movie", guid: guid, fields: ["title": "t", "score": "3", "unknown": "u"])
        #expect(
            FullRecord(line, through: mapping, id: "i")
                == FullRecord(
                    id: "i", model: "Film", guid: guid, isDeleted: false, resolves: false,
                    fields: [
                        "name": .value(.text("t")), "score": .value(.decimal(DecimalNumber(3))),
                        "unknown": .unreadable,
                    ], unreadable: ["unknown": "u"]))
        let view = RecordView(
            model: "Film", guid: guid, revision: 3, owner: "a", group: "users", isDeleted: false,
            isConflicted: false, fields: ["name": "t", "score": "1.5", "fresh": "f"])
        let sent = DeliveredLine(
            DeliveredRecord(view: view, ownSide: nil), through: mapping)
        #expect(sent?.model == "Movie")
        // The client's type has no such value.
        #expect(sent?.fields == ["title": "t", "s_deleted": "false"])
        let back = RecordLine(model: "Movie", guid: guid, fields: ["score": .null])
        #expect(FullRecord(back, through: mapping, id: "i").standingForFractions == ["score"])
    }

    /// The other way round: each whole number is a decimal, and a fraction is refused.
    @Test func clientOfDecimalsIsServedWholeNumbers() throws {
        let mapping = SchemaMapping(
            now: try definition(#"<model name="Film">"#, [("score", "INTEGER", "")]),
            client: try definition(#"<model name="Film">"#, [("score", "DECIMAL", "")]))
        for (sent, value) in [("3.0", GivenValue.value(.integer(3))), ("1.5", .unreadable)] {
            let line = RecordLine(model: "Film", guid: guid, fields: ["score": .string(sent)])
            let record = FullRecord(line, through: mapping, id: "i")
            #expect(record.fields == ["score": value] && record.standingForFractions.isEmpty)
        }
        let view = RecordView(
            model: "Film", guid: guid, revision: 3, owner: "a", group: "users", isDeleted: false,
            isConflicted: false, fields: ["score": 4])
        let line = DeliveredLine(
            DeliveredRecord(view: view, ownSide: nil), through: mapping)
        #expect(line?.fields["score"] == "4")
    }

    /// The clients for iOS and Windows Phone cannot read a null.
    @Test(arguments: [
        (false, false, false, DeliveredLine.ConflictState.none),
        (true, false, false, .none),
        (false, true, false, .ofOthers),
        (false, true, true, .ofThisDevice),
        (true, true, false, .ofOthers),
    ])
    func recordIsSentWithItsState(
        deleted: Bool, conflicted: Bool, isDisputedHere: Bool, state: DeliveredLine.ConflictState
    ) throws {
        let now = try definition(#"<model name="Film">"#, [("title", "TEXT", "")])
        let isGone = deleted && !conflicted
        let view = RecordView(
            model: "Film", guid: guid, revision: 3, owner: "a", group: "users", isDeleted: deleted,
            isConflicted: conflicted, fields: isGone ? nil : ["title": .null])
        let line = try #require(
            DeliveredLine(
                DeliveredRecord(
                    view: view,
                    ownSide: isDisputedHere
                        ? RecordConflict.Side(isDeleted: deleted, fields: [:]) : nil),
                through: SchemaMapping(now: now, client: now)))
        #expect(
            String(decoding: try line.bytes(), as: UTF8.self)
                == #"{"conflictState":"\#(state.rawValue)","#
                + #""fields":{"s_deleted":"\#(deleted)"},"group":"users","#
                + #""guid":"\#(guid)","model":"Film","owner":"a","resolveConflict":false}"#
                + "\n")
    }

    /// The client for iOS takes the values of every line, and the deletion.
    @Test func authorOfConflictIsSentOwnSide() throws {
        let now = try definition(
            #"<model name="Film">"#, [("title", "TEXT", ""), ("score", "INTEGER", "")])
        let view = RecordView(
            model: "Film", guid: guid, revision: 3, owner: "a", group: "users", isDeleted: true,
            isConflicted: true, fields: ["title": "theirs", "score": 3])
        let own = RecordConflict.Side(isDeleted: false, fields: ["title": "mine"])
        let line = DeliveredLine(
            DeliveredRecord(view: view, ownSide: own),
            through: SchemaMapping(now: now, client: now))
        #expect(line?.conflictState == .ofThisDevice)
        #expect(line?.fields == ["title": "mine", "score": "3", "s_deleted": "false"])
    }

    /// The clients for iOS and Android cannot read a file without contents.
    @Test func fileThatDoesNotComeIsNotNamed() throws {
        let now = try definition(
            #"<model name="Film">"#,
            [("still", "FILE", ""), ("poster", "FILE", #"required="true""#)])
        let file: JSONValue = .object(["guid": .string(guid), "filename": "a.png"])
        let view = RecordView(
            model: "Film", guid: guid, revision: 3, owner: "a", group: "users", isDeleted: false,
            isConflicted: false, fields: ["still": file, "poster": file])
        for (withheld, names) in [
            ([guid], ["poster", "s_deleted"]), ([], ["poster", "s_deleted", "still"]),
        ] {
            let line = try #require(
                DeliveredLine(
                    DeliveredRecord(view: view, ownSide: nil),
                    through: SchemaMapping(now: now, client: now), withholding: Set(withheld)))
            #expect(line.fields.keys.sorted() == names)
        }
    }

    /// The library for iOS takes dates for seconds, of 32 bits.
    @Test(arguments: [
        (-1500, "-2"), (-1000, "-1"), (0, "0"), (1999, "1"), (4_000_000_000_000, "2147483647"),
        (Int64.min, "-2147483648"),
    ])
    func datesAreSecondsForIOS(milliseconds: Int64, seconds: String) throws {
        let now = try definition(#"<model name="Film">"#, [("day", "DATE", "")])
        let mapping = SchemaMapping(now: now, client: now).serving(.iOS)
        let view = RecordView(
            model: "Film", guid: guid, revision: 3, owner: "a", group: "users", isDeleted: false,
            isConflicted: false, fields: ["day": .integer(milliseconds)])
        let sent = DeliveredLine(DeliveredRecord(view: view, ownSide: nil), through: mapping)
        #expect(sent?.fields["day"] == .string(seconds))
        let line = RecordLine(model: "Film", guid: guid, fields: ["day": .string(seconds)])
        let date = try #require(Int64(seconds)) * 1000
        #expect(
            FullRecord(line, through: mapping, id: "i").fields
                == ["day": .value(.date(milliseconds: date))])
    }

    @Test func droppedRecordsAreSentAsDeleted() throws {
        let now = try definition(#"<model name="Film">"#, [("title", "TEXT", "")])
        let line = DeliveredLine(
            RecordKey(model: "Film", guid: guid), through: SchemaMapping(now: now, client: now))
        #expect(line?.fields == ["s_deleted": "true"] && line?.owner == nil)
    }

    private func definition(
        _ model: String, _ fields: [(name: String, type: String, own: String)]
    ) throws -> Definition {
        let texts = fields.map { #"<field name="\#($0)" type="\#($1)" \#($2)/>"# }
        let source = SourceFile(
            name: "application.xml",
            bytes: Array(
                """
                <application xmlns="http://schema.mobeelizer.com/application"
                  xmlns:w="urn:waggle:definition" application="films" vendor="waggle"
                  conflictMode="OVERWRITE">
                  <devices><device name="mobile"/></devices><groups><group name="users"/></groups>
                  <roles><role group="users" device="mobile"/></roles>
                  <models>\(model)<fields>\(texts.joined())</fields></model></models>
                </application>
                """.utf8))
        return try #require(recompile(source).definition)
    }
}
