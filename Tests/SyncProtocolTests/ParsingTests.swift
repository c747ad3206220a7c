import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

@Suite struct ParsingTests {
    @Test(
        arguments: [
            ("null", .null), ("true", .boolean(true)), ("false", .boolean(false)),
            ("1", .integer(1)),
            ("\"\"", .string("")), ("\"true\"", .string("true")), ("\"1\"", .string("1")),
            ("[]", .array([])), ("{}", .object([:])), (" \t\r\n[ ] \n", .array([])),
            (
                "[1, [2, [null]], {}]",
                .array([.integer(1), .array([.integer(2), .array([.null])]), .object([:])])
            ),
            (
                #"{"a": {"b": [true]}, "": null}"#,
                .object(["a": .object(["b": .array([.boolean(true)])]), "": .null])
            ),
        ] as [(String, JSONValue)])
    func textIsItsValue(text: String, value: JSONValue) throws {
        #expect(try parseJSON(text) == value)
    }

    @Test(arguments: [
        ("", 0), (#"{"a":1,"b":[2,3]}"#, 17 + 2 * 48 + 96 + 240),
        (#"{"a":"[{,]","b":"\"[,{"}"#, 24 + 48 + 240), (#"["\\",1]"#, 8 + 48 + 96),
        ("[[],{}]", 7 + 48 + 2 * 96 + 240),
    ])
    func valuesOutsideOfStringsAreCounted(text: String, bytes: Int) {
        #expect(parsedBytes(of: Array(text.utf8)) == bytes)
    }

    @Test(arguments: [
        (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"), (#""\u0041\u00e9\u00E9""#, "Aéé"),
        (#""\u0000""#, "\u{0}"), (#""a\u0000b""#, "a\u{0}b"), (#""\ud83d\udc1d""#, "🐝"),
        (#""\uD83D\uDC1D""#, "🐝"), (#""\udbff\udfff""#, "\u{10FFFF}"), (#""\ufeff""#, "\u{FEFF}"),
        ("\"\u{7F}\u{2028}\u{FFFE}\"", "\u{7F}\u{2028}\u{FFFE}"), ("\"é🐝👩‍👧\"", "é🐝👩‍👧"),
    ])
    func stringIsItsCharacters(text: String, expected: String) throws {
        #expect(try parseJSON(text) == .string(expected))
    }

    @Test(arguments: [
        #""\ud800""#, #""\udc00""#, #""\ud800x""#, #""\ud800\n""#, #""\ud800\u0041""#,
        #""\udc00\ud800""#, #""\ud800\ud800\udc00""#, #""x\udfff""#,
    ])
    func halfSurrogatePairIsNoText(text: String) throws {
        #expect(try parseJSON(text) == .unrepresentable)
        #expect(try parseJSON("[\(text), 1]") == .array([.unrepresentable, .integer(1)]))
    }

    /// Swift's own comparison considers them equal.
    @Test func composedAndDecomposedTextsDiffer() throws {
        let texts = ["\"\u{E9}\"", "\"e\u{301}\"", #""e\u0301""#]
        let values = try texts.map { try parseJSON($0) }
        #expect(values[0] != values[1])
        #expect(values[1] == values[2])
        #expect(Set(values).count == 2)
        #expect(JSONValue.object(["a": values[0]]) != .object(["a": values[1]]))
    }

    /// Values that other languages convert to each other.
    @Test func valuesOfDifferentTypesDiffer() throws {
        let texts = [
            "1", "true", "\"1\"", "\"true\"", "null", "\"\"", "0", "false", "[]", "{}", "1.5",
        ]
        let values = try texts.map { try parseJSON($0) }
        for (index, value) in values.enumerated() {
            #expect(values.firstIndex(of: value) == index)
        }
    }

    @Test(arguments: UInt64(0)..<100)
    func foundationsOutputIsReadBack(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let value = JSONValue.random(depth: 4, using: &random)
        let json = try JSONEncoder().encode(value)
        #expect(try parseJSON(Array(json)) == value)
        #expect(try JSONDecoder().decode(JSONValue.self, from: json) == value)
    }
}

@Suite struct MalformedTests {
    @Test(arguments: [
        ("", "line 1, column 1: a value belongs here"),
        (" \n ", "line 2, column 2: a value belongs here"),
        ("tru", "line 1, column 1: a value belongs here"),
        ("True", "line 1, column 1: a value belongs here"),
        ("NaN", "line 1, column 1: a value belongs here"),
        ("Infinity", "line 1, column 1: a value belongs here"),
        ("'a'", "line 1, column 1: a value belongs here"),
        ("\u{FEFF}1", "line 1, column 1: a value belongs here"),
        ("+1", "line 1, column 1: a value belongs here"),
        (".1", "line 1, column 1: a value belongs here"),
        ("01", "line 1, column 1: a number does not start with 0"),
        ("-00", "line 1, column 2: a number does not start with 0"),
        ("1.", "line 1, column 3: a digit belongs here"),
        ("1.e2", "line 1, column 3: a digit belongs here"),
        ("1e", "line 1, column 3: a digit belongs here"),
        ("1e+", "line 1, column 4: a digit belongs here"),
        ("-", "line 1, column 2: a digit belongs here"),
        ("--1", "line 1, column 2: a digit belongs here"),
        ("1 2", "line 1, column 3: send one value, and nothing after it"),
        ("0x10", "line 1, column 2: send one value, and nothing after it"),
        ("1 // one", "line 1, column 3: send one value, and nothing after it"),
        ("1\u{0}", "line 1, column 2: send one value, and nothing after it"),
        ("[1", "line 1, column 3: a ',' or ']' belongs here"),
        ("[1 2]", "line 1, column 4: a ',' or ']' belongs here"),
        ("[1,]", "line 1, column 4: a value belongs here"),
        ("[,1]", "line 1, column 2: a value belongs here"),
        ("[1}", "line 1, column 3: a ',' or ']' belongs here"),
        ("{\"a\":1", "line 1, column 7: a ',' or '}' belongs here"),
        ("{\"a\":1,}", "line 1, column 8: a name in double quotes belongs here"),
        ("{a:1}", "line 1, column 2: a name in double quotes belongs here"),
        ("{1:1}", "line 1, column 2: a name in double quotes belongs here"),
        ("{\"a\" 1}", "line 1, column 6: a ':' belongs here"),
        ("{\"a\":}", "line 1, column 6: a value belongs here"),
        ("{\"é🐝\":\n x}", "line 2, column 2: a value belongs here"),
        ("[\"é🐝\" x]", "line 1, column 7: a ',' or ']' belongs here"),
        ("\"abc", "line 1, column 1: the string that starts here has no end"),
        ("\"abc\\", "line 1, column 6: the string has no end"),
        ("\"a\nb\"", "line 1, column 3: write a control character as an escape, such as '\\n'"),
        ("\"\u{0}\"", "line 1, column 2: write a control character as an escape, such as '\\n'"),
        ("\"\\x41\"", "line 1, column 2: there is no such escape, write '\\\\' for a backslash"),
        ("\"\\u12G4\"", "line 1, column 6: four hex digits belong after '\\u'"),
        ("\"\\u12\"", "line 1, column 6: four hex digits belong after '\\u'"),
        ("\"\\u\u{FF11}234\"", "line 1, column 4: four hex digits belong after '\\u'"),
        ("\"\\ud83d\\u12\"", "line 1, column 12: four hex digits belong after '\\u'"),
    ])
    func mistakeIsNamedWithItsPlace(text: String, expected: String) {
        expectMistake(expected, in: Array(text.utf8))
    }

    /// Foundation's decoder silently takes the first of the two.
    @Test(arguments: [
        (#"{"a": 1, "a": 2}"#, "line 1, column 10: the name 'a' comes twice, send it once"),
        (#"{"a": 1, "\u0061": 1}"#, "line 1, column 10: the name 'a' comes twice, send it once"),
        (#"[{"x": {"b": 1,"b": 1}}]"#, "line 1, column 16: the name 'b' comes twice, send it once"),
        (#"{"\ud800": 1}"#, "line 1, column 2: half a surrogate pair is no name"),
    ])
    func nameStandsForOneMember(text: String, expected: String) {
        expectMistake(expected, in: Array(text.utf8))
    }

    @Test(
        arguments: [
            [0x22, 0xFF, 0x22], [0x22, 0xC0, 0x80, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22],
            [0x22, 0xE2, 0x82, 0x22], [0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], [0x31, 0x80],
            [0xFF, 0xFE, 0x31, 0x00],
        ] as [[UInt8]])
    func textThatIsNotUTF8IsRefused(bytes: [UInt8]) {
        expectMistake("the text is not UTF-8, encode it so", in: bytes)
    }

    @Test func depthHasLimit() throws {
        for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
            let nested = { depth in
                String(repeating: open, count: depth) + "1" + String(repeating: close, count: depth)
            }
            #expect(throws: Never.self) { try parseJSON(nested(maxJSONDepth)) }
            let column = maxJSONDepth * open.count + 1
            expectMistake(
                "line 1, column \(column): nest at most 32 deep",
                in: Array(nested(maxJSONDepth + 1).utf8))
        }
    }

    /// Neither the stack nor the time is exhausted.
    @Test func absurdDepthIsRefusedLikeAnyOther() {
        let bytes = [UInt8](repeating: UInt8(ascii: "["), count: 1_000_000)
        expectMistake("line 1, column 33: nest at most 32 deep", in: bytes)
    }

    /// Text with flipped, added and removed bytes is parsed or refused; nothing crashes.
    @Test(arguments: GoldenMessage.all)
    func damagedMessagesAreReadOrRefused(message: GoldenMessage) throws {
        let whole = try bytes(ofFile: message.path)
        var random = SplitMix64(seed: UInt64(whole.count))
        for _ in 0..<300 {
            var damaged = whole
            let index = Int.random(in: 0..<whole.count, using: &random)
            switch Int.random(in: 0..<3, using: &random) {
            case 0: damaged[index] = .random(in: 0...255, using: &random)
            case 1: damaged.insert(.random(in: 0...255, using: &random), at: index)
            case _: damaged.remove(at: index)
            }
            let result = Result { try message.isDecoded(Data(damaged)) }
            if case .failure(let error) = result { #expect(error is DecodingError) }
        }
    }

    private func expectMistake(_ text: String, in bytes: [UInt8]) {
        let error = #expect(throws: DecodingError.self) { try parseJSON(bytes) }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.isEmpty)
        #expect(context.debugDescription == text)
    }
}

func parseJSON(_ text: String) throws -> JSONValue { try parseJSON(Array(text.utf8)) }
