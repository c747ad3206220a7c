import Testing

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
