import ArgumentParser
import Foundation
import JSON
import SchemaImport

struct ImportSchemaCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-schema",
        abstract: "Write a definition from a schema of another product.",
        discussion: """
            The definition goes to standard output, and what it leaves out to standard error. \
            Read it before you deploy it: a schema has no limits, and seldom says who may do what.

              waggle import-schema schemas.json --from parse --application notes --vendor me \\
                > application.xml
              waggle check application.xml
            """)

    /// A product whose schemas can be read.
    enum Product: String, CaseIterable, ExpressibleByArgument {
        case parse, azure, realm, amplify
    }

    @Argument(
        help: ArgumentHelp(
            "For parse, the answer of its server to GET /schemas; for azure, the OpenAPI document "
                + "of its server; for realm, a schema.json or a list of them; for amplify, "
                + "schema.graphql.", valueName: "file"),
        completion: .file())
    var file: String

    @Option(help: "The product of the schema.")
    var from: Product

    @Option(help: "The name of the application in the definition.")
    var application = "app"

    @Option(help: "The vendor in the definition.")
    var vendor = "vendor"

    func run() throws {
        let draft = try read()
        for note in draft.notes { Terminal.printMessage("note: \(note)") }
        print(definitionText(of: draft, application: application, vendor: vendor), terminator: "")
    }

    private func read() throws -> DefinitionDraft {
        guard let bytes = FileManager.default.contents(atPath: file) else {
            throw ToolFailure(
                .inputAtFault, "cannot read \(file)", help: "name a file that you may read")
        }
        do throws(SchemaImportError) {
            switch from {
            case .parse: return try readParseSchemas(try json(bytes))
            case .azure: return try readAzureSchema(try json(bytes))
            case .realm: return try readRealmSchemas(try json(bytes))
            case .amplify: return try readAmplifySchema(String(decoding: bytes, as: UTF8.self))
            }
        } catch {
            throw ToolFailure(
                .inputAtFault, "\(file): \(error.message)", help: error.help)
        }
    }

    private func json(_ bytes: Data) throws(SchemaImportError) -> JSONValue {
        guard let json = try? parseJSON(Array(bytes)) else {
            throw SchemaImportError(
                "this is not JSON", help: "save the schema as it was answered")
        }
        return json
    }
}
