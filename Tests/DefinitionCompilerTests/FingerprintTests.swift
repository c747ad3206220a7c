import DefinitionCompiler
import DefinitionModel
import Testing

/// Waggle's extensions change the fingerprint, and leave the digest as the original clients compute
/// it.
@Suite struct FingerprintTests {
    private static let additions = [
        ("<application", "w:description=\"x\""), ("<application", "w:description=\"y\""),
        ("<application", "w:conflictMode=\"MERGE\""),
        ("<model name=\"Order\"", "w:conflictMode=\"MERGE\""),
        ("<model name=\"Order\"", "w:description=\"x\""),
        ("<model name=\"Order\"", "w:renamedFrom=\"x\""),
        ("<field name=\"title\"", "w:description=\"x\""),
        ("<field name=\"count\"", "w:description=\"x\""),
        ("<field name=\"title\"", "w:renamedFrom=\"x\""),
        ("<model name=\"Order\"", "w:alias=\"x\""),
        ("<field name=\"title\"", "w:alias=\"x\""),
        ("<field name=\"title\"", "w:unique=\"true\""),
        ("<field name=\"title\"", "w:minLength=\"1\""),
        ("<field name=\"title\"", "w:pattern=\"x\""),
        ("<field name=\"title\"", "w:allowedValues=\"x\""),
        ("<field name=\"title\"", "w:pattern=\"x\" w:minLength=\"1\""),
    ]

    @Test func coversEachAttributeAndItsPlace() throws {
        let plain = try #require(compile(text: DigestTests.document).definition)
        #expect(plain.fingerprint == plain.digest)
        var fingerprints: Set = [plain.fingerprint]
        for (element, attributes) in Self.additions {
            let definition = try Self.definition(attributes, in: element)
            #expect(definition.digest == plain.digest)
            #expect(fingerprints.insert(definition.fingerprint).inserted, "\(attributes)")
        }
    }

    @Test(arguments: ["w:pattern='x'\n w:minLength=\"&#49;\"", "w:minLength='1' w:pattern='x'"])
    func isTheSameForTheSameContent(attributes: String) throws {
        let field = "<field name=\"title\""
        let one = try Self.definition("w:pattern=\"x\" w:minLength=\"1\"", in: field)
        #expect(try Self.definition(attributes, in: field).fingerprint == one.fingerprint)
    }

    private static func definition(_ attributes: String, in element: String) throws -> Definition {
        let text = DigestTests.document
            .replacing(element, with: "\(element) \(attributes)")
            .replacing("<application", with: "<application xmlns:w=\"urn:waggle:definition\"")
        return try #require(compile(text: text).definition)
    }
}
