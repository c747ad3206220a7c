import Testing

private func text(_ code: String, path: String = "Sources/Records/a.swift") -> SourceText {
    SourceText(path: path, code)
}

@Suite struct CodeOnlyTests {
    static let cases: [(String, String)] = [
        ("let a = 1 // one", "let a = 1       "),
        ("a /* b /* c */ d */ e", "a                   e"),
        ("\"a{b\" }", "\"   \" }"),
        (#""a\"b" c"#, #""    " c"#),
        (#""a\(b!)c" d"#, #"""# + "  (b!) " + #"" d"#),
        (#""\(f("x", (1)))" d"#, #"" (f(" ", (1)))" d"#),
        (##"#"a"b\(c)"# d"##, ##"#"       "# d"##),
        (##"#"a\#(b)"# d"##, ##"#"   (b)"# d"##),
        ("\"\"\"\n  { \"a\n\"\"\" }", "\"\"\"\n      \n\"\"\" }"),
        ("f(/a{\"/) }", "f(     ) }"),
        ("#/a{/b/# }", "         }"),
        ("a / b / c", "a / b / c"),
        ("(a / b, c / d)", "(a / b, c / d)"),
        ("\"unclosed\nlet a = 1", "\"        \nlet a = 1"),
        ("// unclosed", "           "),
        ("/* unclosed", "           "),
        ("\"é\" a", "\"  \" a"),
    ]

    @Test(arguments: cases)
    func onlyCodeStays(text: String, expected: String) {
        #expect(codeOnly(text) == expected)
    }
}

@Suite struct FunctionTests {
    private static func body(_ lines: Int) -> String {
        String(repeating: "    work()\n", count: lines)
    }

    struct Case: Sendable {
        let code: String
        let names: [String]
        let bodyLines: [Int]
    }

    static let cases = [
        Case(code: "func f() {\n\(body(3))}\n", names: ["f"], bodyLines: [3]),
        Case(code: "func f() -> Int { 3 }\n", names: ["f"], bodyLines: [0]),
        Case(
            code: "func f(\n    a: Int = { 3 }()\n)\n    -> Int\nwhere A: B {\n\(body(2))}",
            names: ["f"], bodyLines: [2]),
        Case(code: "init?(a: Int) {\n\(body(4))}\n", names: ["init"], bodyLines: [4]),
        Case(code: "var a: Int {\n\(body(5))}\n", names: ["a"], bodyLines: [5]),
        Case(
            code: "subscript(a: Int) -> Int {\nb\n}\n", names: ["subscript"],
            bodyLines: [1]),
        Case(
            code: "protocol P {\n    func f()\n    func g() -> Int\n}\nfunc h() {\n\(body(1))}\n",
            names: ["h"], bodyLines: [1]),
        Case(
            code: "func f() {\n    // }\n    let a = \"}\"\n    if a { g() }\n}\n", names: ["f"],
            bodyLines: [3]),
        Case(
            code: "func f() {\n    func g() {\n\(body(2))    }\n}\n", names: ["f", "g"],
            bodyLines: [4, 2]),
        Case(code: "self.init(a: 1)\nlet b = { 3 }\n", names: [], bodyLines: []),
        Case(
            code: "static func == (a: A, b: A) -> Bool {\n\(body(1))}", names: ["=="],
            bodyLines: [1]),
    ]

    @Test(arguments: cases)
    func functionsAreFoundWithTheirBodies(_ example: Case) throws {
        let found = try functions(in: text(example.code))
        #expect(found.map(\.name) == example.names)
        #expect(found.map(\.bodyLines) == example.bodyLines)
    }

    @Test(arguments: [
        (body: 40, isExcepted: false, findings: 0), (body: 41, isExcepted: false, findings: 1),
        (body: 70, isExcepted: true, findings: 0), (body: 71, isExcepted: true, findings: 1),
    ])
    func aFunctionHasFortyLinesOrAnExceptionUpToSeventy(
        body: Int, isExcepted: Bool, findings: Int
    ) throws {
        let file = text("func f() {\n\(Self.body(body))}\n")
        let exceptions = isExcepted ? ["\(file.path) f": "one table"] : [:]
        #expect(try sizeFindings(in: [file], exceptions: exceptions).count == findings)
    }

    @Test(arguments: [(100, 0), (101, 1)])
    func aLineHasAHundredColumns(columns: Int, findings: Int) throws {
        let file = text("//" + String(repeating: "é", count: columns - 2))
        #expect(try sizeFindings(in: [file], exceptions: [:]).count == findings)
    }

    @Test(arguments: [(400, 0), (401, 1)])
    func aFileHasFourHundredLines(lines: Int, findings: Int) throws {
        let file = text(String(repeating: "a\n", count: lines))
        #expect(try sizeFindings(in: [file], exceptions: [:]).count == findings)
    }
}

@Suite struct CatchAllTests {
    static let bad = [
        "switch a {\ncase .b: 1\ndefault: 2\n}",
        "    switch a {\n    case .b:\n        1\n    @unknown default:\n        2\n    }",
        "switch (a, b) {\ncase (.b, _): 1\ncase (_, _): 2\n}",
        "switch a {\ncase let .b(c): c\ncase _: 2\n}",
        "switch a {\ncase .b,\n    .c:\n    1\ndefault: 2\n}",
        "switch a {\ncase 1: 1\ncase .b: 2\n\ndefault: 2\n}",
    ]
    static let good = [
        "switch a {\ncase \"b\": 1\ndefault: 2\n}",
        "switch a {\ncase 1...3: 1\ndefault: 2\n}",
        "switch a {\ncase .b: 1\ncase .c: 2\n}",
        "switch a {\ncase .b:\n    switch c {\n    case 1: 1\n    default: 2\n    }\ncase .c: 2\n}",
        "switch a {\ncase \"b\": .text\ncase \"c\" where d(.e): .f\ndefault: .g\n}",
        "switch a {\ncase UInt8(ascii: \"b\"): .text\ndefault: .g\n}",
        "// default:\nlet a = [\"default:\"]",
        "case .b: 1\n}\nswitch a {\ncase 1: 1\ndefault: 2\n}",
    ]

    @Test(arguments: bad)
    func aCatchAllAfterCasesIsFound(code: String) {
        #expect(catchAllFindings(in: text(code)).count == 1)
    }

    @Test(arguments: good)
    func otherSwitchesAreLeftAlone(code: String) {
        #expect(catchAllFindings(in: text(code)) == [])
    }

    @Test func anExceptionHoldsWhileItIsNeeded() {
        let exceptions = ["Sources/Records/a.swift": "an enum of Foundation"]
        #expect(catchAllFindings(in: [text(Self.bad[0])], exceptions: exceptions) == [])
        #expect(catchAllFindings(in: [text(Self.bad[0])], exceptions: [:]).count == 1)
        #expect(catchAllFindings(in: [text(Self.good[0])], exceptions: exceptions).count == 1)
    }
}

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

    @Test func aTypeCalledLikeAModuleIsFound() throws {
        let file = text("struct Records {\n    enum Kind {}\n}\nlet records = Records()")
        let findings = try moduleNameFindings(in: file, modules: ["Records", "Waggle"])
        #expect(findings.map(\.line) == [1])
    }
}

@Suite struct ImportTests {
    @Test func everyWayToImportIsSeen() throws {
        let code = """
            import A
            package import B
            @testable import C
            @_exported public import D
            import struct E.F
            // import G
            let a = "import H"
            #if canImport(I)
                import J
            #endif
            """
        let found = try imports(in: text(code))
        #expect(found.map(\.module) == ["A", "B", "C", "D", "E", "J"])
        #expect(found.map(\.line) == [1, 2, 3, 4, 5, 9])
    }

    @Test(arguments: [
        ("Records", "DefinitionModel", true), ("Records", "SyncEngine", false),
        ("Records", "Foundation", false), ("DefinitionModel", "Foundation", false),
        ("SyncEngine", "GRDB", false), ("SQLiteStore", "GRDB", true),
        ("Elsewhere", "DefinitionModel", false),
    ])
    func aModuleImportsItsDependencies(module: String, imported: String, isFine: Bool) throws {
        let file = text("import \(imported)", path: "Sources/\(module)/a.swift")
        let findings = try ImportRule.findings(in: file, modules: Repository.modules)
        #expect(findings.isEmpty == isFine)
    }

    @Test func aFileKnowsItsModule() {
        #expect(text("", path: "Sources/Records/Deep/a.swift").module == "Records")
        #expect(text("", path: "Templates/Templates.swift").module == "Templates")
    }

    @Test func ignoredNamesAreRead() {
        let ignored = IgnoredNames(".build/\nPackage.resolved\n*.sqlite\n")
        #expect([".build", "Package.resolved", "a.sqlite"].allSatisfy(ignored.contain))
        #expect(!["build", "Package.swift", "sqlite"].contains(where: ignored.contain))
    }
}
