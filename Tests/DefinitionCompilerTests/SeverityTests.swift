import DefinitionCompiler
import DefinitionModel
import Testing

/// Authors can allow single diagnostics, or treat every warning as an error.
@Suite struct SeverityTests {
    /// Has an error, `unknownValue`, and two warnings, `namesDifferInCase` and `emptyModel`.
    private let mixed = document(
        models: """
            <model name="a"/>
            <model name="b"><fields>
            <field name="c" type="TEXT"/><field name="C" type="TEXT"/><field name="d" type="T"/>
            </fields></model>
            """)

    @Test(arguments: [
        ([], ["emptyModel", "namesDifferInCase", "unknownValue"]),
        (["emptyModel"], ["namesDifferInCase", "unknownValue"]),
        (["emptyModel", "namesDifferInCase"], ["unknownValue"]),
        (["unknownValue"], ["emptyModel", "namesDifferInCase", "unknownValue"]),
    ])
    func omitsAllowedDiagnosticsUnlessTheyAreErrors(allowed: [String], ids: [String]) {
        let compilation = compile(source(mixed), allowing: Set(allowed))
        #expect(compilation.diagnostics.map(\.id) == ids)
        #expect(compilation.definition == nil)
    }

    /// Allowed diagnostics do not count towards the limit.
    @Test func allowedDiagnosticsDoNotCount() {
        let text = document(
            models: (0..<50).map { "<model name='m\($0)'/>" }.joined()
                + "<model name='z'><fields><field name='a' type='TEXT'/>"
                + "<field name='A' type='TEXT'/></fields></model>")
        let limits = CompilerLimits(maxDiagnostics: 10)
        let all = compile(source(text), within: limits)
        #expect(all.diagnostics.last?.id == "tooManyProblems")
        #expect(!all.diagnostics.contains { $0.id == "namesDifferInCase" })
        let some = compile(source(text), within: limits, allowing: ["emptyModel", "noRights"])
        #expect(some.diagnostics.map(\.id) == ["namesDifferInCase"])
        let withoutNote = compile(source(text), within: limits, allowing: ["tooManyProblems"])
        #expect(withoutNote.diagnostics == all.diagnostics.dropLast())
    }

    @Test func warningThatCountsAsErrorLeavesNoDefinition() {
        let warned = compile(
            source(document(models: "<model name='a'/>")), allowing: ["noRights"])
        #expect(warned.definition != nil)
        #expect(warned.diagnostics.map(\.severity) == [.warning])
        let strict = warned.withWarningsAsErrors
        #expect(strict.definition == nil)
        #expect(strict.diagnostics.map(\.severity) == [.error])
        #expect(strict.diagnostics.map(\.id) == ["emptyModel"])
        #expect(strict.diagnostics.map(\.message) == warned.diagnostics.map(\.message))
    }

    @Test func withoutWarningsNothingChanges() {
        let sound = compile(
            source(document(fields: "<field name='a' type='TEXT'/>")), allowing: ["noRights"])
        #expect(sound.definition != nil && sound.withWarningsAsErrors == sound)
    }

    private func source(_ text: String) -> SourceFile {
        SourceFile(name: "application.xml", bytes: Array(text.utf8))
    }
}
