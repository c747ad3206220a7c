import DefinitionCompiler
import DefinitionModel
import Testing

/// The definition that a valid document yields.
@Suite struct DefinitionTests {
    let definition: Definition

    init() throws {
        definition = try #require(compile(Fixtures.source("valid-everything")).definition)
    }

    private let users = Role(group: "users", deviceCategory: "mobile")
    private let chiefs = Role(group: "chiefs", deviceCategory: "web")

    @Test func hasNamesInOrderOfDocument() {
        #expect(definition.application == "shop")
        #expect(definition.vendor == "acme")
        #expect(definition.conflictMode == .discard)
        #expect(definition.deviceCategories == ["mobile", "web"])
        #expect(definition.groups == ["users", "chiefs"])
        #expect(definition.roles == [users, chiefs])
        #expect(definition.models.map(\.name) == ["Order", "Customer"])
        let names = ["title", "count", "price", "paid", "sent", "photo", "customer"]
        #expect(definition.models[0].fields.map(\.name) == names)
    }

    @Test func hasLimitsThatOptionsSet() {
        #expect(
            definition.models[0].fields.map(\.type) == [
                .text(TextLimits(maxLength: 250)),
                .integer(IntegerLimits(minValue: .min, maxValue: .max)),
                .decimal(
                    DecimalLimits(
                        scale: 2, minValue: DecimalNumber(0),
                        maxValue: DecimalNumber("99999999999999999999.99"),
                        includesMinValue: false)),
                .boolean, .date(DateLimits()), .file,
                .belongsTo(Relation(model: "Customer", analyzesConflict: true)),
            ])
    }

    @Test func hasDefaultsAsValues() throws {
        #expect(
            definition.models[0].fields.map(\.defaultValue) == [
                .text("a < b & c"), .integer(-7), .decimal(try #require(DecimalNumber("0.5"))),
                .boolean(true), .date(milliseconds: 1_370_000_000_000), nil, nil,
            ])
        #expect(definition.models[0].fields[2].writtenDefault == "0.50")
    }

    @Test func isRequiredOnlyWhereItSaysSo() {
        let required = definition.models[0].fields.map(\.isRequired)
        #expect(required == [true, false, false, false, false, false, true])
    }

    @Test func hasOptionsJoinedTrimmedAndPlaced() {
        #expect(
            definition.models[0].fields[0].writtenOptions == [
                WrittenOption(
                    name: "maxLength", value: "250", place: SourcePlace(line: 15, column: 20))
            ])
        #expect(definition.models[0].fields[2].writtenOptions.last?.value == "true")
    }

    @Test func omittedCredentialsGrantNothing() {
        #expect(
            definition.models[0].credentials == [
                users: ModelCredential(
                    create: .all, read: .group, update: .own, delete: .none,
                    resolvesConflicts: true, place: SourcePlace(line: 9, column: 9)),
                chiefs: ModelCredential(
                    create: .none, read: .all, update: .none, delete: .none,
                    resolvesConflicts: false, place: SourcePlace(line: 11, column: 9)),
            ])
        #expect(
            definition.models[0].fields[0].credentials == [
                users: FieldCredential(
                    create: .own, read: .all, update: .none,
                    place: SourcePlace(line: 16, column: 24))
            ])
        #expect(Array(definition.models[1].credentials.keys) == [users])
    }

    @Test func knowsWhereModelsAndFieldsStand() {
        #expect(definition.models.map(\.place.line) == [7, 53])
        #expect(definition.models[0].fields[0].place == SourcePlace(line: 14, column: 9))
    }

    @Test func hasLimitsOfTypeWhereNothingIsSet() throws {
        let fields = ["TEXT", "INTEGER", "DECIMAL"].map { "<field name='f\($0)' type='\($0)'/>" }
        let relation = """
            <field name="parent" type="BELONGS_TO">
            <options><option name="model">Order</option></options></field>
            """
        let compilation = compile(text: document(fields: fields.joined() + relation))
        #expect(
            try #require(compilation.definition).models[0].fields.map(\.type) == [
                .text(TextLimits(maxLength: 255)),
                .integer(IntegerLimits(minValue: -2_147_483_648, maxValue: 2_147_483_647)),
                .decimal(DecimalLimits(scale: 3)), .belongsTo(Relation(model: "Order")),
            ])
        #expect(compilation.definition?.conflictMode == .manual)
    }

    /// An error in a role or model must not cause another one for each reference to it.
    @Test func reportsMistakeOnce() {
        let text = document(
            models: """
                <model name="1st"><fields><field name="a" type="BELONGS_TO">
                <options><option name="model">1st</option></options>
                <credentials><credential role="users-tablet"/></credentials>
                </field></fields></model>
                """
        ).replacing("device=\"mobile\"", with: "device=\"tablet\"")
        #expect(compile(text: text).diagnostics.map(\.id) == ["unknownDevice", "illegalName"])
    }
}
