import Testing

@testable import DataExchange

@Suite struct CSVReaderTests {
    /// Rows as texts: `-` is null, and quotes surround a field that had some. Problems are
    /// `line:column code`.
    private func items(
        _ bytes: [UInt8], chunkBytes: Int = .max, limits: RowLimits = RowLimits()
    ) -> [String] {
        var reader = CSVReader(limits: limits)
        var items: [CSVItem] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            items += reader.read(Array(rest.prefix(chunkBytes)))
            rest = rest.dropFirst(min(chunkBytes, rest.count))
        }
        return (items + reader.finish()).map { item in
            switch item {
            case .row(let line, let cells):
                "\(line) "
                    + cells.map { cell in
                        cell.isNull
                            ? "-" : cell.isQuoted ? "'\(cell.text ?? "?")'" : cell.text ?? "?"
                    }.joined(separator: "|")
            case .problem(let problem):
                "\(problem.line):\(problem.column ?? 0) \(problem.code)"
            }
        }
    }

    @Test(arguments: [
        ("a,b\n1,2\n", ["1 a|b", "2 1|2"]), ("a,b\r\n1,2", ["1 a|b", "2 1|2"]),
        ("\u{FEFF}a,b\n", ["1 a|b"]), ("\u{FEFF}\"a\",b\n", ["1 'a'|b"]),
        ("a,,\"\"\n", ["1 a|-|''"]), (",\n", ["1 -|-"]), ("\n\r\na\n\n", ["3 a"]),
        ("\"a,b\",c\n", ["1 'a,b'|c"]), ("\"say \"\"hi\"\"\"\n", ["1 'say \"hi\"'"]),
        ("\"one\r\ntwo\",x\nnext,y\n", ["1 'one\r\ntwo'|x", "3 next|y"]),
        (" a , b \n", ["1  a | b "]), ("é,🐝\n", ["1 é|🐝"]), ("", []), ("a", ["1 a"]),
    ])
    func rowsAreRead(text: String, expected: [String]) {
        #expect(items(Array(text.utf8)) == expected)
    }

    /// The rows after a problem are read.
    @Test(arguments: [
        ("a\"b,c\nd\n", ["1:1 quoteInField", "2 d"]),
        ("x,\"a\"b\nd\n", ["1:2 textAfterQuote", "2 d"]),
        ("a\rb\nd\n", ["1:1 loneReturn", "2 d"]), ("a,\"b\nc\n", ["1:2 unclosedQuote"]),
        ("abcdef\nd\n", ["1:1 fieldTooLong", "2 d"]),
        ("abc,abc,abc\nd\n", ["1:3 rowTooLong", "2 d"]),
        ("a,b,c,d\ne\n", ["1:5 tooManyColumns", "2 e"]),
        ("\"abcdef\nx,y\"\nd\n", ["1:1 fieldTooLong", "3 d"]),
        ("\"abcdef\"\"\nx\",\"y\nz\"\r\nd\n", ["1:1 fieldTooLong", "4 d"]),
        ("abcdef,\"y\nz\"\nd\n", ["1:1 fieldTooLong", "3 d"]),
        ("abc,abc,\"abc\nz\"\nd\n", ["1:3 rowTooLong", "3 d"]),
        ("a,b,c,d,\"e\nf\"\ng\n", ["1:5 tooManyColumns", "3 g"]),
        ("abcdef\"g\nd\n", ["1:1 fieldTooLong", "2 d"]),
        ("\"abcdef\n", ["1:1 fieldTooLong"]),
    ])
    func problemsHavePlaces(text: String, expected: [String]) {
        var limits = RowLimits()
        (limits.fieldBytes, limits.rowBytes, limits.columns) = (5, 8, 3)
        #expect(items(Array(text.utf8), limits: limits) == expected)
    }

    @Test func illegalUTF8IsReported() {
        #expect(items([0x61, 0x2C, 0xFF, 0x0A, 0x62, 0x0A]) == ["1:2 notUTF8", "2 b"])
    }

    @Test(arguments: 1...5) func chunksMakeNoDifference(chunkBytes: Int) {
        let text = "\u{FEFF}\"a\"\"b\",c\r\n\"x\r\ny\",é\na\"b\n\nlast,🐝"
        let bytes = Array(text.utf8)
        #expect(items(bytes, chunkBytes: chunkBytes) == items(bytes))
    }

    @Test(
        arguments: [
            (
                [nil, "", "a", "a,b", "say \"hi\"", "x\ny", " b"],
                ",\"\",a,\"a,b\",\"say \"\"hi\"\"\","
                    + "\"x\ny\",\" b\"\r\n"
            ),
            // Quotes that are one character with the mark after them.
            (
                ["5\"\u{FE0F}", "\"\u{301}"],
                "\"5\"\"\u{FE0F}\",\"\"\"\u{301}\"\r\n"
            ),
        ] as [([String?], String)])
    func writtenLineIsReadBack(fields: [String?], line: String) {
        #expect(csvLine(fields) == line)
        var reader = CSVReader(limits: RowLimits())
        guard case .row(_, let cells) = reader.read(Array(line.utf8)).first else {
            Issue.record("no row")
            return
        }
        #expect(cells.map { $0.isNull ? nil : $0.text } == fields)
    }
}
