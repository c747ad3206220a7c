import Testing

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
    func catchAllAfterCasesIsFound(code: String) {
        #expect(catchAllFindings(in: text(code)).count == 1)
    }

    @Test(arguments: good)
    func otherSwitchesAreLeftAlone(code: String) {
        #expect(catchAllFindings(in: text(code)) == [])
    }

    @Test func exceptionHoldsWhileItIsNeeded() {
        let exceptions = ["Sources/Records/a.swift": "an enum of Foundation"]
        #expect(catchAllFindings(in: [text(Self.bad[0])], exceptions: exceptions) == [])
        #expect(catchAllFindings(in: [text(Self.bad[0])], exceptions: [:]).count == 1)
        #expect(catchAllFindings(in: [text(Self.good[0])], exceptions: exceptions).count == 1)
    }
}
