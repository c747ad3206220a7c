import DefinitionModel
import SourceGenerator
import Testing

/// Rules specific to TypeScript; `Tests/Golden/TypeScript` covers the rest.
@Suite struct TypeScriptTests {
    @Test(arguments: [
        (
            FieldType.text(TextLimits(allowedValues: ["a", "say \"é\""])),
            #""a" | "say \"\u00e9\"""#
        ),
        (.integer(IntegerLimits(allowedValues: [1, -2])), "1 | -2"),
        (
            .decimal(DecimalLimits(allowedValues: [1, 2].map { DecimalNumber(Int64($0)) })),
            #""1" | "2""#
        ),
        (.text(TextLimits()), "string"), (.integer(IntegerLimits()), "number"),
        (.decimal(DecimalLimits()), "string"), (.boolean, "boolean"),
        (.date(DateLimits()), "number"), (.belongsTo(Relation(model: "m")), "string"),
        (.file, "waggle.FileReference"),
    ])
    func typeHoldsEveryValueOfField(type: FieldType, written: String) throws {
        let fields = [
            field("must", type, required: true), field("may", type),
            field("hidden", type, required: true, read: [:]),
        ]
        let text = try typeScript(of: [model("m", fields)])[0].text
        #expect(text.contains("\n        must: \(written);\n"))
        #expect(text.contains("\n        may: \(written) | null;\n"))
        #expect(text.contains("\n        hidden?: waggle.Visible<\(written)>;\n"))
    }

    /// The names on the wire, and no name is reserved.
    @Test func fieldsHaveTheirOwnNames() throws {
        let text = try typeScript(of: [model("m", [field("unit_price"), field("class")])])[0].text
        #expect(text.contains("\n        unit_price: string | null;\n"))
        #expect(text.contains("\n        class: string | null;\n"))
    }

    /// JavaScript rounds others when it reads them, and would send back what it made of them.
    @Test(arguments: [
        (IntegerLimits(), true), (IntegerLimits(maxValue: 9_007_199_254_740_991), true),
        (IntegerLimits(maxValue: 9_007_199_254_740_992), false),
        (IntegerLimits(minValue: .min), false),
        (IntegerLimits(maxValue: .max, allowedValues: [1, 2]), true),
        (IntegerLimits(allowedValues: [1, 9_007_199_254_740_993]), false),
    ])
    func integerThatWouldBeRoundedIsRefused(limits: IntegerLimits, isTaken: Bool) throws {
        let definition = definition([model("m", [field("count", .integer(limits))])])
        try Generator(language: "swift", prefix: "").check(definition)
        let generator = try Generator(language: "typescript", prefix: "")
        let error = GeneratorError.inexactInteger(
            field: "m.count", line: 1, language: "TypeScript")
        if isTaken {
            try generator.check(definition)
        } else {
            #expect(throws: error) { try generator.check(definition) }
        }
        #expect(error.message.contains("'m.count'") && error.help.contains("maxValue"))
    }

    @Test func typesHideNoneOfLanguage() throws {
        let paths = try typeScript(of: [model("date"), model("waggle"), model("site")], prefix: "")
            .map(\.path)
        #expect(paths == ["DateModel.ts", "WaggleModel.ts", "Site.ts", "waggle.ts"])
    }

    @Test func descriptionsDoNotEndComment() throws {
        let described = Model(
            name: "m", description: "a */ b */\u{301}", fields: [], credentials: RoleTable([:]),
            place: nowhere)
        let text = try typeScript(of: [described])[0].text
        #expect(text.contains("\n * a * / b * /\u{301}\n */\n"))
    }
}

private func typeScript(of models: [Model], prefix: String = "MMD") throws -> [SourceDraft] {
    try Generator(language: "typescript", prefix: prefix).drafts(of: definition(models))
}
