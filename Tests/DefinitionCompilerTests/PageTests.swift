import DefinitionCompiler
import DefinitionModel
import SourceGenerator
import Testing

/// Each diagnostic has a page, and the examples of a page show the diagnostic.
@Suite struct PageTests {
    @Test func everyDiagnosticHasPageAndEveryPageIsOfOne() throws {
        let ids = DiagnosticPage.all.map(\.id)
        #expect(try Set(ids) == declaredIds)
        #expect(Set(ids).count == ids.count, "a page is there twice")
    }

    @Test(arguments: DiagnosticPage.all)
    func isFoundByItsId(page: DiagnosticPage) {
        #expect(explanation(of: page.id) == page)
    }

    @Test(arguments: [
        ("unknwnRole", "unknownRole"), ("UNKNOWNROLE", "unknownRole"),
        ("unknown-role", "unknownRole"),
        ("", nil), ("error", nil),
    ])
    func unknownIdHasSuggestion(id: String, guess: String?) {
        #expect(explanation(of: id) == nil)
        #expect(nearestDiagnostic(to: id) == guess)
    }

    /// Diagnostics that need large documents are produced within small limits here.
    @Test func namesSeverityOfDiagnostic() throws {
        let fixtures = try Fixtures.names.flatMap {
            compile(try Fixtures.source($0), naming: Generator.namingRules).diagnostics
        }
        let small = [
            CompilerLimits(maxBytes: 10), CompilerLimits(maxElements: 5),
            CompilerLimits(maxDiagnostics: 1),
        ].flatMap { compile(text: document(fields: "<field/><field/>"), within: $0).diagnostics }
        let reported = fixtures + small
        #expect(try Set(reported.map(\.id)) == declaredIds)
        for diagnostic in reported {
            #expect(explanation(of: diagnostic.id)?.severity == diagnostic.severity)
        }
    }

    // MARK: - Words

    @Test(arguments: DiagnosticPage.all)
    func isWrittenForTerminal(page: DiagnosticPage) {
        let lines = page.text.split(separator: "\n")
        #expect(lines.allSatisfy { $0.count <= 80 })
        #expect(page.summary.count <= 72 && page.summary.hasSuffix("."))
        #expect(page.summary.first?.isUppercase == true)
        #expect(renderForPeople(page).hasPrefix("\(page.id) (\(page.severity.rawValue))\n\n"))
        #expect(!renderForPeople(page).contains("`"))
    }

    @Test(arguments: DiagnosticPage.all)
    func isTheSameInColourButForColours(page: DiagnosticPage) {
        let coloured = renderForPeople(page, style: .coloured)
        #expect(coloured != renderForPeople(page))
        #expect(coloured.withoutEscapeSequences == renderForPeople(page))
    }

    @Test func listHasLineForEach() throws {
        let list = renderForPeople(DiagnosticPage.all)
        for page in DiagnosticPage.all {
            let start = "\n  \(page.id) "
            #expect(list.ranges(of: start).count == 1, "\(page.id)")
        }
        #expect(list.split(separator: "\n").allSatisfy { $0.count <= 110 })
        let coloured = renderForPeople(DiagnosticPage.all, style: .coloured)
        #expect(coloured.withoutEscapeSequences == list)
    }

