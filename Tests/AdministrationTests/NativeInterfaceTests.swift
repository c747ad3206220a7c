import Administration
import DefinitionCompiler
import DefinitionModel
import JSON
import TestKit
import Testing

@Suite struct NativeInterfaceTests {
    private func document(_ application: String) throws -> JSONValue {
        let path = "Definitions/\(application)/application.xml"
        let compilation = compile(SourceFile(name: path, bytes: try bytes(ofFile: path)))
        return nativeInterface(of: try #require(compilation.definition))
    }

    private func member(_ path: String..., of value: JSONValue) -> JSONValue? {
        path.reduce(value) { value, name in
            guard case .object(let members)? = value else { return nil }
            return members[name]
        }
    }

    @Test func fieldsOfChangesHaveTheirLimits() throws {
        let fields = member(
            "components", "schemas", "change.ConflictsEntity", "properties", "fields",
            "properties", of: try document("Conflicts"))
        #expect(
            fields
                == .object([
                    "title": .object(["type": "string", "maxLength": 255]),
                    "score": .object(["type": "integer", "minimum": 1, "maximum": 5]),
                ]))
    }

    /// Values may have been stored before a limit.
    @Test func fieldsOfRecordsHaveTypesOnly() throws {
        let score = member(
            "components", "schemas", "record.ConflictsEntity", "properties", "fields",
            "properties", "score", of: try document("Conflicts"))
        #expect(
            score
                == .object([
                    "anyOf": .array([
                        .object(["type": "integer", "format": "int64"]),
                        .object(["type": "null"]),
                    ])
                ]))
    }

    @Test(arguments: ["Conflicts", "FieldService", "Permissions"])
    func everyReferenceHasItsSchema(application: String) throws {
        let document = try document(application)
        guard case .object(let schemas)? = member("components", "schemas", of: document) else {
            Issue.record("no schemas")
            return
        }
        for match in document.text.matches(of: /"#\/components\/schemas\/([^"]+)"/) {
            #expect(schemas[String(match.1)] != nil, "\(match.1)")
        }
    }

    @Test func identifiersAreUnique() throws {
        let text = try document("FieldService").text
        let names = text.matches(of: /"operationId":"([^"]+)"/).map { String($0.1) }
        #expect(Set(names).count == names.count && names.contains("find.customer"))
    }
}
