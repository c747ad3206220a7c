import Testing

/// Swift code and definitions in documentation pages compile.
@Suite struct SnippetTests {
    @Test(arguments: [
        ("Devices", ["Tests/WaggleTests/documentedUses.swift"]),
        ("SigningIn", ["Tests/WaggleTests/documentedUses.swift"]),
        (
            "Tutorial",
            [
                "Definitions/Permissions/App/PermissionsApp.swift",
                "Definitions/Permissions/application.xml",
            ]
        ),
    ])
    func snippetsOfPagesAreCompiledCode(page: String, files: [String]) {
        let text = Repository.text(of: "\(Repository.documentation)/\(page).md")
        let snippets = text.matches(of: /```(?:swift|xml)\n(?s:(.*?))```/).map { String($0.1) }
        #expect(snippets.count > 3)
        let code = files.map { Repository.text(of: $0) }.joined()
        for snippet in snippets { #expect(code.contains(snippet), "not compiled: \(snippet)") }
    }

    @Test func snippetsOfReadmeAreCompiledCode() {
        let snippets = Repository.text(of: "README.md").matches(of: /```swift\n(?s:(.*?))```/)
            .map { String($0.1) }
        #expect(!snippets.isEmpty)
        // The page shows them without the indentation of a function.
        let code = Repository.text(of: "Tests/WaggleTests/documentedUses.swift")
            .replacing("\n    ", with: "\n")
        for snippet in snippets { #expect(code.contains(snippet), "not compiled: \(snippet)") }
    }
}
