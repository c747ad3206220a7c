import Testing

@Suite struct CommentTests {
    @Test(arguments: ["// TODO: more", "let a = 1 // FIXME", "/// XXX", "/* HACK */"])
    func unfinishedWorkIsFound(code: String) {
        #expect(unfinishedFindings(in: text("\n\(code)")).map(\.line) == [2])
    }

    @Test(arguments: ["let todo = 1", "XXXL", "// mastodons", "let TODOS = 1"])
    func otherWordsAreLeftAlone(code: String) {
        #expect(unfinishedFindings(in: text(code)) == [])
    }

    @Test(arguments: [
        "package struct A {", "public final class A {", "package indirect enum A {",
        "package func a() {", "// No doc comment.\npackage protocol A {",
        "/// Of another.\nlet b = 1\n@MainActor\npackage actor A {",
    ])
    func anUndocumentedDeclarationIsFound(code: String) throws {
        let lines = code.split(separator: "\n").count
        #expect(try undocumentedFindings(in: text(code)).map(\.line) == [lines])
    }

    @Test(arguments: [
        "/// An A.\npackage struct A {", "/// An A.\n@frozen\n@MainActor\npackage enum A {",
        "struct A {", "    package func a() {", "package let a = 1", "package extension A {",
    ])
    func othersMayGoWithout(code: String) throws {
        #expect(try undocumentedFindings(in: text(code)) == [])
    }

    @Test(arguments: [
        ("/// A.\npublic struct A {\n    public let b: Int\n    let c: Int\n}", [3]),
        ("/// A.\npublic enum A {\n    case b\n    /// C.\n    case c\n}", [3]),
        (
            "/// A.\npublic enum A {\n    /// B.\n    case b, c\n    var d: Int {\n"
                + "        switch self {\n        case .b, .c: 1\n        }\n    }\n}", []
        ),
        (
            "/// A.\npublic protocol A {\n    var b: Int { get }\n\n    func c()\n}\nvar d = 1",
            [3, 5]
        ),
        ("/// A.\npublic protocol A\nwhere B == C {\n    init()\n}\nfunc d() {}", [4]),
        ("extension A {\n    /// B.\n    @discardableResult\n    public func b() {}\n}", []),
        ("public import A\nimport B\npackage func c() {}", []),
    ])
    func anUndocumentedPublicDeclarationIsFound(code: String, lines: [Int]) {
        #expect(undocumentedPublicFindings(in: text(code)).map(\.line) == lines)
    }

    @Test(arguments: [
        ("/// A.\npublic func a() throws(B) {", [2]),
        (
            "    /// A.\n    @discardableResult\n    public static func a(\n        b: C\n"
                + "    ) throws {", [3]
        ),
        ("public init(a: @escaping (B) -> C) throws -> D {", [1]),
        ("/// A. Throws `b`.\npublic func a() throws {", []),
        ("/// A.\npublic init(from decoder: any Decoder) throws {", []),
        ("/// A.\npublic func a(_ b: (C) throws -> D) -> E {", []),
        ("/// A.\npackage func a() throws {", []),
    ])
    func publicDeclarationThatThrowsSilentlyIsFound(code: String, lines: [Int]) throws {
        #expect(try undocumentedErrorFindings(in: text(code)).map(\.line) == lines)
    }

    @Test func typeCalledLikeModuleIsFound() throws {
        let file = text("struct Records {\n    enum Kind {}\n}\nlet records = Records()")
        let findings = try moduleNameFindings(in: file, modules: ["Records", "Waggle"])
        #expect(findings.map(\.line) == [1])
    }

    @Test func sentenceWithoutSubjectIsFound() {
        let lines = [
            "// Who asks.", "    /// What it is.", "let a = 1 // Of two", "///     Whose",
            "/// Offers, whatever.", "/** Of models. */", " * It is read. What is not stays.",
            "/// - Parameter a: Of those.", "/// Offices. Whoa.",
        ]
        let findings = subjectFindings(in: lines.map { $0[...] }, of: "a.swift")
        #expect(findings.map(\.line) == [1, 2, 4, 6, 7, 8])
    }

    @Test func sentenceOfScriptWithoutSubjectIsFound() {
        let lines = ["# Who asks.", "\t# It is. What is not stays.", "echo Of two", "## Offers."]
        let findings = subjectFindings(in: lines.map { $0[...] }, of: "run.sh", marks: ["#"])
        #expect(findings.map(\.line) == [1, 2])
    }

    @Test func sentenceOfPageWithoutSubjectIsFound() {
        let lines = [
            "# What it is", "Of two, one counts.", "It is. What is not, stays.", "```", "Who asks.",
            "```", "| Who asks |", "See [What was tried](A.md). *Who may read it?* is answered.",
            "- Whoever asks.", "1. *Models*: add one. Whatever.",
        ]
        let findings = proseFindings(in: lines.map { $0[...] }, of: "a.md")
        #expect(findings.map(\.line) == [2, 3, 9, 10])
    }

    @Test func helpOfSettingWithoutSubjectIsFound() {
        let lines = [
            "| `a` | 1 | any | Who asks. |", "| What | x |", "| `b` | Of | x | The one. |",
        ]
        let findings = helpFindings(in: lines.map { $0[...] }, of: "a.md")
        #expect(findings.map(\.line) == [1])
    }
}
