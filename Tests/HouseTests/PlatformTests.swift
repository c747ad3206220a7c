import Testing

/// The page that lists the code for Apple's systems.
@Suite struct PlatformTests {
    private static let page = Repository.text(of: "\(Repository.documentation)/TriedWhere.md")

    @Test func pageListsEveryFileThatAsksForItsSystem() {
        let asking = Repository.sources.filter { file in
            file.code.contains(/#(?:else)?if [^\n]*\b(?:canImport|os)\(|#available\(/)
        }.map(\.path)
        let listed = Self.page.matches(of: /`(Sources\/[\w\/+]+\.swift)`/).map { String($0.1) }
        #expect(Set(asking) == Set(listed))
    }
}
