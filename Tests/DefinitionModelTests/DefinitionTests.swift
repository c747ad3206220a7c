import DefinitionModel
import Testing

@Suite struct DefinitionTests {
    @Test func namesRoleByGroupAndDevice() {
        #expect(Role(group: "users", deviceCategory: "mobile").name == "users-mobile")
    }

    @Test(arguments: [
        (FieldType.text(TextLimits()), "TEXT"), (.integer(IntegerLimits()), "INTEGER"),
        (.decimal(DecimalLimits()), "DECIMAL"), (.boolean, "BOOLEAN"),
        (.date(DateLimits()), "DATE"),
        (.belongsTo(Relation(model: "A")), "BELONGS_TO"), (.file, "FILE"),
    ])
    func namesTypeAsDocumentDoes(type: FieldType, name: String) {
        #expect(type.name.rawValue == name)
    }

    /// A limit's place is that of the option that sets it, or that of the field for a default
    /// limit.
    @Test(arguments: [("minValue", 3), ("maxValue", 2)])
    func knowsWhereLimitIsSet(option: String, line: Int) {
        let written = WrittenOption(
            name: "minValue", value: "1", place: SourcePlace(line: 3, column: 9))
        let field = Field(
            name: "count", type: .integer(IntegerLimits()), isRequired: false, defaultValue: nil,
            credentials: [:], writtenOptions: [written], writtenDefault: nil,
            place: SourcePlace(line: 2, column: 5))
        #expect(field.place(ofOption: option).line == line)
    }
}
