import DefinitionModel
import JSON
import Testing

@Suite("Texts with a format are JSON or bytes")
struct TextFormatTests {
    private static let json = FieldType.text(limits(.json, maxBytes: 20))
    private static let bytes = FieldType.text(limits(.base64, maxBytes: 4))

    private static let geo = FieldType.text(limits(.geo, maxBytes: 100))

    private static func limits(_ kind: TextFormat.Kind, maxBytes: Int) -> TextLimits {
        TextLimits(maxLength: 60, format: TextFormat(kind, maxBytes: maxBytes))
    }

    private static let deep = String(repeating: "[", count: 24) + String(repeating: "]", count: 24)

    /// Nil for a text that is none of the format.
    private static let texts: [(FieldType, String, canonical: String?)] = [
        (json, "{}", "{}"), (json, " [ ] ", "[]"),
        (json, #"{ "b": 1.0, "a": [null] }"#, #"{"a":[null],"b":1}"#),
        (json, #"["\u00e9\u0000"]"#, #"["é\u0000"]"#), (json, "[1e2]", "[100]"),
        (json, "", nil), (json, "null", nil), (json, "1", nil), (json, #""a""#, nil),
        (json, "{", nil), (json, "[1] 2", nil), (json, #"{"a":1,"a":2}"#, nil),
        (json, "[1e400]", nil), (json, #"["\ud800"]"#, nil), (json, "[\(deep)]", nil),
        (bytes, "", ""), (bytes, "AAAA", "AAAA"), (bytes, "/+8=", "/+8="), (bytes, "/w==", "/w=="),
        (bytes, "A", nil), (bytes, "AAA", nil), (bytes, "A===", nil), (bytes, "====", nil),
        (bytes, "AA=A", nil), (bytes, "AA\n=", nil), (bytes, "_-8=", nil), (bytes, "/x==", nil),
        (bytes, "//9=", nil), (geo, "52.50,-13.4", "52.5,-13.4"), (geo, "90,-180", "90,-180"),
        (geo, " -0.0 , 180 ", "0,180"), (geo, "1.1234567890123459,2", "1.123456789012345,2"),
        (geo, "", nil), (geo, "5", nil), (geo, "1,2,3", nil), (geo, "1,", nil),
        (geo, "90.1,0", nil), (geo, "0,-180.001", nil), (geo, "1 1,2", nil), (geo, "1e1,2", nil),
    ]

    @Test(arguments: texts.indices) func text(index: Int) {
        let (type, text, canonical) = Self.texts[index]
        let kind = type.format?.kind ?? .json
        #expect(
            type.violations(of: .text(text)) == (canonical == nil ? [.wrongFormat(kind)] : []),
            "\(text)")
        #expect(type.canonical(.text(text)) == .text(canonical ?? text), "\(text)")
    }

    @Test func depthIsThatOfEveryMessage() {
        let type = FieldType.text(TextLimits(format: TextFormat(.json)))
        #expect(type.violations(of: .text(Self.deep)) == [])
        #expect(TextFormat.maxDepth < maxJSONDepth)
    }

    /// A value violates what its canonical text does.
    @Test(arguments: [
        "{}", #"{"a":[1,null]}"#, "[]", #"["abcdefghijklmnop"]"#, #"["abcdefghijklmnopq"]"#,
        "1", #""a""#, "null", #"["\u0000"]"#, "[1e30]",
        String(repeating: "[", count: 24) + String(repeating: "]", count: 24),
        String(repeating: "[", count: 25) + String(repeating: "]", count: 25),
    ])
    func valueIsAsItsText(text: String) throws {
        let value = try parseJSON(Array(text.utf8))
        for limits in [
            TextLimits(maxLength: 200, format: TextFormat(.json, maxBytes: 20)),
            TextLimits(maxLength: 200, format: TextFormat(.json)),
            TextLimits(maxLength: 12, format: TextFormat(.json)),
        ] {
            let type = FieldType.text(limits)
            #expect(
                type.violations(of: value, text: value.text)
                    == type.violations(of: .text(value.text)))
        }
    }

    @Test func numberThatIsNotHeldExactlyHasNoFormat() throws {
        let value = try parseJSON(Array("[1e400]".utf8))
        #expect(Self.json.violations(of: value, text: value.text) == [.wrongFormat(.json)])
    }

    /// Limits count the canonical text of JSON, and the decoded base64.
    @Test(arguments: [
        (json, #"["abcdefghijklmnop"]"#, true), (json, #"["abcdefghijklmnopq"]"#, false),
        (json, #"[ "abcdefghijklmnop" ]"#, true), (json, "[1e19]", false), (json, "[1e17]", true),
        (json, #"["\u00e9\u00e9\u00e9\u00e9"]"#, true), (bytes, "AAAAAA==", true),
        (bytes, "AAAAAAA=", false),
    ])
    func bytesAreLimited(type: FieldType, text: String, isWithin: Bool) {
        let max = type.format?.maxBytes ?? 0
        let expected: [LimitViolation] = isWithin ? [] : [.tooManyBytes(max: max)]
        #expect(type.violations(of: .text(text)) == expected)
    }

    @Test func textThatIsTooLongIsNotRead() {
        let long = "[" + String(repeating: " ", count: 60)
        #expect(Self.json.violations(of: .text(long)) == [.tooLong(max: 60)])
    }

    @Test(arguments: [(1, 4), (3, 4), (4, 8), (750_000, 1_000_000)])
    func base64HasLength(bytes: Int, length: Int) {
        #expect(TextFormat(.base64, maxBytes: bytes).maxLength == length)
    }

    @Test(arguments: TextFormat.Kind.allCases) func leastTextIsValue(kind: TextFormat.Kind) {
        #expect(TextFormat(kind).canonicalText(of: kind.leastText) == kind.leastText)
        let greatest = TextFormat(kind, maxBytes: .max)
        #expect(greatest.maxBytes == kind.greatestMaxBytes)
        #expect(greatest.maxLength == (kind == .geo ? 100 : 1_000_000))
    }

    @Test func numbersOfJSONHaveDigitsOfDecimals() {
        #expect(maxJSONDigits == DecimalNumber.maxDigits)
    }
}
