import Testing

@Suite("import-schema writes a definition")
struct ImportSchemaCommandTests {
    private static let schemas = """
        {"results":[{"className":"Score","fields":{"objectId":{"type":"String"},
        "player":{"type":"String"},"tags":{"type":"Polygon"}}}]}
        """

    @Test func definitionIsChecked() async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(Self.schemas, to: "schemas.json")
        let made = try await Tool.run(
            ["import-schema", file, "--from", "parse", "--application", "a", "--vendor", "v"],
            in: folder)
        #expect(made.exitCode == 0)
        #expect(
            made.errors == """
                note: Score.tags is left out: there is no type for Polygon
                note: the access lists of objects are not kept: set OWN where objects were private

                """)
        let definition = try folder.write(made.output, to: "application.xml")
        let checked = try await Tool.run(["check", definition], in: folder)
        #expect(checked.exitCode == 0, "\(checked.errors)")
    }

    @Test(arguments: [
        (
            "azure",
            """
            {"paths":{"/tables/Note":{}},
             "definitions":{"Note":{"properties":{"at":{"type":"string","format":"date"}}}}}
            """
        ),
        ("realm", #"{"title":"Note","properties":{"at":{"bsonType":"date"}}}"#),
        ("amplify", "type Note @model { at: AWSDate }"),
    ])
    func schemasOfOthersAreTaken(product: String, schema: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(schema, to: "schema")
        let made = try await Tool.run(
            ["import-schema", file, "--from", product, "--application", "a", "--vendor", "v"],
            in: folder)
        #expect(made.exitCode == 0 && made.errors == "", "\(made.errors)")
        let definition = try folder.write(made.output, to: "application.xml")
        let checked = try await Tool.run(["check", definition], in: folder)
        #expect(checked.exitCode == 0, "\(checked.errors)")
    }

    @Test(arguments: ["{}", "text"]) func otherFileIsRefused(text: String) async throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "schemas.json")
        let refused = try await Tool.run(["import-schema", file, "--from", "parse"], in: folder)
        #expect(refused.exitCode == 1 && refused.output == "" && refused.errors != "")
        let missing = try await Tool.run(["import-schema", "none", "--from", "parse"], in: folder)
        #expect(missing.exitCode == 1 && missing.errors.contains("cannot read none"))
    }
}
