import ChangeRules
import DefinitionModel
import JSON
import SyncProtocol
import Testing

/// Definitions as JSON. The compiler's tests contain round trips of whole documents.
@Suite struct CompiledDefinitionTests {
    private static let role = Role(group: "users", deviceCategory: "mobile")
    private static let other = Role(group: "chiefs", deviceCategory: "web")

    private static let definition = Definition(
        application: "shop", vendor: "acme", conflictMode: .overwrite,
        deviceCategories: ["mobile", "web"], groups: ["users", "chiefs"], roles: [role, other],
        models: [
            Model(
                name: "Order",
                fields: [
                    field(
                        "price",
                        .decimal(
                            DecimalLimits(
                                scale: 2, minValue: DecimalNumber("0.01"),
                                includesMinValue: false)),
                        FieldValue(text: "12.5", of: .decimal)),
                    field(
                        "count", .integer(IntegerLimits(maxValue: .max, allowedValues: [1, .max])),
                        .integer(.max)),
                    field(
                        "title",
                        .text(
                            TextLimits(
                                minLength: 1, maxLength: 9, pattern: try? TextPattern("[a-z/]+"),
                                allowedValues: ["a/b", "c"])), .text("a/b")),
                    field("paid", .boolean, .boolean(false)),
                    field(
                        "sent", .date(DateLimits(minMilliseconds: -9, maxMilliseconds: 7)),
                        .date(milliseconds: -5)),
                    field("photo", .file, nil),
                    field("parent", .belongsTo(Relation(model: "Order")), nil),
                ],
                credentials: [
                    role: ModelCredential(
                        create: .all, read: .group, update: .own, delete: .none,
                        resolvesConflicts: true, place: place(3)),
                    other: ModelCredential(
                        create: .none, read: .all, update: .none, delete: .none,
                        resolvesConflicts: false, place: place(4)),
                ], place: place(2))
        ], digest: "abc")

    private static func place(_ line: Int) -> SourcePlace { SourcePlace(line: line, column: 5) }

    private static func field(
        _ name: String, _ type: FieldType, _ defaultValue: FieldValue?
    ) -> Field {
        Field(
            name: name, type: type, isRequired: true, defaultValue: defaultValue,
            credentials: [
                role: FieldCredential(create: .own, read: .all, update: .none, place: place(7))
            ], writtenOptions: [WrittenOption(name: "o", value: "1", place: place(8))],
            writtenDefault: defaultValue == nil ? nil : "as written", place: place(6))
    }

    private static let json = String(
        decoding: (try? CompiledDefinition(definition).canonicalJSON()) ?? [], as: UTF8.self)

    @Test func isBroughtBack() throws {
        let compiled = CompiledDefinition(Self.definition)
        let read = try CompiledDefinition(json: Array(Self.json.utf8))
        #expect(read == compiled)
        #expect(try read.definition() == Self.definition)
    }

    @Test func hasKeysInOrderPlainSlashesAndNewline() {
        #expect(Self.json.hasPrefix("{\n  \"application\" : \"shop\",\n  \"conflictMode\""))
        #expect(Self.json.contains("\"a/b\""))
        #expect(Self.json.contains("\"format\" : 2"))
        #expect(Self.json.hasSuffix("}\n"))
    }

    /// A reader may represent a JSON number as a double.
    @Test(arguments: ["\"9223372036854775807\"", "\"12.5\"", "\"0.01\"", "\"-5\""])
    func hasNumbersThatMustBeExactAsStrings(text: String) {
        #expect(Self.json.contains(text))
    }

    @Test func hasCredentialsByNameOfRole() {
        let credentials = CompiledDefinition(Self.definition).models[0].credentials
        #expect(credentials.map(\.role) == ["chiefs-web", "users-mobile"])
    }

    /// Edits by hand; the compiler generates none of these.
    @Test(arguments: [
        ("\"format\" : 2", "\"format\" : 3", CompiledDefinitionError.unsupportedFormat(3)),
        ("\"OVERWRITE\"", "\"MERGED\"", .unknownWord("MERGED", for: "conflictMode")),
        ("\"create\" : \"ALL\"", "\"create\" : \"all\"", .unknownWord("all", for: "create")),
        ("\"type\" : \"DATE\"", "\"type\" : \"DAY\"", .unknownWord("DAY", for: "type")),
        ("\"role\" : \"chiefs-web\"", "\"role\" : \"x-y\"", .unknownRole("x-y")),
        ("\"model\" : \"Order\"", "\"model\" : \"Odrer\"", .unknownModel("Odrer")),
        ("\"name\" : \"paid\"", "\"name\" : \"sent\"", .duplicateName("sent")),
        (
            "\"role\" : \"chiefs-web\"", "\"role\" : \"users-mobile\"",
            .duplicateName("users-mobile")
        ),
        ("\"maxLength\" : 9", "\"maxLengths\" : 9", .illegalLimits(field: "title")),
        ("\"[a-z/]+\"", "\"[a-z\"", .illegalLimits(field: "title")),
        ("\"minLength\" : 1", "\"minLength\" : 10", .illegalLimits(field: "title")),
        ("\"minDate\" : \"-9\"", "\"minDate\" : \"-9.5\"", .illegalLimits(field: "sent")),
        ("\"1\",", "\"one\",", .illegalLimits(field: "count")),
        ("\"scale\" : 2", "\"scale\" : -2", .illegalLimits(field: "price")),
        ("\"0.01\"", "\"1e5\"", .illegalLimits(field: "price")),
        ("\"-2147483648\"", "\"few\"", .illegalLimits(field: "count")),
        ("\"maxLength\" : 9", "\"maxLength\" : 2", .illegalDefault(field: "title")),
        ("\"-5\"", "\"today\"", .illegalDefault(field: "sent")),
    ])
    func refusesImpossibleDefinitions(
        part: String, replacement: String, error: CompiledDefinitionError
    ) throws {
        let changed = Self.json.replacing(part, with: replacement)
        #expect(changed != Self.json)
        let compiled = try CompiledDefinition(json: Array(changed.utf8))
        #expect(throws: error) { try compiled.definition() }
    }

    @Test(arguments: ["", "{}", "[]", "nonsense"])
    func refusesOtherTexts(text: String) {
        #expect(throws: (any Error).self) { try CompiledDefinition(json: Array(text.utf8)) }
    }
}
