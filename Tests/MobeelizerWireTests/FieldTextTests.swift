import ChangeRules
import DefinitionModel
import JSON
import Testing

@testable import MobeelizerWire

/// A value from a client, its stored form, and the form that clients are sent.
struct FieldText: Sendable, CustomTestStringConvertible {
    let type: FieldTypeName
    let given: JSONValue
    let stored: JSONValue?
    let sent: JSONValue?

    var testDescription: String { "\(type.rawValue) \(given)" }

    /// A refused value has no stored form.
    init(_ type: FieldTypeName, _ given: JSONValue, _ stored: JSONValue?, sent: JSONValue? = nil) {
        self.type = type
        self.given = given
        self.stored = stored
        self.sent = sent ?? (stored == nil ? nil : given)
    }

    private static let file: JSONValue = .object([
        "guid": .string(guid), "filename": "a \"b\".jpg",
    ])
    private static let fileText: JSONValue = .string(
        #"{"filename":"a \"b\".jpg","guid":"\#(guid)"}"#)
    private static let guid = "ABCDEF00-0000-4000-8000-00000000abcd"

    static let all: [FieldText] = [
        FieldText(.text, "", ""),
        FieldText(.text, "null", "null"),
        FieldText(
            .text, "\u{0}\n\t \u{1F41D} e\u{301} \u{E9} \u{2028}",
            "\u{0}\n\t \u{1F41D} e\u{301} \u{E9} \u{2028}"),
        FieldText(.integer, "0", 0),
        FieldText(.integer, "-2147483648", -2_147_483_648),
        FieldText(.integer, "9223372036854775807", .integer(.max)),
        FieldText(.integer, "-9223372036854775808", .integer(.min)),
        FieldText(.integer, 7, 7, sent: "7"),
        FieldText(.integer, "9223372036854775808", nil),
        FieldText(.integer, "", nil),
        FieldText(.integer, "+1", nil),
        FieldText(.integer, "1.0", nil),
        FieldText(.decimal, "1.50", "1.5", sent: "1.5"),
        FieldText(.decimal, "-0.001", "-0.001"),
        FieldText(
            .decimal, "12345678901234567890123456789012345678",
            "12345678901234567890123456789012345678"),
        FieldText(.decimal, "1.0E10", "10000000000", sent: "10000000000"),
        FieldText(.decimal, "-1.25E2", "-125", sent: "-125"),
        FieldText(.decimal, "1.234E1", "12.34", sent: "12.34"),
        FieldText(.decimal, "2.5E-7", "0.00000025", sent: "0.00000025"),
        FieldText(.decimal, "1.7976931348623157E308", nil),
        FieldText(.decimal, "1E", nil),
        FieldText(.decimal, "NaN", nil),
        FieldText(.boolean, "true", .boolean(true)),
        FieldText(.boolean, "false", .boolean(false)),
        FieldText(.boolean, .boolean(true), .boolean(true), sent: "true"),
        FieldText(.boolean, "TRUE", nil),
        FieldText(.boolean, "1", nil),
        FieldText(.date, "0", 0),
        FieldText(.date, "-1", -1),
        FieldText(.date, "1763762400123", 1_763_762_400_123),
        FieldText(.date, "2026-11-21", nil),
        FieldText(.belongsTo, .string(guid), .string(guid)),
        FieldText(.belongsTo, "elsewhere", nil),
        FieldText(.file, fileText, file),
        FieldText(.file, file, file, sent: fileText),
        FieldText(
            .file, .string(#"{"guid":"\#(guid)","filename":"f","size":3}"#),
            .object(["guid": .string(guid), "filename": "f"]),
            sent: .string(#"{"filename":"f","guid":"\#(guid)"}"#)),
        FieldText(.file, "photo.jpg", nil),
        FieldText(.file, "{", nil),
    ]
}

@Suite("The original wire preserves values")
struct FieldTextTests {
    @Test(arguments: FieldText.all)
    func textIsReadAndWritten(text: FieldText) {
        let given = GivenValue(fromWire: text.given, of: text.type)
        guard case .value(let value) = given else {
            #expect(given == .unreadable && text.stored == nil)
            return
        }
        #expect(JSONValue(value) == text.stored)
        #expect(JSONValue(value).onWire == text.sent)
    }

    @Test(arguments: FieldTypeName.allCases)
    func nullIsNoValueOfAnyType(type: FieldTypeName) {
        #expect(GivenValue(fromWire: .null, of: type) == .null)
        #expect(JSONValue.null.onWire == .null)
    }
}
