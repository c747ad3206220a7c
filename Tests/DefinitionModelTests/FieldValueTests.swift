import DefinitionModel
import Testing

@Suite struct FieldValueTests {
    private static let guid = "0f8fad5b-d9cb-469f-a165-70867728950e"

    @Test(arguments: [
        ("", FieldTypeName.text, FieldValue.text("")), ("a\nb", .text, .text("a\nb")),
        ("0", .integer, .integer(0)), ("-9223372036854775808", .integer, .integer(.min)),
        ("9223372036854775807", .integer, .integer(.max)), ("007", .integer, .integer(7)),
        ("true", .boolean, .boolean(true)), ("false", .boolean, .boolean(false)),
        ("1370000000000", .date, .date(milliseconds: 1_370_000_000_000)),
        ("-1", .date, .date(milliseconds: -1)), (guid, .belongsTo, .reference(guid: guid)),
    ])
    func isReadFromText(text: String, type: FieldTypeName, value: FieldValue) {
        #expect(FieldValue(text: text, of: type) == value)
    }

    @Test func readsDecimalExactly() throws {
        let number = try #require(DecimalNumber("0.1"))
        #expect(FieldValue(text: "0.10", of: .decimal) == .decimal(number))
    }

    @Test(arguments: [
        ("", FieldTypeName.integer), ("+1", .integer), ("1.0", .integer), (" 1", .integer),
        ("9223372036854775808", .integer), ("one", .integer), ("", .decimal), ("1e5", .decimal),
        ("+1", .decimal), ("TRUE", .boolean), ("1", .boolean), ("", .boolean),
        ("2013-05-31", .date), ("+5", .date), ("", .date), ("", .belongsTo), ("5", .belongsTo),
        ("{\"guid\":\"\(guid)\",\"filename\":\"a\"}", .file), ("", .file),
    ])
    func isNotReadFromTextOfAnotherKind(text: String, type: FieldTypeName) {
        #expect(FieldValue(text: text, of: type) == nil)
    }

    @Test(arguments: [
        "0f8fad5b-d9cb-469f-a165-70867728950e", "0F8FAD5B-D9CB-469F-A165-70867728950E",
        "00000000-0000-0000-0000-000000000000", "ffffffff-FFFF-ffff-FFFF-ffffffffffff",
    ])
    func takesGuidInEitherCase(text: String) {
        #expect(isGuid(text))
    }

    @Test(arguments: [
        "", "0f8fad5b", "0f8fad5bd9cb469fa16570867728950e",
        "{0f8fad5b-d9cb-469f-a165-70867728950e}", "0f8fad5b-d9cb-469f-a165-70867728950",
        "0f8fad5b-d9cb-469f-a165-70867728950e0", "0f8fad5b-d9cb-469f-a16-570867728950e",
        "gf8fad5b-d9cb-469f-a165-70867728950e", "0f8fad5b-d9cb-469f-a165-7086772895é",
        "0f8fad5b+d9cb-469f-a165-70867728950e", "--------------------------------- --",
    ])
    func takesNothingElseForGuid(text: String) {
        #expect(!isGuid(text))
    }

    /// Swift's `==` calls these two equal; an edit from one to the other is a change.
    @Test func differsWhenBytesDo() {
        let (composed, decomposed) = ("\u{E9}", "e\u{301}")
        #expect(composed == decomposed)
        #expect(FieldValue.text(composed) != .text(decomposed))
        #expect(
            FieldValue.file(FileValue(guid: Self.guid, filename: composed))
                != .file(FileValue(guid: Self.guid, filename: decomposed)))
        #expect(FieldValue.text(composed) == .text(composed))
    }

    private static let texts: [(String, FieldTypeName, String)] = [
        ("a b", .text, "a b"), ("-007", .integer, "-7"), ("1.50", .decimal, "1.5"),
        ("-0.0", .decimal, "0"), ("true", .boolean, "true"), ("-5", .date, "-5"),
        (guid.uppercased(), .belongsTo, guid.uppercased()),
    ]

    @Test(arguments: texts)
    func hasOneTextThatItIsReadFrom(text: String, type: FieldTypeName, canonical: String) {
        let value = FieldValue(text: text, of: type)
        #expect(value?.canonicalText == canonical)
        #expect(FieldValue(text: canonical, of: type) == value)
        let file = FieldValue.file(FileValue(guid: Self.guid, filename: "a"))
        #expect(file.canonicalText == nil)
    }

    private static let writtenTexts: [(String, FieldTypeName, String)] = [
        ("a b", .text, "a b"), ("-007", .integer, "-7"), ("1.50", .decimal, "1.5"),
        ("true", .boolean, "true"), (guid, .belongsTo, guid),
        ("2026-11-21", .date, "2026-11-21"), ("2026-11-21T00:00Z", .date, "2026-11-21"),
        ("2026-11-21T10:30Z", .date, "2026-11-21T10:30:00Z"),
        ("-1", .date, "1969-12-31T23:59:59.999Z"),
        ("9223372036854775807", .date, "9223372036854775807"),
    ]

    @Test(arguments: writtenTexts)
    func isWrittenAsPeopleDo(text: String, type: FieldTypeName, written: String) throws {
        let value = try #require(FieldValue(written: text, of: type))
        #expect(value.writtenText == written)
        #expect(FieldValue(written: written, of: type) == value)
    }

    @Test func fileIsOnlyRead() {
        let file = FieldValue.file(FileValue(guid: Self.guid, filename: "a.png"))
        #expect(file.writtenText == "a.png")
        #expect(FieldValue(written: "a.png", of: .file) == nil)
        #expect(FieldValue(written: "2026-02-30", of: .date) == nil)
    }

    /// The same number in another type is another value.
    @Test func differsWhenTypesDo() {
        let values: [FieldValue] = [
            .text("1"), .integer(1), .decimal(DecimalNumber(1)), .boolean(true),
            .date(milliseconds: 1), .reference(guid: "1"),
            .file(FileValue(guid: "1", filename: "1")),
        ]
        for (index, left) in values.enumerated() {
            for (other, right) in values.enumerated() {
                #expect((left == right) == (index == other))
            }
        }
        #expect(Set(values + values).count == values.count)
    }
}
