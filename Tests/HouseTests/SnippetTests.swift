import Testing

/// What pages show of Swift is compiled.
@Suite struct SnippetTests {
    @Test(arguments: [
        ("Devices", ["Tests/WaggleTests/DocumentedUses.swift"])
    ])
    func whatAPageShowsIsInCodeThatIsCompiled(page: String, files: [String]) {
        let text = Repository.text(of: "Sources/CommandLineTool/Documentation.docc/\(page).md")
        let snippets = text.matches(of: /```swift\n(?s:(.*?))```/).map { String($0.1) }
        #expect(!snippets.isEmpty)
        let code = files.map { Repository.text(of: $0) }.joined()
        for snippet in snippets { #expect(code.contains(snippet), "not compiled: \(snippet)") }
    }
}
