import DefinitionCompiler
import Foundation
import TestKit
import Testing

/// The schemas in `Definitions/Schema`, for editors, accept what the compiler accepts, as far as a
/// schema can tell.
@Suite struct SchemaTests {
    @Test func takeEveryExampleAndOriginal() async throws {
        let examples = try folders(in: "Definitions").filter { $0 != "Schema" }.map {
            "Definitions/\($0)/application.xml"
        }
        let originals = ["definition_1", "test2", "android-demos"].map {
            "\(Self.fixtures)/originals/\($0).xml"
        }
        let documents = try (examples + originals).map { Document($0, try bytes(ofFile: $0)) }
        #expect(examples.count >= 3)
        #expect(try await valid(documents, by: "application.xsd") == Set(documents.map(\.name)))
    }

    @Test(arguments: [
        """
        xmlns="http://schema.mobeelizer.com/application"
        xsi:schemaLocation="http://schema.mobeelizer.com/application application.xsd"
        """,
        "xsi:noNamespaceSchemaLocation=\"language.xsd\"",
    ])
    func takeDocumentThatNamesThem(attributes: String) async throws {
        let text = """
            <application xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \(attributes)
                         application="library" vendor="acme"/>
            """
        let document = Document("a", Array(text.utf8))
        let isQualified = attributes.contains("xmlns=")
        let schema = isQualified ? "application.xsd" : "language.xsd"
        #expect(try await valid([document], by: schema) == ["a"])
        #expect(compile(SourceFile(name: "a", bytes: document.bytes)).definition != nil)
    }

    @Test func agreeWithCheckerOnItsFixtures() async throws {
        let names = try folders(in: Self.fixtures).filter { $0 != "originals" }
        try await expectAgreement(
            names.filter { Self.takenByTheCheckerOnly[$0] == nil }.map {
                Document($0, try bytes(ofFile: "\(Self.fixtures)/\($0)/application.xml"))
            })
    }

    @Test(
        arguments: ["valid-everything", "own-everything"],
        [nil, "http://schema.mobeelizer.com/application"])
    func agreeWithCheckerOnEverySmallChange(fixture: String, namespace: String?) async throws {
        let path = "\(Self.fixtures)/\(fixture)/application.xml"
        let compilation = compile(SourceFile(name: path, bytes: try bytes(ofFile: path)))
        var document = Markup(try #require(compilation.definition))
        document.attributes += namespace.map { [Markup.Attribute("xmlns", $0)] } ?? []
        let mutations = Mutation.all(of: document)
        #expect(mutations.count > 1000)
        try await expectAgreement(
            mutations.map { Document($0.name, Array($0.document.description.utf8)) })
    }

    @Test func agreeWithCheckerOnRandomDefinitions() async throws {
        try await expectAgreement(
            (UInt64(0)..<200).map { seed in
                var random = RandomDefinition(seed: seed)
                return Document("seed \(seed)", Array(Markup(random.next()).description.utf8))
            })
    }

    private static let fixtures = "Tests/DefinitionCompilerTests/Fixtures"

    /// Diagnostics that a schema can detect. All others concern references of credentials and
    /// relations, or values that depend on each other.
    private static let knownToSchemas: Set = [
        "emptyDocument", "nulCharacter", "malformed",
        "wrongRoot", "wrongNamespace", "unknownElement", "foreignElement", "unexpectedText",
        "duplicateSection", "unknownAttribute", "unknownOwnAttribute", "foreignAttribute",
        "missingAttribute", "unknownValue", "illegalName", "nameTooLong", "duplicateName",
        "duplicateRole", "duplicateCredential", "unknownGroup", "unknownDevice", "unknownOption",
        "duplicateOption", "noEarlierName",
    ]

    /// Detected by schemas only for attributes, whose form does not depend on the type of the
    /// field.
    private static let knownOfAttributes: Set = ["unreadableOption", "optionOutOfRange"]

    private static func isKnownToSchemas(_ diagnostic: Diagnostic) -> Bool {
        knownToSchemas.contains(diagnostic.id)
            || knownOfAttributes.contains(diagnostic.id)
                && diagnostic.message.hasPrefix("the attribute")
    }

    /// With these, the compiler stops early, and XML tools have their own limits and encodings.
    private static let beforeAllElse: Set = [
        "documentTypeRefused", "unsupportedEncoding", "encodingMismatch", "invalidBytes",
        "tooDeep", "tooManyAttributes",
    ]

    /// Valid fixtures that a schema rejects, each with the reason.
    private static let takenByTheCheckerOnly = [
        "valid-prefixed-namespace": "only its root has a namespace"
    ]

    private struct Document {
        let name: String
        let bytes: [UInt8]

        init(_ name: String, _ bytes: [UInt8]) {
            self.name = name
            self.bytes = bytes
        }
    }

    private func expectAgreement(_ documents: [Document]) async throws {
        let valid = try await valid(documents, by: "application.xsd")
            .union(try await valid(documents, by: "language.xsd"))
        let disagreements = documents.compactMap { document -> String? in
            let errors = compile(SourceFile(name: document.name, bytes: document.bytes))
                .diagnostics.filter { $0.severity == .error }
            let ids = Set(errors.map(\.id))
            guard ids.isDisjoint(with: Self.beforeAllElse) else { return nil }
            let isValid = !errors.contains(where: Self.isKnownToSchemas)
            guard isValid != valid.contains(document.name) else { return nil }
            return "\(document.name): \(isValid ? "not valid by" : "valid by") the schema, "
                + "to the checker \(ids.sorted())"
        }
        #expect(disagreements == [])
    }

    /// The names of the valid documents.
    private func valid(_ documents: [Document], by schema: String) async throws -> Set<String> {
        let folder = try TemporaryFolder()
        for (number, document) in documents.enumerated() {
            try folder.write(Data(document.bytes), to: "\(number).xml")
        }
        let xmllint = Program(
            path: "/usr/bin/env",
            arguments: [
                "xmllint", "--noout", "--nonet",
                "--schema", repositoryPath("Definitions/Schema/\(schema)"),
            ] + documents.indices.map { "\($0).xml" }, folder: folder)
        let finished = try await xmllint.run()
        // 0, or the codes for invalid and malformed documents.
        #expect([0, 1, 3, 4].contains(finished.exitCode), "\(finished.errors.prefix(1000))")
        let lines = Set(finished.errors.split(separator: "\n"))
        return Set(
            documents.indices.filter { lines.contains("\($0).xml validates") }
                .map { documents[$0].name })
    }

    private func folders(in path: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: repositoryPath(path)).filter {
            !$0.contains(".")
        }.sorted()
    }
}
