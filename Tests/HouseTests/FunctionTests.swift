import Testing

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
    func functionHasFortyLinesOrExceptionUpToSeventy(
        body: Int, isExcepted: Bool, findings: Int
    ) throws {
        let file = text("func f() {\n\(Self.body(body))}\n")
        let exceptions = isExcepted ? ["\(file.path) f": "one table"] : [:]
        #expect(try sizeFindings(in: [file], exceptions: exceptions).count == findings)
    }

    @Test(arguments: [(100, 0), (101, 1)])
    func lineHasAHundredColumns(columns: Int, findings: Int) throws {
        let file = text("//" + String(repeating: "é", count: columns - 2))
        #expect(try sizeFindings(in: [file], exceptions: [:]).count == findings)
    }

    /// Tables, code, and lines that cannot be broken are left alone.
    @Test func lineOfPageHasAHundredColumns() {
        let long = String(repeating: "a ", count: 51)
        let lines = [long, "| \(long)|", "```", long, "```", "`\(long)`.", "- \(long)", "a"]
        let findings = longProseFindings(in: lines.map { $0[...] }, of: "a.md")
        #expect(findings.map(\.line) == [1, 7])
    }

    @Test(arguments: [(400, 0), (401, 1)])
    func fileHasFourHundredLines(lines: Int, findings: Int) throws {
        let file = text(String(repeating: "a\n", count: lines))
        #expect(try sizeFindings(in: [file], exceptions: [:]).count == findings)
    }
}
