import DefinitionCompiler
import DefinitionModel
import Foundation
import Testing

/// The output for tools, and the escaping for terminals; the fixtures cover the text itself.
@Suite struct RenderingTests {
    @Test func givesToolsEveryDetail() throws {
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
                  "line" : 13,
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
        #expect(renderAsJSON(report(source)).hasPrefix(expected))
    }

    @Test(arguments: Fixtures.names)
    func countsForTools(name: String) throws {
        let source = try Fixtures.source(name)
        let compilation = compile(source)
        let json = renderAsJSON(report(source))
        let object = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
        let entries = try #require(object?["diagnostics"] as? [[String: Any]])
        #expect(entries.map { $0["id"] as? String } == compilation.diagnostics.map(\.id))
        let errors = compilation.diagnostics.count { $0.severity == .error }
        #expect(object?["errors"] as? Int == errors)
        let notes = compilation.diagnostics.count { $0.severity == .note }
        #expect(object?["notes"] as? Int == notes)
        #expect(object?["warnings"] as? Int == entries.count - errors - notes)
        #expect(object?["files"] as? [String] == ["application.xml"])
        #expect(object?["unreadable"] as? [[String: String]] == [])
    }

    @Test func namesUnreadableFilesForTools() throws {
        let report = CheckReport(
            documents: [], unreadable: [CheckReport.Unreadable(name: "a.xml", message: "gone")])
        let object = try JSONSerialization.jsonObject(with: Data(renderAsJSON(report).utf8))
        let unreadable = (object as? [String: Any])?["unreadable"] as? [[String: String]]
        #expect(unreadable == [["file": "a.xml", "message": "gone"]])
    }

    @Test(arguments: Fixtures.names)
    func isTheSameInColourButForColours(name: String) throws {
        let source = try Fixtures.source(name)
        let compilation = compile(source)
        let plain = renderForPeople(compilation, of: source)
        let coloured = renderForPeople(compilation, of: source, style: .coloured)
        #expect(coloured.withoutEscapeSequences == plain)
        #expect(!plain.contains("\u{1B}"))
        for diagnostic in compilation.diagnostics {
            #expect(coloured.contains("m\(diagnostic.severity.rawValue):\u{1B}[0m"))
            #expect(coloured.contains("[\(diagnostic.id)]\u{1B}[0m"))
        }
    }

    /// Unescaped, a name in the document could move the cursor or reverse the text.
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

    @Test(arguments: [
        ([good], "good.xml: no problems\n"),
        ([good, good], "good.xml: no problems\ngood.xml: no problems\n\n2 files: no problems\n"),
        ([bad], "\(badText)\n1 error\n"),
        (
            [bad, good, bad],
            "\(badText)\ngood.xml: no problems\n\(badText)\n3 files: 2 errors\n"
        ),
    ])
    func countsSeveralDocumentsTogether(sources: [SourceFile], expected: String) {
        let documents = sources.map {
            CheckReport.Document(source: $0, compilation: compile($0))
        }
        #expect(renderForPeople(CheckReport(documents: documents)) == expected)
    }

    @Test(arguments: [
        ([], 1, ""),
        ([], 2, "2 files: no problems; 2 could not be read\n"),
        (
            [good], 1,
            "good.xml: no problems\n\n2 files: no problems; 1 could not be read\n"
        ),
        ([bad], 2, "\(badText)\n3 files: 1 error; 2 could not be read\n"),
    ])
    func countsUnreadableFiles(sources: [SourceFile], unreadable: Int, expected: String) {
        let report = CheckReport(
            documents: sources.map {
                CheckReport.Document(source: $0, compilation: compile($0))
            },
            unreadable: (0..<unreadable).map {
                CheckReport.Unreadable(name: "\($0).xml", message: "gone")
            })
        #expect(renderForPeople(report) == expected)
        #expect(!report.isSound)
    }

    private func report(_ source: SourceFile) -> CheckReport {
        CheckReport(documents: [
            CheckReport.Document(source: source, compilation: compile(source))
        ])
    }

    private static let good = SourceFile(
        name: "good.xml", bytes: Array(soundDocument.utf8))
    private static let bad = SourceFile(name: "bad.xml", bytes: Array("<a/>".utf8))
    private static let badText = """
        bad.xml:1:2: error: the root element is 'a' [wrongRoot]
           1 | <a/>
             |  ^
        help: the root element of a definition is 'application'

        """
}

extension String {
    var withoutEscapeSequences: String { replacing(/\u{1B}\[[0-9;]*m/, with: "") }
}
