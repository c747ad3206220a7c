import DefinitionModel
import SourceGenerator
import Testing

/// The properties of a generated model.
@Suite struct PropertyTests {
    @Test(arguments: [
        (FieldType.text(TextLimits()), "String"), (.integer(IntegerLimits()), "Int64"),
        (.decimal(DecimalLimits()), "Waggle.ExactDecimal"), (.boolean, "Bool"),
        (.date(DateLimits()), "Waggle.Instant"),
        (.belongsTo(Relation(model: "m")), "Waggle.Reference<MMDM>"),
        (.file, "Waggle.FileReference"),
    ])
    func itsTypeHoldsEveryValueOfField(type: FieldType, swift: String) throws {
        let fields = [field("must", type, required: true), field("may", type)]
        let text = try generate([model("m", fields)])[0].text
        #expect(text.contains("\n    public var must: \(swift)\n"))
        #expect(text.contains("\n    public var may: \(swift)?\n"))
        #expect(text.contains("\n        must: \(swift),\n"))
        #expect(text.contains("\n        may: \(swift)? = nil\n"))
    }

    /// Nothing is hidden if no record can be read. Otherwise only `ALL` and the level of the model
    /// reach each readable record: an own record may belong to another group, and the reverse.
    @Test(arguments: AccessLevel.allCases, AccessLevel.allCases)
    func hiddenPropertyNamesItsRoles(
        model modelLevel: AccessLevel, field fieldLevel: AccessLevel
    ) throws {
        let isHidden = modelLevel != .none && fieldLevel != .all && fieldLevel != modelLevel
        let hidden = field("f", required: true, read: [everyone: fieldLevel])
        let text = try generate([model("m", [hidden], read: [everyone: modelLevel])])[0].text
        let type = isHidden ? "Waggle.Visible<String>" : "String"
        #expect(text.contains("\n    public var f: \(type)\n"))
        #expect(text.contains("/// Hidden from some readers of the record.\n") == isHidden)
    }

    @Test func singleRoleWithoutReadRightHidesProperty() throws {
        let others = Role(group: "others", deviceCategory: "mobile")
        let hidden = field("f", required: true, read: [everyone: .all])
        let text = try generate(
            [model("m", [hidden], read: [everyone: .all, others: .own])])[0].text
        #expect(text.contains("\n    public var f: Waggle.Visible<String>\n"))
    }

    /// The author must omit a required value explicitly.
    @Test func requiredOneHasNoInitialValueOfItsOwn() throws {
        let hidden = field("f", required: true, read: [:])
        let text = try generate([model("m", [hidden])])[0].text
        #expect(text.contains("\n        f: Waggle.Visible<String>\n    ) {\n"))
    }

    @Test(arguments: [
        (FieldType.text(TextLimits(maxLength: 7)), "Text of at most 7 UTF-16 code units."),
        (.integer(IntegerLimits(minValue: -1, maxValue: 5)), "An integer from -1 to 5."),
        (.decimal(DecimalLimits(scale: 2)), "A decimal number, with at most 2 fraction digits."),
        (.boolean, "True or false."),
        (.date(DateLimits()), "A point in time, to the millisecond."),
        (.belongsTo(Relation(model: "m")), "The ``MMDM`` that it belongs to."),
        (
            .belongsTo(Relation(model: "m", analyzesConflict: true)),
            "The ``MMDM`` that it belongs to. Conflict detection treats the two as one."
        ),
        (.file, "A file, by its guid and name."),
    ])
    func itsCommentTellsLimits(type: FieldType, comment: String) throws {
        let text = try generate([model("m", [field("f", type)])])[0].text
        #expect(text.contains("\n\n    /// \(comment)\n    public var f: "))
    }

    @Test(arguments: [
        (true, true, ", at least -0.5, at most 2.5"),
        (true, false, ", at least -0.5, less than 2.5"),
        (false, true, ", more than -0.5, at most 2.5"),
        (false, false, ", more than -0.5, less than 2.5"),
    ])
    func itsCommentTellsWhetherLimitIsIncluded(low: Bool, high: Bool, limits: String) throws {
        let type = FieldType.decimal(
            DecimalLimits(
                scale: 1, minValue: try decimal("-0.5"), maxValue: try decimal("2.5"),
                includesMinValue: low, includesMaxValue: high))
        let text = try generate([model("m", [field("f", type)])])[0].text
        #expect(text.contains("/// A decimal number\(limits), with at most 1 fraction digits.\n"))
    }
}
