import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import Testing
import VersionTranslation

/// A client's version, the versions after it up to the served one, and one record in both words.
struct RecordCase: Sendable, CustomStringConvertible {
    let description: String
    let client: String
    var later: [String] = []
    var earlier: [String] = []
    let served: [String: JSONValue]
    /// Nil if the client does not know the model.
    let read: [String: JSONValue]?
}

@Suite struct ClientTranslationTests {
    private static func translation(_ example: RecordCase) throws -> ClientTranslation {
        try translation(example.client, later: example.later, earlier: example.earlier)
    }

    private static func translation(
        _ client: String, later: [String] = [], earlier: [String] = []
    ) throws -> ClientTranslation {
        ClientTranslation(
            of: try version(client),
            along: earlier.isEmpty
                ? .later(try later.map { try version($0) })
                : .earlier(try earlier.map { try version($0) }))
    }

    private let asker = Asker(login: "a", group: "users", role: role)

    private func record(_ model: String, _ fields: [String: JSONValue]?) -> RecordView {
        RecordView(
            model: model, guid: "g", revision: 3, owner: "a", group: "users", isDeleted: false,
            isConflicted: false, fields: fields)
    }

    @Test(arguments: records)
    func recordIsShownInWordsOfClient(example: RecordCase) throws {
        let translation = try Self.translation(example)
        let model = try #require(translation.served.models.first).name
        let view = translation.clientView(of: record(model, example.served), for: asker)
        #expect(view?.fields == example.read)
        #expect(view?.model == (example.read == nil ? nil : translation.client.models[0].name))
    }

    @Test func fieldsOfConflictAreTranslatedAndUnknownOnesLeftOut() throws {
        let translation = try Self.translation(
            "packet: label TEXT", later: ["parcel<packet: code<label TEXT, note TEXT"])
        let side = { (text: JSONValue) in
            RecordConflict.Side(isDeleted: false, fields: ["code": text, "note": text])
        }
        var view = record("parcel", ["code": "x", "note": "n"])
        view.conflicts = [
            RecordConflict(
                revision: 2, baseRevision: 1, base: side("b"), mine: side("m"), theirs: side("t"))
        ]
        let conflict = try #require(translation.clientView(of: view, for: asker)?.conflicts?.first)
        #expect(conflict.base.fields == ["label": "b"] && conflict.mine.fields == ["label": "m"])
        #expect(conflict.theirs.fields == ["label": "t"])
    }

    @Test func deletedRecordHasNoFields() throws {
        let translation = try Self.translation("packet: a TEXT, b TEXT", later: ["packet: a TEXT"])
        let view = translation.clientView(of: record("packet", nil), for: asker)
        #expect(view != nil && view?.fields == nil)
    }

    @Test(arguments: writes)
    func changeIsReadInWordsOfServedVersion(
        client: String, later: [String], given: [String: JSONValue], read: [String: JSONValue]
    ) throws {
        let translation = try Self.translation(client, later: later)
        let model = try #require(translation.model(calledByClient: "packet"))
        #expect(model.servedFields(given, isNew: false) == read)
        #expect(model.servedFields(given, isNew: true) == read)
    }

