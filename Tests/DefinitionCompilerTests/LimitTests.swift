import DefinitionCompiler
import Foundation
import TestKit
import Testing

/// A document beyond a limit is refused quickly, with a message that names the limit.
@Suite struct LimitTests {
    @Test func refusesLargeDocumentUnread() throws {
        let bytes = [UInt8](repeating: UInt8(ascii: "<"), count: 100_000_000)
        let diagnostics = compile(bytes: bytes).diagnostics
        #expect(diagnostics.map(\.id) == ["documentTooLarge"])
        #expect(diagnostics.first?.message.contains("'max-bytes' of 67108864") == true)
    }

    @Test(arguments: [(0, true), (-1, false)])
    func countsBytesAsTheyCame(room: Int, isAllowed: Bool) throws {
        let bytes = try Fixtures.original("test2").bytes
        let limits = CompilerLimits(maxBytes: bytes.count + room)
        #expect((compile(bytes: bytes, within: limits).definition != nil) == isAllowed)
    }

    @Test(arguments: [(7, true), (6, false)])
    func countsNestedElements(depth: Int, isAllowed: Bool) throws {
        let bytes = try Fixtures.original("test2").bytes
        let compilation = compile(bytes: bytes, within: CompilerLimits(maxDepth: depth))
        #expect((compilation.definition != nil) == isAllowed)
        #expect(compilation.diagnostics.map(\.id) == (isAllowed ? [] : ["tooDeep"]))
    }

    @Test(arguments: [(15, true), (14, false)])
    func countsElements(count: Int, isAllowed: Bool) throws {
        let bytes = try Fixtures.original("test2").bytes
        let compilation = compile(bytes: bytes, within: CompilerLimits(maxElements: count))
        #expect((compilation.definition != nil) == isAllowed)
        #expect(compilation.diagnostics.map(\.id) == (isAllowed ? [] : ["tooManyElements"]))
    }

    @Test func showsTheFirstProblemsAndCountsTheRest() throws {
        let fields = String(repeating: "<field name='a' type='T'/>", count: 50)
        let limits = CompilerLimits(maxDiagnostics: 10)
        let compilation = compile(text: document(fields: fields), within: limits)
        #expect(compilation.definition == nil)
        #expect(compilation.diagnostics.count == 11)
        #expect(compilation.diagnostics.last?.id == "tooManyProblems")
        #expect(compilation.diagnostics.last?.message.contains("89 more") == true)
    }

    /// Waggle's limit applies before libxml2's own, with a message that names it.
    @Test(arguments: [(256, "wrongRoot"), (257, "tooDeep")])
    func nestingHasCeiling(depth: Int, id: String) {
        let text =
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        #expect(compile(text: text, within: .greatest).diagnostics.map(\.id) == [id])
    }

    @Test(arguments: [(10_000, "wrongRoot"), (10_001, "tooManyAttributes")])
    func attributesHaveCeiling(count: Int, id: String) {
        let attributes = (0..<count).map { " a\($0)=''" }.joined()
        let compilation = compile(text: "<a\(attributes)/>", within: .greatest)
        #expect(compilation.diagnostics.map(\.id) == [id])
    }

