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
        #expect(unnamed.effect == .mustUpdate && unnamed.subjects == ["Note.name"])
    }

    @Test func goneFieldsAreNamed() throws {
        for client in [Self.first, nil] {
            let prospect = try prospect(of: client, after: [Self.first], deploying: Self.gone)
            #expect(prospect.effect == .refused && prospect.subjects == ["Note.secret"])
        }
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
