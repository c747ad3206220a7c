import DefinitionCompiler
import DefinitionModel
import TestKit
import Testing

/// A place is the one that an editor shows, whatever precedes it.
@Suite struct PlaceTests {
    static let lineEnds = ["\n", "\r\n", "\r"]

    static let neighbours = [
        "", "ascii", "zażółć", "日本語", "a😀b", "e\u{301}", "&amp;&#x1F600;", "a > b",
        String(repeating: "x", count: 1000), String(repeating: "ż", count: 777),
    ]

    @Test(arguments: lineEnds, neighbours)
    func isExactInUTF8AndInUTF16(lineEnd: String, neighbour: String) throws {
        let text = Self.document(lineEnd: lineEnd, neighbour: neighbour)
        let expected = try #require(Self.place(of: "colour", in: text))
        for bytes in Self.encodings(of: text) {
            let diagnostics = compile(bytes: bytes).diagnostics.filter { $0.id != "tooLong" }
            let found = try #require(diagnostics.first { $0.id == "unknownAttribute" })
            #expect(found.place == expected)
            #expect(found.length == "colour".count)
        }
    }

    @Test(arguments: lineEnds, neighbours)
    func isExactForTextOfOptions(lineEnd: String, neighbour: String) throws {
        let text = Self.document(lineEnd: lineEnd, neighbour: neighbour)
        let expected = try #require(Self.place(of: "twenty", in: text))
        for bytes in Self.encodings(of: text) {
            let found = try #require(
                compile(bytes: bytes).diagnostics.first { $0.id == "unreadableOption" })
            #expect(found.place == expected)
            #expect(found.length == "twenty".count)
        }
    }

    @Test(arguments: lineEnds)
    func isExactWhereParserStops(lineEnd: String) throws {
        let text = Self.document(lineEnd: lineEnd, neighbour: "ż")
            .replacing("</models>", with: "</modles>")
        let found = try #require(compile(text: text).diagnostics.first)
        #expect(found.id == "malformed")
        #expect(found.place == Self.place(of: "</modles>", in: text))
    }

    private static func document(lineEnd: String, neighbour: String) -> String {
        DefinitionCompilerTests.document(
            fields: """
                <!-- <field colour="twenty"> \(neighbour) --><?pi <field \(neighbour)?>
                <field name="a" type="TEXT" defaultValue="\(neighbour)"
                  required = 'true'  colour="red"><options><option name="maxLength">
                  <!-- \(neighbour) --> <![CDATA[twenty]]>
                </option></options></field>
                """
        )
        .replacing("colour=\"twenty\"", with: "tint=\"10\"")
        .replacing("<![CDATA[twenty]]>", with: "twenty")
        .replacing("\n", with: lineEnd)
    }

    private static func encodings(of text: String) -> [[UInt8]] {
        let units = Array(text.utf16)
        return [
            Array(text.utf8), [0xEF, 0xBB, 0xBF] + text.utf8,
            [0xFF, 0xFE] + units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
            [0xFE, 0xFF] + units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
            units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] },
        ]
    }

    /// Counts scalars from the start, which is slow but simple.
    private static func place(of word: String, in text: String) -> SourcePlace? {
        let scalars = Array(text.unicodeScalars)
        let wanted = Array(word.unicodeScalars)
        var line = 1
        var column = 1
        for index in scalars.indices {
            if scalars[index...].starts(with: wanted) {
                return SourcePlace(line: line, column: column)
            }
            let isPair = scalars[index] == "\r" && scalars[index...].dropFirst().first == "\n"
            let endsLine = (scalars[index] == "\n" || scalars[index] == "\r") && !isPair
            line += endsLine ? 1 : 0
            column = endsLine ? 1 : column + 1
        }
        return nil
    }
}