    @Test func limitsAreTakenIntoTheirRanges() {
        #expect(
            CompilerLimits(maxBytes: 0, maxDepth: -1, maxElements: 0)
                == CompilerLimits(maxBytes: 1, maxDepth: 1, maxElements: 1))
        #expect(CompilerLimits.greatest.maxBytes == 1_000_000_000)
        #expect(CompilerLimits.greatest.maxDepth == 256)
    }

    /// Also if any number of warnings precede it.
    @Test func neverLosesTheOneError() {
        let models = (0..<50).map { "<model name='m\($0)'/>" }.joined()
        let limits = CompilerLimits(maxDiagnostics: 10)
        let compilation = compile(
            text: document(models: models + "<model name='1'/>"), within: limits)
        #expect(compilation.definition == nil)
        #expect(compilation.diagnostics.contains { $0.severity == .error })
    }

    /// With superlinear time, each of these would take minutes or gigabytes.
    @Test(.timeLimit(.minutes(5)), arguments: hostile)
    func takesTimeInProportion(_ hostile: Hostile) {
        let source = SourceFile(name: "application.xml", bytes: Array(hostile.text.utf8))
        let compilation = compile(source)
        #expect(compilation.diagnostics.contains { $0.id == hostile.id })
        #expect(renderForPeople(compilation, of: source).utf8.count < 1_000_000)
    }

    struct Hostile: CustomTestStringConvertible, Sendable {
        let id: String
        let text: String
        let testDescription: String

        init(_ id: String, _ name: String, _ text: String) {
            self.id = id
            self.text = text
            testDescription = name
        }
    }

    static let hostile = [
        Hostile("tooDeep", "depth", many("<a>")),
        Hostile("tooManyAttributes", "attributes", "<a \(manyAttributes)/>"),
        Hostile("documentTypeRefused", "entities", bomb),
        Hostile("malformed", "comments", "<a>\(many("<!--"))"),
        Hostile("malformed", "references", "<a b='\(many("&#1;"))"),
        Hostile("malformed", "unknown entities", "<application>\(many("&x;"))"),
        Hostile("malformed", "character data", "<application>\(many("<![CDATA["))"),
        Hostile(
            "unexpectedText", "pieces of text",
            "<application>\(many("&amp; "))</application>"),
        Hostile(
            "illegalName", "a long name",
            "<application application='a' vendor='\(many("é"))'/>"),
        Hostile("unknownModel", "unknown models", manyUnknownModels),
        Hostile("duplicateCredential", "duplicates", manyCredentials),
        Hostile("requiredCycle", "a chain of relations", relations { min($0 + 1, 4999) }),
        Hostile("requiredCycle", "a ring of relations", relations { ($0 + 1) % 5000 }),
        Hostile("requiredNotWritable", "roles and fields", manyRolesAndFields),
    ]

    private static func many(_ text: String) -> String {
        String(repeating: text, count: 200_000)
    }

    private static let manyAttributes = (0..<100_000).map { "a\($0)=''" }.joined(separator: " ")

    private static let bomb =
        "<!DOCTYPE a [<!ENTITY e0 'xxxxxxxxxx'>"
        + (1..<30).map { level in
            "<!ENTITY e\(level) '\(String(repeating: "&e\(level - 1);", count: 10))'>"
        }.joined() + "]><application>&e29;</application>"

    /// One line with many errors, each of which is compared with thousands of names.
    private static let manyUnknownModels = document(
        models: (0..<3000).map { index in
            "<model name='model\(index)'><fields><field name='a' type='BELONGS_TO'><options>"
                + "<option name='model'>modle\(index)x</option></options></field></fields></model>"
        }.joined())

    /// 5,000 models, each of which requires a record of another one.
    private static func relations(to next: (Int) -> Int) -> String {
        let right =
            "<credentials><credential role='users-mobile' createAllowed='ALL' readAllowed='ALL'/>"
            + "</credentials>"
        return document(
            models: (0..<5000).map { index in
                "<model name='m\(index)'><fields><field name='a' type='BELONGS_TO' required='true'>"
                    + "\(right)<options><option name='model'>m\(next(index))</option></options>"
                    + "</field></fields>\(right)</model>"
            }.joined())
    }

    /// Each role may create records but may set only one of the required fields.
    private static let manyRolesAndFields: String = {
        let names = (0..<1000).map { "g\($0)" }
        let fields = names.map { name in
            "<field name='\(name)' type='TEXT' required='true'><credentials>"
                + "<credential role='\(name)-mobile' createAllowed='ALL'/>"
                + "<credential role='users-mobile' createAllowed='ALL'/></credentials></field>"
        }
        let credentials = (names + ["users"]).map {
            "<credential role='\($0)-mobile' createAllowed='ALL'/>"
        }
        let groups = names.map { "<group name='\($0)'/>" }
        let roles = names.map { "<role group='\($0)' device='mobile'/>" }
        return document(
            models: "<model name='a'><fields>\(fields.joined())</fields><credentials>"
                + "\(credentials.joined())</credentials></model>"
        )
        .replacing("<groups>", with: "<groups>\(groups.joined())")
        .replacing("<roles>", with: "<roles>\(roles.joined())")
    }()

    private static let manyCredentials = document(
        fields: "<field name='a' type='TEXT'><credentials>"
            + String(repeating: "<credential role='users-mobile'/>", count: 20_000)
            + "</credentials></field>")
}