    /// Generated models send the default, or what they read of a field, in every new record.
    @Test(
        arguments: [
            ("INTEGER =7", 7, true), ("INTEGER! =7", 7, true), ("INTEGER! =7", 0, false),
            ("INTEGER!", 0, true), ("INTEGER", 0, false), ("INTEGER =7", 8, false),
            ("DECIMAL =7.50", "7.5", true), ("TEXT!", "", true), ("TEXT", "", false),
        ] as [(String, JSONValue, Bool)])
    func initialValueOfGoneFieldSaysNothingInNewRecord(
        field: String, value: JSONValue, isInitial: Bool
    ) throws {
        let translation = try Self.translation(
            "packet: a TEXT, b \(field)", later: ["packet: a TEXT"])
        let model = try #require(translation.model(calledByClient: "packet"))
        let refused: [String: JSONValue] = ["b": .array([])]
        #expect(model.servedFields(["b": value], isNew: true) == (isInitial ? [:] : refused))
        #expect(model.servedFields(["b": value], isNew: false) == refused)
        let given = FieldValue(value, of: try #require(model.unserved.first).type.name)
        let read: [String: GivenValue] = ["b": .value(try #require(given))]
        #expect(model.servedFields(read, isNew: true).isEmpty == isInitial)
        #expect(!model.servedFields(read, isNew: false).isEmpty)
    }

    /// A client that held placeholders of a field gets its records again.
    @Test(arguments: [
        ("size INTEGER!", "size INTEGER", false), ("size INTEGER", "size INTEGER!", true),
        ("size INTEGER!", "size INTEGER!", true),
    ])
    func placeholdersAreNotHeldAfterUpdate(client: String, update: String, isHeld: Bool) throws {
        let served = "packet: size INTEGER, label TEXT"
        let former = try Self.translation("packet: \(client)", later: [served])
        let present = try Self.translation("packet: \(update), label TEXT", later: [served])
        let held = former.reduced(heldAfterUpdateTo: present)
        #expect(held.models.first?.fields.map(\.name) == (isHeld ? ["size"] : []))
    }

    @Test(arguments: causes)
    func causeNamesWhatClientKnows(
        client: String, later: [String], model: String, cause: Cause, told: String
    ) throws {
        let translation = try Self.translation(client, later: later)
        let outcome = translation.clientOutcome(
            Outcome(changeID: "1", kind: .refused, model: "parcel", guid: "g", causes: [cause]),
            ofModel: model)
        let found = try #require(outcome.causes.first)
        #expect(outcome.model == model)
        #expect("\(CauseDescription(found).code) \(found.field ?? "-")" == told)
    }

    @Test func queryIsReadInWordsOfServedVersion() throws {
        let translation = try Self.translation(
            "packet: label TEXT, inside BELONGS_TO",
            later: ["parcel<packet: code<label TEXT, within<inside BELONGS_TO"])
        let operands = ["label", "inside.label", "$owner", "junk", "inside.junk"]
        #expect(
            operands.map { translation.servedOperand($0, ofModel: "packet") }
                == ["code", "within.code", "$owner", "junk", "within.junk"])
        let filter = QueryFilter.not(
            .and([.null(operand: "label"), .like(operand: "inside.label", pattern: "%")]))
        #expect(
            translation.servedFilter(filter, ofModel: "packet")
                == .not(
                    .and([.null(operand: "code"), .like(operand: "within.code", pattern: "%")])))
    }

    /// A condition on the related record is asked of no record of another model.
    @Test func relationToAnotherModelIsNullInQueries() throws {
        let translation = try Self.translation(
            "packet: inside BELONGS_TO@box\nbox: label TEXT",
            later: ["packet: inside BELONGS_TO@bag\nbox: label TEXT\nbag: label TEXT"])
        let filter = QueryFilter.like(operand: "inside.label", pattern: "%")
        #expect(translation.servedFilter(filter, ofModel: "packet") == .or([]))
        #expect(
            translation.servedFilter(.null(operand: "inside"), ofModel: "packet") == .and([]))
    }

    /// The app that has the new version sends the value, which is refused.
    @Test func unsentRelationToAnotherModelIsKept() throws {
        let words = try #require(
            try Self.translation(
                "packet: inside BELONGS_TO@box, size INTEGER =3\nbox: label TEXT",
                later: ["packet: inside BELONGS_TO@bag\nbox: label TEXT\nbag: label TEXT"]
            ).model(calledByClient: "packet"))
        let fields: [String: JSONValue] = ["inside": "g", "size": 3]
        #expect(words.adaptedChange(fields, isNew: true) == ["inside": "g"])
        #expect(words.adaptedChange(fields, isNew: false) == fields)
        #expect(words.adaptedChange(["inside": .null], isNew: false) == [:])
        #expect(words.adapted(fields) == ["size": 3])
    }

    @Test func versionOfNowIsTranslatedToItself() throws {
        let translation = try Self.translation("packet: label TEXT")
        #expect(translation.reduced.models == translation.served.models)
        let names = try #require(ClientTranslation.names(in: translation.reduced.fingerprint))
        #expect(names.served == names.client)
        #expect(ClientTranslation.names(in: "abc") == nil)
    }

    /// A version that was only tried elsewhere.
    @Test(arguments: [
        ("packet: label TEXT", "parcel<packet: code<label TEXT"),
        ("parcel<packet: code<label TEXT", "packet: label TEXT"),
        ("parcel<packet: code<label TEXT", "box<parcel: tag<code label TEXT"),
    ])
    func directPathFindsWhichIsLater(client: String, served: String) throws {
        let (client, served) = (try version(client), try version(served))
        let translation = ClientTranslation(
            of: client, along: VersionPath(from: client, to: served))
        let model = try #require(translation.model(calledByClient: client.models[0].name))
        #expect(model.served.name == served.models[0].name)
        #expect(model.unserved.isEmpty)
    }

    /// The served version was deployed again. The client's is later than both.
    @Test(arguments: [
        "parcel<packet: code<label TEXT, weight<size INTEGER",
        "parcel: code TEXT, weight<size INTEGER", "packet: label TEXT, weight<size INTEGER",
    ])
    func directPathLeadsBackToEarlierVersion(client: String) throws {
        var names = VersionNames()
        let first = try version("packet: label TEXT, size INTEGER")
        _ = names.next(first)
        _ = names.next(try version("parcel<packet: code<label TEXT, size INTEGER"))
        let (client, served) = (try version(client), names.next(first))
        let translation = ClientTranslation(
            of: client, along: VersionPath(from: client, to: served))
        let model = try #require(translation.model(calledByClient: client.models[0].name))
        #expect(model.served.name == "packet" && model.unserved.isEmpty)
    }
}

