import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncEngine
import Testing

@Suite("A deployment tells what it means for clients")
struct ClientProspectTests {
    private static let first = Documents.notes()
    private static let renamed = first.replacing(
        "name=\"title\"", with: "name=\"name\" w:renamedFrom=\"title\"")
    private static let gone = first.replacing("name=\"secret\"", with: "name=\"whisper\"")
    private static let needy = first.replacing(
        "<fields>", with: "<fields>" + field("status", required: true))

    private static func field(_ name: String, required: Bool) -> String {
        """
        <field name="\(name)" type="TEXT" required="\(required)"><credentials>
          <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
            updateAllowed="ALL"/></credentials></field>
        """
    }

    private static let status = FillRule(
        model: "Note", field: "status", source: .constant("open"))

    private func prospect(
        of client: String?, after versions: [String], deploying next: String,
        filling rules: [FillRule] = []
    ) throws -> ClientProspect {
        Deployment(
            of: try checked(next), source: [], at: Instant(milliseconds: 0), instance: "i",
            replacing: nil,
            after: try versions.map { DeployedDefinition(try checked($0), sequence: nil) },
            filling: rules
        ).prospect(of: try client.map(checked))
    }

    @Test func clientOfVersionToDeployStaysAsItIs() throws {
        let prospect = try prospect(of: Self.renamed, after: [Self.first], deploying: Self.renamed)
        #expect(prospect.effect == .same && prospect.subjects.isEmpty)
    }

    @Test func renamedFieldsAreTranslatedForThoseWhoNameTheirVersion() throws {
        let named = try prospect(of: Self.first, after: [Self.first], deploying: Self.renamed)
        #expect(named.effect == .translated)
        let unnamed = try prospect(of: nil, after: [Self.first], deploying: Self.renamed)
        #expect(unnamed.effect == .mustUpdate && unnamed.subjects == ["Note.title", "Note.name"])
    }

    @Test func goneFieldsAreNamed() throws {
        for client in [Self.first, nil] {
            let prospect = try prospect(of: client, after: [Self.first], deploying: Self.gone)
            #expect(prospect.effect == .refused && prospect.subjects == ["Note.secret"])
        }
    }

    /// Tighter limits, new requirements and new uniqueness, for both kinds of clients.
    @Test(arguments: [
        (#"<option name="maxValue">5<"#, #"<option name="maxValue">4<"#, "score"),
        (#"name="secret" type="TEXT""#, #"name="secret" type="TEXT" w:minLength="2""#, "secret"),
        (
            #"name="secret" type="TEXT""#, #"name="secret" type="TEXT" w:pattern="[a-z]*""#,
            "secret"
        ),
        (#"name="secret" type="TEXT""#, #"name="secret" type="TEXT" w:unique="true""#, "secret"),
        (
            #"name="secret" type="TEXT""#, #"name="secret" type="TEXT" required="true""#, "secret"
        ),
    ])
    func fieldsThatTakeLessAreNamed(from: String, to: String, field: String) throws {
        let next = Self.first.replacing(#" required="false""#, with: "").replacing(from, with: to)
        let first = Self.first.replacing(#" required="false""#, with: "")
        #expect(next != first)
        for client in [first, nil] {
            let prospect = try prospect(of: client, after: [first], deploying: next)
            #expect(prospect.effect == .refused && prospect.subjects == ["Note.\(field)"])
        }
        let back = try prospect(of: next, after: [next], deploying: first)
        #expect(back.effect == .translated, "the way back takes more")
    }

    @Test func relationToAnotherModelIsNamed() throws {
        let first = Documents.folders
        let next = first.replacing(">Sheet</option>", with: ">Folder</option>")
        #expect(next != first)
        for client in [first, nil] {
            let prospect = try prospect(of: client, after: [first], deploying: next)
            #expect(prospect.effect == .refused && prospect.subjects == ["Sheet.follows"])
        }
    }

    /// A rule of the deployment gives new records the value that clients leave out.
    @Test func requiredFieldWithRuleIsNotNamed() throws {
        let next = Self.first.replacing(
            #"name="secret" type="TEXT" required="false""#,
            with: #"name="secret" type="TEXT" required="true""#)
        let rule = FillRule(model: "Note", field: "secret", source: .constant("s"))
        let prospect = try prospect(
            of: Self.first, after: [Self.first], deploying: next, filling: [rule])
        #expect(prospect.effect == .translated)
    }

    /// Each new record of such a client has a value in it.
    @Test func requiredFieldThatIsGoneNeedsAnUpdate() throws {
        for client in [Self.needy, nil] {
            let bare = try prospect(of: client, after: [Self.needy], deploying: Self.first)
            #expect(bare.effect == .mustUpdate && bare.subjects == ["Note.status"])
        }
        let defaulted = Self.needy.replacing(
            #"name="status" type="TEXT""#, with: #"name="status" type="TEXT" defaultValue="open""#)
        let prospect = try prospect(of: defaulted, after: [defaulted], deploying: Self.first)
        #expect(prospect.effect == .refused && prospect.subjects == ["Note.status"])
    }

    /// Over a chain of versions, and by a rule of this or an earlier deployment.
    @Test func requiredFieldWithoutRuleNeedsAnUpdate() throws {
        let versions = [Self.first, Self.renamed]
        let next = Self.needy.replacing(
            "name=\"title\"", with: "name=\"name\" w:renamedFrom=\"title\"")
        let bare = try prospect(of: Self.first, after: versions, deploying: next)
        #expect(bare.effect == .mustUpdate && bare.subjects == ["Note.status"])
        let filled = try prospect(
            of: Self.first, after: versions, deploying: next, filling: [Self.status])
        #expect(filled.effect == .translated)
    }
}
