import Testing

@testable import Administration

@Suite("News of designers go from process to process")
struct DesignerNewsTests {
    @Test(arguments: [[], ["ann"], ["ann", "é \"b\" \\", "\u{1F41D}"]])
    func textIsReadBack(names: [String]) {
        let news = DesignerNews(process: "1", draft: "notes", names: names)
        #expect(DesignerNews(text: news.text) == news)
    }

    /// PostgreSQL carries texts below 8,000 bytes.
    @Test func textIsShort() throws {
        let names = (100..<300).map { "operator \($0) " + String(repeating: "é", count: 40) }
        let news = DesignerNews(process: "1", draft: "notes", names: names)
        #expect(news.text.utf8.count < 7000)
        let told = try #require(DesignerNews(text: news.text)).names
        #expect(told.count > 50)
        #expect(told == Array(names.prefix(told.count)))
    }

    @Test(arguments: ["", "7", "{}", #"{"process":"1","draft":"notes"}"#, "\u{0}"])
    func otherTextsAreNoNews(text: String) {
        #expect(DesignerNews(text: text) == nil)
    }
}