// MARK: - Cases

private let records = [
    RecordCase(
        description: "renamed in two steps", client: "packet: tag TEXT",
        later: ["packet: label<tag TEXT", "parcel<packet: code<label TEXT"],
        served: ["code": "x"], read: ["tag": "x"]),
    RecordCase(
        description: "fields it does not know", client: "packet: label TEXT",
        later: ["packet: label TEXT, note TEXT, price DECIMAL!"],
        served: ["label": "x", "note": "n", "price": "1"], read: ["label": "x"]),
    RecordCase(
        description: "a field that is gone", client: "packet: label TEXT, note TEXT",
        later: ["packet: label TEXT"], served: ["label": "x"],
        read: ["label": "x", "note": .null]),
    RecordCase(
        description: "a required field that is gone", client: "packet: label TEXT!, size INTEGER!",
        later: ["packet: note TEXT"], served: ["note": "n"], read: ["label": "", "size": 0]),
    RecordCase(
        description: "a hidden field that is gone", client: "packet: label TEXT, note TEXT?",
        later: ["packet: label TEXT"], served: ["label": "x"], read: ["label": "x"]),
    RecordCase(
        description: "a field that is hidden from its asker",
        client: "packet: label TEXT, note TEXT", later: ["packet: label TEXT, text<note TEXT"],
        served: ["label": "x"], read: ["label": "x"]),
    RecordCase(
        description: "gone and back", client: "packet: label TEXT, note TEXT",
        later: ["packet: label TEXT", "packet: label TEXT, note TEXT"],
        served: ["label": "x", "note": "n"], read: ["label": "x", "note": "n"]),
    RecordCase(
        description: "renamed after it was gone", client: "packet: note TEXT",
        later: ["packet: label TEXT", "packet: text<note TEXT"], served: ["text": "n"],
        read: ["note": "n"]),
    RecordCase(
        description: "a whole number that is a decimal now", client: "packet: size INTEGER",
        later: ["packet: size DECIMAL"], served: ["size": "7.000"], read: ["size": 7]),
    RecordCase(
        description: "a decimal that is no whole number", client: "packet: size INTEGER",
        later: ["packet: size DECIMAL"], served: ["size": "7.5"], read: ["size": .null]),
    RecordCase(
        description: "a decimal that is no whole number, where one is required",
        client: "packet: size INTEGER!, mass INTEGER! =3",
        later: ["packet: size DECIMAL!, mass DECIMAL!"], served: ["size": "7.5", "mass": "7.5"],
        read: ["size": 0, "mass": 3]),
    RecordCase(
        description: "a field that is optional now", client: "packet: size INTEGER!, label TEXT!",
        later: ["packet: size INTEGER, label TEXT"], served: ["size": .null, "label": .null],
        read: ["size": 0, "label": ""]),
    RecordCase(
        description: "a field that is required now", client: "packet: size INTEGER",
        later: ["packet: size INTEGER!"], served: ["size": .null], read: ["size": .null]),
    RecordCase(
        description: "a hidden field that is optional now", client: "packet: size INTEGER!",
        later: ["packet: size INTEGER, label TEXT"], served: ["label": "x"], read: [:]),
    RecordCase(
        description: "another type under the same name", client: "packet: size INTEGER",
        later: ["packet: size DATE"], served: ["size": 7], read: ["size": .null]),
    RecordCase(
        description: "a relation to another model",
        client: "packet: inside BELONGS_TO@box\nbox: label TEXT",
        later: ["packet: inside BELONGS_TO@bag\nbox: label TEXT\nbag: label TEXT"],
        served: ["inside": "g"], read: ["inside": .null]),
    RecordCase(
        description: "a relation to a model that was renamed",
        client: "packet: inside BELONGS_TO@box\nbox: label TEXT",
        later: ["packet: inside BELONGS_TO@bag\nbag<box: label TEXT"],
        served: ["inside": "g"], read: ["inside": "g"]),
    RecordCase(
        description: "two fields that became one", client: "packet: code TEXT, label TEXT",
        later: ["packet: code<label TEXT"], served: ["code": "x"],
        read: ["code": "x", "label": .null]),
    RecordCase(
        description: "not deployed yet", client: "parcel<packet: code<label TEXT, note TEXT",
        earlier: ["packet: label TEXT"], served: ["label": "x"],
        read: ["code": "x", "note": .null]),
    RecordCase(
        description: "a whole number until it is deployed", client: "packet: size DECIMAL",
        earlier: ["packet: size INTEGER"], served: ["size": 7], read: ["size": "7"]),
    RecordCase(
        description: "a model it does not know", client: "packet: label TEXT",
        later: ["box: label TEXT\npacket: label TEXT"], served: ["label": "x"], read: nil),
]

