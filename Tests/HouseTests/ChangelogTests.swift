import Testing

/// The changelog, beside the version that the tool names.
@Suite struct ChangelogTests {
    private static let sections = Repository.text(of: "CHANGELOG.md")
        .matches(of: /(?m)^## (\S+)/).map { String($0.1) }

    @Test func newestSectionIsThatOfTool() {
        let code = Repository.text(of: "Sources/CommandLineTool/Version/versionText.swift")
        let number = code.firstMatch(of: /let versionNumber = "([\d.]+)"/).map { String($0.1) }
        #expect(number != nil && Self.sections.first == number)
    }

    @Test func everySectionHasVersionOfItsOwn() {
        #expect(Set(Self.sections).count == Self.sections.count)
        for section in Self.sections {
            #expect(section.wholeMatch(of: /\d+\.\d+\.\d+/) != nil, "\(section)")
        }
    }
}
