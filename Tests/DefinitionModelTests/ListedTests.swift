import DefinitionModel
import Testing

@Suite struct ListedTests {
    @Test(
        arguments: [
            ([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"),
        ] as [([String], String)])
    func partsAreOnePhrase(parts: [String], phrase: String) {
        #expect(listed(parts) == phrase)
        #expect(listed(parts, by: "or") == phrase.replacing(" and ", with: " or "))
    }

    @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files")])
    func nounAgreesWithNumber(number: Int, phrase: String) {
        #expect(counted(number, "file") == phrase)
    }
}