private let writes: [(String, [String], [String: JSONValue], [String: JSONValue])] = [
    ("packet: a TEXT", ["parcel<packet: b<a TEXT"], ["a": "x"], ["b": "x"]),
    ("packet: a TEXT", ["packet: b TEXT"], ["a": .null], [:]),
    ("packet: a TEXT", ["packet: b TEXT"], ["a": "x"], ["a": .array([])]),
    // The client does not know that field, so it cannot set it.
    ("packet: a TEXT", ["packet: a TEXT, b TEXT"], ["b": "x"], ["b": .array([])]),
    ("packet: a TEXT", ["packet: a TEXT, b TEXT"], ["b": .null], ["b": .array([])]),
    ("packet: a TEXT", ["packet: a DATE"], ["a": "x"], ["a": .array([])]),
    (
        "packet: a BELONGS_TO", ["packet: a BELONGS_TO@box\nbox: b TEXT"], ["a": "g"],
        ["a": .array([])]
    ),
    ("packet: a DECIMAL", ["packet: a INTEGER"], ["a": "7.0"], ["a": 7]),
    ("packet: a DECIMAL", ["packet: a INTEGER"], ["a": "7.5"], ["a": "7.5"]),
    ("packet: a INTEGER", ["packet: a DECIMAL"], ["a": 7], ["a": 7]),
]

private let renamed = ["parcel<packet: code<label TEXT, note TEXT!"]

private let causes: [(String, [String], String, Cause, String)] = [
    ("packet: label TEXT", renamed, "packet", Cause(.empty, field: "code"), "empty label"),
    (
        "packet: label TEXT", renamed, "packet", Cause(.limit(.tooLong(max: 3)), field: "code"),
        "tooLong label"
    ),
    ("packet: label TEXT", renamed, "packet", Cause(.empty, field: "note"), "versionTooOld -"),
    (
        "packet: label TEXT, size DATE", renamed, "packet",
        Cause(.unknownField("size"), field: "size"), "fieldNotServed size"
    ),
    (
        "packet: label TEXT", renamed, "packet", Cause(.wrongType(expected: .text), field: "note"),
        "unknownField note"
    ),
    (
        "packet: label TEXT", renamed, "packet", Cause(.unknownField("junk"), field: "junk"),
        "unknownField junk"
    ),
    (
        "packet: label TEXT\nbox: size DATE", renamed, "box", Cause(.unknownModel("~box")),
        "modelNotServed -"
    ),
    (
        "packet: label TEXT", renamed, "junk", Cause(.unknownModel("~junk")), "unknownModel -"
    ),
    (
        "packet: label TEXT", renamed, "packet", Cause(.change(.recordDeleted)),
        "recordDeleted -"
    ),
]
