import Administration
import DefinitionCompiler
import DefinitionModel
import JSON
import TestKit
import Testing

@Suite struct NativeInterfaceTests {
    /// The document of an example, with parts of its definition replaced.
    private func document(
        _ application: String, replacing parts: [String: String] = [:]
    ) throws -> JSONValue {
        let path = "Definitions/\(application)/application.xml"
        var text = String(decoding: try bytes(ofFile: path), as: UTF8.self)
        for (part, other) in parts {
            try #require(text.contains(part))
            text = text.replacing(part, with: other)
        }
        let compilation = compile(SourceFile(name: path, bytes: Array(text.utf8)))
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

    @Test func decimalsHaveTheirBounds() throws {
        let document = try document("FieldService")
        let table: [(model: String, field: String, bounds: [String: JSONValue])] = [
            ("customer", "creditLimit", ["minimum": 0]),
            ("site", "latitude", ["minimum": -90, "maximum": 90]),
            ("partUsage", "quantity", ["exclusiveMinimum": 0]),
        ]
        for (model, field, bounds) in table {
            let schema = try #require(
                member(
                    "components", "schemas", "change.\(model)", "properties", "fields",
                    "properties", field, of: document))
            // A field that may be null has two schemas.
            var own = schema
            if case .array(let either)? = member("anyOf", of: schema) { own = either[0] }
            for (name, bound) in bounds {
                #expect(member(name, of: own) == bound, "\(field): \(schema.text)")
            }
        }
    }

    /// ECMAScript matches a part of a text, and a dot there matches no end of a line.
    @Test(
        arguments: [
            (#"[A-Z]{2}\d{6}"#, #"^(?:[A-Z]{2}\d{6})$"#), (#"a|b\.c"#, #"^(?:a|b\.c)$"#),
            ("a.c", nil), (#"\p{L}+"#, nil), ("[^a]", nil), (#"\s"#, nil), ("é", nil),
        ] as [(String, String?)])
    func patternIsGivenIfItMeansTheSame(written: String, given: String?) throws {
        let document = try document(
            "Conflicts",
            replacing: [
                "<application ": "<application xmlns:w=\"urn:waggle:definition\" ",
                "name=\"title\" ": "name=\"title\" w:pattern=\"\(written)\" ",
            ])
        let title = try #require(
            member(
                "components", "schemas", "change.ConflictsEntity", "properties", "fields",
                "properties", "title", of: document))
        #expect(member("pattern", of: title) == given.map { .string($0) })
        #expect(member("description", of: title)?.text.contains("all of it matches") ?? false)
    }

    @Test func filesHaveTheirHeadersAndContents() throws {
        let file = try #require(member("paths", "/files/{guid}", of: try document("FieldService")))
        let names = { (method: String) -> [String] in
            guard case .array(let all)? = member(method, "parameters", of: file) else { return [] }
            return all.compactMap { parameter in
                guard member("in", of: parameter) == "header",
                    case .string(let name)? = member("name", of: parameter)
                else { return nil }
                return name
            }
        }
        #expect(names("put") == ["Repr-Digest", "Content-Range"])
        #expect(names("get") == ["Range", "If-None-Match", "If-Range"])
        #expect(
            member("put", "requestBody", "content", of: file)
                == .object(["application/octet-stream": .object([:])]))
        #expect(member("get", "responses", "206", "headers", "ETag", of: file) != nil)
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

    /// A document that allows every status would describe every answer.
    @Test func everyAnswerIsNamedByItsStatus() throws {
        let document = try document("FieldService")
        #expect(!document.text.contains(#""default":{"content""#))
        let table: [(path: String, method: String, with: [String], without: [String])] = [
            ("/health", "get", ["404", "503"], ["401", "413", "default"]),
            ("/session", "post", ["401", "413", "429"], ["416", "default"]),
            ("/files/{guid}", "get", ["401", "403", "416"], ["413", "default"]),
            ("/files/{guid}", "put", ["409", "411", "413", "422"], ["416", "default"]),
            ("/records/customer", "get", ["404", "414", "422"], ["409", "default"]),
        ]
        for (path, method, some, others) in table {
            let answers = try #require(member("paths", path, method, "responses", of: document))
            for status in some {
                let reference = member(status, "$ref", of: answers)
                #expect(
                    reference == .string("#/components/responses/refusal\(status)"), "\(path)")
            }
            #expect(!others.contains { member($0, of: answers) != nil }, "\(method) \(path)")
        }
        let names = document.text.matches(of: /"#\/components\/responses\/([^"]+)"/)
        for name in Set(names.map { String($0.1) }) {
            #expect(member("components", "responses", name, of: document) != nil, "\(name)")
        }
    }

    @Test func identifiersAreUnique() throws {
        let text = try document("FieldService").text
        let names = text.matches(of: /"operationId":"([^"]+)"/).map { String($0.1) }
        #expect(Set(names).count == names.count && names.contains("find.customer"))
    }
}
