import DefinitionCompiler
import DefinitionModel
import Foundation
import Testing

/// What people read is in the fixtures; here is what tools read, and what terminals must not.
@Suite struct RenderingTests {
    @Test func givesToolsAllThereIs() throws {
        let source = try Fixtures.source("names-differ-in-case")
        let expected = """
            {
              "diagnostics" : [
                {
                  "column" : 22,
                  "endColumn" : 27,
                  "file" : "application.xml",
                  "help" : "rename one: to SQL and to some file systems they are the same",
                  "id" : "namesDifferInCase",
                  "line" : 9,
                  "message" : "the field 'Title' differs from 'title' in upper and lower case only",
                  "related" : [
                    {
                      "column" : 22,
                      "endColumn" : 27,
                      "file" : "application.xml",
                      "line" : 8,
                      "message" : "the other one is here"
                    }
                  ],
                  "severity" : "warning"
                },

            """
        #expect(renderAsJSON([(source, compile(source))]).hasPrefix(expected))
    }

    @Test(arguments: Fixtures.names)
    func countsForTools(name: String) throws {
        let source = try Fixtures.source(name)
        let compilation = compile(source)
        let json = renderAsJSON([(source, compilation)])
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let entries = try #require(object?["diagnostics"] as? [[String: Any]])
        #expect(entries.map { $0["id"] as? String } == compilation.diagnostics.map(\.id))
        let errors = compilation.diagnostics.count { $0.severity == .error }
        #expect(object?["errors"] as? Int == errors)
        #expect(object?["warnings"] as? Int == entries.count - errors)
    }

    /// A name of the document could else move the cursor or turn the text around.
    @Test(arguments: ["\u{202E}", "\u{9B}", "\u{85}", "\u{2028}"])
    func showsNoControlCharacters(character: String) {
        let text = "<application vendor='a\(character)b' application='c'/>"
        let source = SourceFile(name: "application.xml", bytes: Array(text.utf8))
        let rendered = renderForPeople(compile(source), of: source)
        #expect(!rendered.contains(character))
        #expect(rendered.contains("'a\u{FFFD}b'"))
    }

    @Test(arguments: [
        ("<application vendor='' application='a'/>", "1 error, 2 warnings"),
        ("<application vendor='' application=''/>", "2 errors, 2 warnings"),
        ("<a/>", "1 error"),
    ])
    func countsForPeople(text: String, count: String) {
        let source = SourceFile(name: "application.xml", bytes: Array(text.utf8))
        #expect(renderForPeople(compile(source), of: source).hasSuffix("\n\n\(count)\n"))
    }
}
