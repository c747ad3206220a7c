import Testing

/// The page that explains each term once.
@Suite struct GlossaryTests {
    private static let page = Repository.text(of: "\(Repository.documentation)/Glossary.md")
    private static let terms = page.matches(of: /\n### ([^\n]+)\n/).map { String($0.1) }

    @Test func everyTermIsThereOnceAndInOrder() {
        let keys = Self.terms.map { $0.lowercased() }
        #expect(keys.count > 30)
        #expect(Set(keys).count == keys.count)
        #expect(keys == keys.sorted())
    }

    /// Words that pages, messages and the console use in a sense of their own.
    @Test(arguments: [
        "Activity", "Asker", "Conflict", "Cursor", "Definition", "Deployment", "Draft",
        "Environment", "Epoch", "Erasure", "Fingerprint", "Guest", "Instance", "Invitation", "Lock",
        "Operator", "Outcome", "Resync", "Scope", "Session", "Stamp", "Sync", "Tag", "Ticket",
        "Tombstone", "Version", "Webhook", "Wire",
    ])
    func wordOfProductHasEntry(word: String) {
        #expect(Self.terms.contains(word))
    }

    @Test func everyTermInItalicsHasEntry() {
        let keys = Set(Self.terms.map { $0.lowercased() })
        let named = Self.page.matches(of: /\*([^*]+)\*/).map {
            $0.1.replacing("\n", with: " ").lowercased()
        }
        #expect(Set(named).subtracting(keys).subtracting(["italics"]) == [])
    }

    @Test func frontPageLeadsToIt() {
        let front = Repository.text(of: "\(Repository.documentation)/Waggle.md")
        #expect(front.contains("- [Glossary](Glossary.md)"))
    }
}
