import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SQLiteStore
import SyncEngine
import SyncProtocol
import Testing

@Suite("A deployment brings values to stored records")
struct FillTests {
    private static let status = FillRule(
        model: "Note", field: "status", source: .constant("open"))

    @Test(arguments: [
        (FillRule.Source.constant("open"), JSONValue.string("open")),
        (.field("title"), .string("t")), (.defaultValue, .string("new")),
    ])
    func recordGetsValueOfRule(source: FillRule.Source, value: JSONValue) async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        let cursor = try await a.sync([create(1, ["title": "t"])]).cursor
        let rule = FillRule(model: "Note", field: "status", source: source)
        let next = try await bench.deploying(withStatus(default: "new"), filling: [rule])
        let before = try await a.sync(with: next).records
        #expect(before.first?.fields?["status"] == .null, "nobody has filled it in yet")
        let fill = try await bench.completing(by: next)
        #expect(fill.filled == 1 && fill.unfilled == 0)

        let pulled = try await a.sync(with: next, cursor: cursor)
        #expect(pulled.records.map { $0.fields?["status"] } == [value])
        #expect(pulled.records.first?.revision == 2 && !pulled.resync)
        let history = try await next.historyMessages(
            of: guid(1), model: "Note", cursor: nil, limit: nil, for: try await a.caller())
        let deployment = try #require(try await bench.store.fills().last).deployment
        #expect(history.entries.first?.login == "deployment \(deployment)")
        #expect(history.entries.first?.kind == .updated)
        #expect(history.entries.first?.before == ["status": .null])
    }

    /// Nobody made the change, so nobody's edit conflicts with it.
    @Test(arguments: ConflictMode.allCases)
    func editsOfBeforeAreAccepted(mode: ConflictMode) async throws {
        let bench = try await TestBench(Documents.notes(mode))
        let (a, b) = (bench.person("a"), bench.person("a", device: "tablet"))
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        let next = try await bench.deploying(withStatus(mode), filling: [Self.status])
        try await bench.completing(by: next)
        let outcomes = try await b.sync(
            [
                update(1, id: "u-1", base: 1, ["title": "x"]),
                update(2, id: "u-2", base: 1, ["status": "mine"]),
            ], with: next
        ).outcomes
        #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        let records = try await a.sync(with: next).records
        let fields = records.sorted { $0.guid < $1.guid }.map(\.fields)
        #expect(fields.map { $0?["title"] } == ["x", "t"])
        #expect(fields.map { $0?["status"] } == ["open", "mine"])
    }

    @Test func valueThatSomebodySetMeanwhileStays() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        let next = try await bench.deploying(withStatus(), filling: [Self.status])
        _ = try await a.sync([update(1, id: "u", base: 1, ["status": "mine"])], with: next)
        #expect(try await bench.completing(by: next).filled == 1)
        let records = try await a.sync(with: next).records.sorted { $0.guid < $1.guid }
        #expect(records.map { $0.fields?["status"] } == ["mine", "open"])
        let again = try await next.advance(
            DeploymentFill([Self.status]), by: next.rules.fills, ofDeployment: 9,
            at: Instant(milliseconds: 0))
        #expect(again.filled == 0 && again.isDone, "a repeated step")
    }

    /// A deleted record is not sent again, and gets its value when an edit brings it back.
    @Test func deletedRecordIsFilledWhenItReturns() async throws {
        let bench = try await TestBench(Documents.notes(.overwrite))
        let (a, b) = (bench.person("a"), bench.person("a", device: "tablet"))
        _ = try await a.push(create(1, ["title": "t"]))
        _ = try await a.push(delete(1, id: "d", base: 1))
        let next = try await bench.deploying(withStatus(.overwrite), filling: [Self.status])
        #expect(try await bench.completing(by: next).filled == 0)
        _ = try await b.sync([update(1, id: "u", base: 1, ["title": "x"])], with: next)
        let fields = try await a.sync(with: next).records.last?.fields
        #expect(fields?["title"] == "x" && fields?["status"] == "open")
    }

    /// Values have the form in which those of clients are stored.
    @Test(arguments: [FillRule.Source.constant("{ \"b\": 1, \"a\": 2 }"), .field("title")])
    func valueIsStoredAsThoseOfClients(source: FillRule.Source) async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "{ \"b\": 1, \"a\": 2 }"]))
        let json = withStatus().replacing(
            "<field name=\"status\"", with: "<field name=\"status\" w:format=\"json\"")
        let rule = FillRule(model: "Note", field: "status", source: source)
        let next = try await bench.deploying(json, filling: [rule])
        #expect(try await bench.completing(by: next).filled == 1)
        let fields = try await a.sync(with: next).records.last?.fields
        #expect(fields?["status"] == .string("{\"a\":2,\"b\":1}"))
    }

    @Test func recordWithoutSourceIsCountedAndGoesOn() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(
            create(1, ["title": "t", "secret": "s"]), create(2, ["title": "t"]))
        let rule = FillRule(model: "Note", field: "status", source: .field("secret"))
        let next = try await bench.deploying(withStatus(), filling: [rule])
        let fill = try await bench.completing(by: next)
        #expect(fill.filled == 1 && fill.unfilled == 1)
    }

    @Test func valueThatBreaksNarrowerLimitIsReplaced() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(
            create(1, ["title": "t", "score": 5]), create(2, ["title": "t", "score": 2]))
        let narrow = Documents.notes().replacing("\"maxValue\">5<", with: "\"maxValue\">3<")
        let rule = FillRule(model: "Note", field: "score", source: .constant(3))
        let next = try await bench.deploying(narrow, filling: [rule])
        #expect(try await bench.completing(by: next).filled == 1)
        let records = try await a.sync(with: next).records.sorted { $0.guid < $1.guid }
        #expect(records.map { $0.fields?["score"] } == [3, 2])
    }

    /// Unique values stay unique, and links of filled relations can be followed.
    @Test func uniqueValuesAndRelationsAreKeptInOrder() async throws {
        let bench = try await TestBench(Documents.parcels())
        let a = bench.person("a")
        _ = try await a.push(
            create(1, model: "Shelf", ["code": "s"]),
            create(2, model: "Parcel", ["code": "p", "note": "n"]),
            create(3, model: "Parcel", ["note": "n"]), create(4, model: "Parcel", ["note": "m"]))
        let required = Documents.parcels().replacing(
            "name=\"code\" type=\"TEXT\" required=\"false\"",
            with: "name=\"code\" type=\"TEXT\" required=\"true\"")
        let rule = FillRule(model: "Parcel", field: "code", source: .field("note"))
        let next = try await bench.deploying(required, filling: [rule])
        let fill = try await bench.completing(by: next)
        #expect(fill.filled == 2 && fill.unfilled == 0)
        let taken = try await a.sync(
            [create(5, model: "Parcel", ["code": "m"])], with: next
        ).outcomes
        #expect(taken.map(\.outcome) == [.refused], "a filled value is held")
    }

    // MARK: - Earlier clients

    /// The rule, not the default. A chain of versions, with a renaming after the rule.
    @Test(arguments: [FillRule.Source.constant("open"), .field("title")])
    func earlierClientCreatesWithValueOfRule(source: FillRule.Source) async throws {
        let bench = try await TestBench(Documents.notes())
        let old = bench.engine.rules.definition.fingerprint
        let rule = FillRule(model: "Note", field: "status", source: source)
        let second = try await bench.deploying(withStatus(default: "new"), filling: [rule])
        let renamed = withStatus(default: "new")
            .replacing("name=\"status\"", with: "name=\"state\" w:renamedFrom=\"status\"")
            .replacing("name=\"title\"", with: "name=\"name\" w:renamedFrom=\"title\"")
        let third = try await bench.deploying(renamed)
        let a = bench.person("a")
        let client = try #require(third.serving(client: old))
        let answer = try await client.sync(
            SyncRequest(changes: [create(1, ["title": "t"])]), from: try await a.caller(),
            at: Instant(milliseconds: 0))
        #expect(answer.outcomes.map(\.outcome) == [.accepted])
        #expect(answer.records.first?.fields?.keys.contains("state") == false)
        let stored = try await a.sync(with: third).records.first?.fields
        #expect(stored?["state"] == (source == .field("title") ? "t" : "open"))
        // A client that knows the field says for itself what is in it.
        let later = try #require(third.serving(client: second.rules.definition.fingerprint))
        _ = try await later.sync(
            SyncRequest(changes: [create(2, ["title": "t"])]), from: try await a.caller(),
            at: Instant(milliseconds: 0))
        #expect(
            try await a.sync(with: third).records.last?.fields?["state"] == "new")
    }

    /// The value needs no right, since the user did not choose it.
    @Test func valueOfRuleNeedsNoRight() async throws {
        let bench = try await TestBench(Documents.notes())
        let old = bench.engine.rules.definition.fingerprint
        let closed = withStatus(create: "NONE")
        let next = try await bench.deploying(closed, filling: [Self.status])
        let a = bench.person("a")
        let client = try #require(next.serving(client: old))
        let answer = try await client.sync(
            SyncRequest(changes: [create(1, ["title": "t"])]), from: try await a.caller(),
            at: Instant(milliseconds: 0))
        #expect(answer.outcomes.map(\.outcome) == [.accepted])
        let refused = try await a.sync(
            [create(2, ["title": "t", "status": "open"])], with: next
        ).outcomes
        #expect(refused.map(\.outcome) == [.refused])
    }

    /// Nor need the user know of the record that the rule names. One that is gone names nothing.
    @Test func recordOfRuleNeedNotBeSeen() async throws {
        let bench = try await TestBench(sheets())
        let old = bench.engine.rules.definition.fingerprint
        let guest = bench.person("g", group: "guests")
        _ = try await guest.push(create(1, model: "Folder", ["name": "hidden"]))
        let rule = FillRule(
            model: "Sheet", field: "folder", source: .constant(.string(guid(1))))
        let next = try await bench.deploying(sheets(inFolder: true), filling: [rule])
        let client = try #require(next.serving(client: old))
        let a = bench.person("a")
        func outcome(of number: Int) async throws -> OutcomeMessage? {
            let request = SyncRequest(changes: [create(number, model: "Sheet", ["title": "t"])])
            return try await client.sync(
                request, from: try await a.caller(), at: Instant(milliseconds: 0)
            ).outcomes.first
        }
        #expect(try await outcome(of: 2)?.outcome == .accepted)
        _ = try await guest.sync(
            [ChangeMessage(id: "d", action: .delete, model: "Folder", guid: guid(1), base: 1)],
            with: next)
        let refused = try await outcome(of: 3)
        #expect(refused?.causes?.map(\.code) == ["versionTooOld"])
    }

    @Test func creationIsRefusedIfRuleHasNoValue() async throws {
        let bench = try await TestBench(Documents.notes())
        let old = bench.engine.rules.definition.fingerprint
        let rule = FillRule(model: "Note", field: "status", source: .field("secret"))
        let next = try await bench.deploying(withStatus(), filling: [rule])
        let client = try #require(next.serving(client: old))
        let answer = try await client.sync(
            SyncRequest(changes: [create(1, ["title": "t"])]),
            from: try await bench.person("a").caller(), at: Instant(milliseconds: 0))
        #expect(answer.outcomes.first?.causes?.map(\.code) == ["versionTooOld"])
    }

    // MARK: - Rules that do not fit

    @Test(arguments: [
        (FillRule(model: "Page", field: "status", source: .defaultValue), "no model 'Page'"),
        (FillRule(model: "Note", field: "state", source: .defaultValue), "no field 'state'"),
        (FillRule(model: "Note", field: "status", source: .defaultValue), "has no default"),
        (FillRule(model: "Note", field: "status", source: .constant(3)), "takes "),
        (
            FillRule(model: "Note", field: "status", source: .constant(.string(longText))),
            "longer than 255 characters"
        ),
        (FillRule(model: "Note", field: "status", source: .field("x")), "no field 'x' to copy"),
        (FillRule(model: "Note", field: "status", source: .field("score")), "of another type"),
        (FillRule(model: "Note", field: "extra", source: .constant("x")), "not required"),
    ])
    func ruleIsRefusedWithReason(rule: FillRule, words: String) throws {
        let faults = FillRule.faults(
            in: [rule], for: try checked(withStatus(extra: true)),
            replacing: try checked(Documents.notes()))
        #expect(faults.count == 1)
        #expect(faults.first?.message.contains(words) == true, "\(faults.map(\.message))")
    }

    @Test func fieldHasOneRule() throws {
        let faults = FillRule.faults(
            in: [Self.status, Self.status], for: try checked(withStatus()),
            replacing: try checked(Documents.notes()))
        #expect(faults.map(\.reason) == [.repeated])
    }

    @Test(arguments: [
        FillRule(model: "m", field: "f", source: .constant(.null)),
        FillRule(model: "m", field: "f", source: .constant(.array([.string("x")]))),
        FillRule(model: "m", field: "f", source: .field("g")),
        FillRule(model: "m", field: "f", source: .defaultValue),
    ])
    func storedRuleIsReadAgain(rule: FillRule) throws {
        var fill = DeploymentFill([rule])
        fill.position = 7
        fill.filled = 5
        fill.unfilled = 1
        fill.isDone = true
        #expect(try DeploymentFill(text: fill.text) == fill)
    }

    /// A number that is too large would end the process when a step adds to it, and a rule that is
    /// left out would leave records without its value.
    @Test(arguments: [
        (#""filled":0"#, #""filled":9223372036854775807"#),
        (#""unfilled":0"#, #""unfilled":-1"#), (#""position":0"#, #""position":1099511627777"#),
        (#""field":"status""#, #""fold":"status""#), (#""done":false"#, #""done":0"#),
    ])
    func damagedFillIsAnError(part: String, damage: String) throws {
        let text = DeploymentFill([Self.status]).text
        try #require(text.contains(part), "\(text)")
        #expect(throws: StoreError.self) {
            try DeploymentFill(text: text.replacing(part, with: damage))
        }
    }
}

/// Sheets of users, and folders of guests, which users do not see.
private func sheets(inFolder: Bool = false) -> String {
    func credential(_ role: String) -> String {
        """
        <credential role="\(role)-mobile" createAllowed="ALL" readAllowed="ALL"
          updateAllowed="ALL" deleteAllowed="ALL"/>
        """
    }
    let folder = Documents.field(
        "folder", "BELONGS_TO", required: true, read: "ALL",
        options: "<option name=\"model\">Folder</option>")
    return Documents.document(
        .manual,
        models: """
            <model name="Folder">
              <fields>\(Documents.field("name", "TEXT", read: "ALL"))</fields>
              <credentials>\(credential("guests"))</credentials>
            </model>
            <model name="Sheet">
              <fields>\(Documents.field("title", "TEXT", read: "ALL"))\(inFolder ? folder : "")\
            </fields>
              <credentials>\(credential("users"))</credentials>
            </model>
            """)
}

private let longText = String(repeating: "x", count: 300)

/// The notes with a required `status`.
private func withStatus(
    _ mode: ConflictMode = .manual, default value: String? = nil, create: String = "ALL",
    extra: Bool = false
) -> String {
    func field(_ name: String, required: Bool) -> String {
        """
        <field name="\(name)" type="TEXT" required="\(required)"
          \(required ? value.map { "defaultValue=\"\($0)\"" } ?? "" : "")>
          <credentials><credential role="users-mobile" createAllowed="\(create)"
            readAllowed="ALL" updateAllowed="ALL"/></credentials>
        </field>
        """
    }
    let added = field("status", required: true) + (extra ? field("extra", required: false) : "")
    return Documents.notes(mode).replacing("<fields>", with: "<fields>" + added)
}

extension TestBench {
    /// Fills in the values of the last deployment, to the end.
    @discardableResult
    fileprivate func completing(by engine: Engine) async throws -> DeploymentFill {
        let stored = try #require(try await store.fills().last)
        var fill = stored.fill
        while !fill.isDone {
            fill = try await engine.advance(
                fill, by: engine.rules.fills, ofDeployment: stored.deployment,
                at: Instant(milliseconds: 5))
            try await store.update(fill, ofDeployment: stored.deployment)
        }
        return fill
    }
}