    /// All kinds of malformed documents share one page, which lists them as their messages do.
    @Test(arguments: Fixtures.names.filter { $0.hasPrefix("malformed-") || $0 == "not-xml" })
    func malformedNamesKind(name: String) throws {
        let diagnostics = compile(try Fixtures.source(name)).diagnostics
        let message = try #require(diagnostics.first { $0.id == "malformed" }?.message)
        let page = try #require(explanation(of: "malformed"))
        let text = page.text.replacing("\n  ", with: " ")
        let form = message.replacing(/(^|attribute |prefix |entity |but )'\w[^']*'/) {
            "\($0.output.1)'…'"
        }
        #expect(
            text.contains("\n- \(form).")
                || message.hasPrefix("the document is not well-formed XML: "), "\(form)")
    }

    // MARK: - Examples

    /// Diagnostics without an example in their page: invalid bytes and sizes.
    private static let withoutExample: Set = [
        "emptyDocument", "invalidBytes", "nulCharacter", "documentTooLarge", "tooDeep",
        "tooManyElements", "tooManyAttributes", "tooManyProblems",
    ]

    @Test func allButAFewHaveExample() {
        let without = DiagnosticPage.all.filter { examples(in: $0) == nil }.map(\.id)
        #expect(Set(without) == Self.withoutExample)
    }

    @Test(arguments: DiagnosticPage.all.filter { !withoutExample.contains($0.id) })
    func wrongExampleIsReportedSo(page: DiagnosticPage) throws {
        let wrong = try #require(examples(in: page)?.wrong)
        #expect(Set(checked(whole(wrong)).diagnostics.map(\.id)) == [page.id])
    }

    @Test(arguments: DiagnosticPage.all.filter { !withoutExample.contains($0.id) })
    func rightExampleIsDefinitionWithoutProblem(page: DiagnosticPage) throws {
        let right = try #require(examples(in: page)?.right)
        let compilation = checked(whole(right))
        #expect(compilation.definition != nil, "\(compilation.diagnostics.map(\.message))")
        #expect(!compilation.diagnostics.contains { $0.id == page.id })
    }

    /// The two examples that end a page; nil if it ends otherwise.
    private func examples(in page: DiagnosticPage) -> (wrong: String, right: String)? {
        let form = /\nWrong:\n\n```xml\n([^`]+)\n```\n\nRight:\n\n```xml\n([^`]+)\n```$/
        let match = page.text.firstMatch(of: form)
        return match.map { (String($0.output.1), String($0.output.2)) }
    }

    /// An example is a whole document or a part of the definition that the pages describe; its
    /// first element determines where it is inserted.
    private func whole(_ example: String) -> String {
        if example.hasPrefix("<application"), !example.contains("</application>"),
            !example.hasSuffix("/>")
        {
            return library.replacing(/<application [^>]*>/, with: example)
        }
        let sections = [
            "<group ": "groups", "<device ": "devices", "<role ": "roles", "<model ": "models",
            "<field ": "fields",
        ]
        let parts = example.split(separator: /\n(?=<[a-z])/)
        return parts.reduce(library) { document, part in
            let section = sections.first { part.hasPrefix($0.key) }?.value
            guard let section else { return example }
            return document.replacing(
                "</\(section)>", with: "\(part)\n</\(section)>", maxReplacements: 1)
        }
    }

    /// Compiles as `waggle check` does.
    private func checked(_ text: String) -> Compilation {
        compile(
            SourceFile(name: "application.xml", bytes: Array(text.utf8)),
            naming: Generator.namingRules)
    }

    /// Compiles without diagnostics.
    private let library = """
        <application application="library" vendor="acme" xmlns:w="urn:waggle:definition">
        <devices><device name="desk"/><device name="mobile"/></devices>
        <groups><group name="staff"/><group name="readers"/></groups>
        <roles><role group="staff" device="desk"/><role group="readers" device="mobile"/></roles>
        <models><model name="book"><fields><field name="title" type="TEXT"><credentials>
        <credential role="staff-desk" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"/>
        <credential role="readers-mobile" readAllowed="ALL"/>
        </credentials></field></fields><credentials>
        <credential role="staff-desk" createAllowed="ALL" readAllowed="ALL" updateAllowed="ALL"
        deleteAllowed="ALL" resolveConflictAllowed="true"/>
        <credential role="readers-mobile" readAllowed="ALL"/>
        </credentials></model></models>
        </application>
        """

    @Test func definitionOfExamplesIsSound() {
        #expect(checked(library).diagnostics.isEmpty)
    }
}

extension DiagnosticPage: CustomTestStringConvertible {
    package var testDescription: String { id }
}
