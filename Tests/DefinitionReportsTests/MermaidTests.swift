import DefinitionModel
import DefinitionReports
import Testing

@Suite struct MermaidTests {
    /// The syntax follows Mermaid's documentation of entity relationship diagrams.
    @Test(arguments: Documents.names)
    func everyLineIsOfItsGrammar(name: String) throws {
        let lines = renderAsMermaid(try Documents.definition(name)).split(separator: "\n")
        #expect(lines.first == "erDiagram")
        for line in lines.dropFirst() {
            let isEntity = line.contains(/^    "\w+"( \{)?$/) || line == "    }"
            let isAttribute = line.contains(/^        [A-Z_]+ \w+( FK)?( "required")?$/)
            let isRelation = line.contains(/^    "\w+" \}o--(\|\||o\|) "\w+" : "\w+"$/)
            #expect(isEntity || isAttribute || isRelation, "\(line)")
        }
        #expect(lines.count { $0.hasSuffix("{") } == lines.count { $0 == "    }" })
    }

    @Test func wordsOfItsLanguageAreNamesToo() {
        let models = ["to", "one", "style", "title", "direction"].map { name in
            Sample.model(
                name,
                fields: [
                    Sample.field("pk", isRequired: true), Sample.field("Fk"), Sample.field("UK"),
                    Sample.field("pkx"), Sample.relation("to", to: "one"),
                ])
        }
        let text = renderAsMermaid(
            Sample.definition(models: models + [Sample.model("none", fields: [])]))
        #expect(
            text.hasPrefix(
                """
                erDiagram
                    "to" {
                        TEXT pk_ "required"
                        TEXT Fk_
                        TEXT UK_
                        TEXT pkx
                        BELONGS_TO to FK
                    }

                """))
        #expect(text.contains("\n    \"none\"\n"))
        #expect(text.contains("\n    \"direction\" }o--o| \"one\" : \"to\"\n"))
    }
}
