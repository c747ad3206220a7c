import ChangeRules
import DefinitionModel
import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// The JSON values of each field type.
@Suite struct FieldValueTests {
    static let guid = "0a1b2c3d-4E5F-6071-8293-a4b5c6d7e8f9"

    @Test(
        arguments: [
            (.text, #""abc""#, .text("abc")), (.text, #""""#, .text("")),
            (.text, #""\u0000""#, .text("\u{0}")), (.text, "\"e\u{301}\"", .text("e\u{301}")),
            (.integer, "-9223372036854775808", .integer(.min)), (.integer, "1.0", .integer(1)),
            (.boolean, "true", .boolean(true)), (.boolean, "false", .boolean(false)),
            (.date, "-1", .date(milliseconds: -1)),
            (.date, "9223372036854775807", .date(milliseconds: .max)),
            (.belongsTo, "\"\(guid)\"", .reference(guid: guid)),
            (
                .file, "{\"guid\": \"\(guid)\", \"filename\": \"a\"}",
                .file(FileValue(guid: guid, filename: "a"))
            ),
        ] as [(FieldTypeName, String, FieldValue)])
    func legalValuesAreRead(type: FieldTypeName, json: String, value: FieldValue) throws {
        #expect(FieldValue(try parseJSON(json), of: type) == value)
    }

    @Test(arguments: [
        ("12.50", "12.5"), ("\"12.50\"", "12.5"), ("7", "7"), ("\"7\"", "7"), ("\"-0\"", "0"),
        ("-0.0", "0"), ("9223372036854775808", "9223372036854775808"),
        (
            "\"0.12345678901234567890123456789012345678\"",
            "0.12345678901234567890123456789012345678"
        ),
    ])
    func decimalIsNumberOrString(json: String, number: String) throws {
        let value = FieldValue(try parseJSON(json), of: .decimal)
        #expect(value == DecimalNumber(number).map(FieldValue.decimal))
    }

    @Test(
        arguments: [
            (.text, ["1", "true", "[]", "{}", #""\ud800""#]),
            (.integer, ["1.5", "\"1\"", "true", "9223372036854775808", "1e400", "[1]"]),
            (
                .decimal,
                [
                    "true", "\"\"", "\"abc\"", "\"1e2\"", "\"+1\"", "\" 1\"", "\".5\"", "\"1.\"",
                    "1e400",
                    "\"0.123456789012345678901234567890123456789\"", "[]",
                ]
            ),
            (.boolean, ["0", "1", "\"true\"", "\"\"", "[]"]),
            (.date, ["1.5", "\"1\"", "\"2020-01-01T00:00:00Z\"", "9223372036854775808", "true"]),
            (
                .belongsTo,
                [
                    "1", "\"\"", "\"abc\"", "\"0a1b2c3d4e5f60718293a4b5c6d7e8f9\"", "\"\(guid) \"",
                    "{\"guid\": \"\(guid)\"}",
                ]
            ),
            (
                .file,
                [
                    "\"\(guid)\"", "{}", "{\"guid\": \"\(guid)\"}", "{\"filename\": \"a\"}",
                    "{\"guid\": \"\(guid)\", \"filename\": \"\"}",
                    "{\"guid\": \"\(guid)\", \"filename\": null}",
                    "{\"guid\": \"\(guid)\", \"filename\": 1}",
                    "{\"guid\": \"abc\", \"filename\": \"a\"}",
                    "{\"guid\": \"\(guid)\", \"filename\": \"a\", \"size\": 1}",
                    "{\"guid\": \"\(guid)\", \"fileName\": \"a\"}",
                ]
            ),
        ] as [(FieldTypeName, [String])])
    func illegalValuesAreRefused(type: FieldTypeName, texts: [String]) throws {
        for text in texts + ["null"] {
            #expect(FieldValue(try parseJSON(text), of: type) == nil, "\(text)")
        }
    }

    @Test(arguments: FieldTypeName.allCases, UInt64(0)..<50)
    func valueSurvivesItsJSON(type: FieldTypeName, seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for _ in 0..<20 {
            let value = FieldValue.random(of: type, using: &random)
            let json = try JSONEncoder().encode(["value": JSONValue(value)])
            let ours = try decodeMessage([String: JSONValue].self, from: Array(json))
            let foreign = try JSONDecoder().decode([String: JSONValue].self, from: json)
            #expect(ours["value"].flatMap { FieldValue($0, of: type) } == value)
            #expect(foreign["value"].flatMap { FieldValue($0, of: type) } == value)
        }
    }
}
