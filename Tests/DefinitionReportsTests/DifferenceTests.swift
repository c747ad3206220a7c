import DefinitionModel
import DefinitionReports
import Testing

extension DefinitionComparison {
    fileprivate var lines: [DifferenceCase.Line] {
        differences.map {
            .line($0.kind, $0.message, data: $0.data.impact, clients: $0.clients.impact)
        }
    }
}

@Suite struct DifferenceTests {
    @Test(arguments: applicationCases + modelCases + fieldCases + limitCases + wordingCases)
    func differenceIsReportedWithItsSeverity(example: DifferenceCase) throws {
        let original = try Documents.definition("parcels")
        let other = try edited("parcels", example.edits)
        let comparison =
            example.isBackwards
            ? DefinitionComparison(from: other, to: original)
            : DefinitionComparison(from: original, to: other)
        #expect(comparison.lines == example.expected)
    }

    @Test func everyKindIsReported() {
        let cases = applicationCases + modelCases + fieldCases + limitCases + wordingCases
        let told = Set(cases.flatMap(\.expected).map(\.kind))
        #expect(Set(Difference.Kind.allCases).subtracting(told) == [.rightGained, .rightLost])
    }

    @Test(arguments: [
        (#"required="true" w:unique="true""#, #"required="true""#, 20, 56, 20, 9),
        ("<option name=\"maxLength\">8<", "<option name=\"maxLength\">9<", 26, 13, 26, 13),
        (#" w:pattern="[A-Z]{2}\d{6}""#, "", 20, 72, 20, 9),
        (#"w:conflictMode="MERGE""#, #"w:conflictMode="MANUAL""#, 18, 79, 18, 79),
    ])
    func itsPlacesAreThoseOfRule(
        from: String, to: String, oldLine: Int, oldColumn: Int, newLine: Int, newColumn: Int
    ) throws {
        let comparison = DefinitionComparison(
            from: try Documents.definition("parcels"),
            to: try edited("parcels", [(from: from, to: to)]))
        let difference = try #require(comparison.differences.first)
        #expect(difference.oldPlace == SourcePlace(line: oldLine, column: oldColumn))
        #expect(difference.newPlace == SourcePlace(line: newLine, column: newColumn))
    }

    /// A merged model has the impact that a renamed one would have on its records.
    @Test func mergedModelIsAsSevereAsRenamedOne() throws {
        let new = try Documents.definition("parcels")
        let cases: [(code: String, reason: String)] = [
            (
                #"type="FILE""#,
                "'code' of 'parcel' is of the type TEXT, and was FILE; 'code' of 'parcel' is "
                    + "required now; 'code' of 'parcel' is unique now; the field 'state' of "
                    + "'parcel' is new, and required"
            ),
            (
                #"type="TEXT" required="true" w:unique="true" w:pattern="[A-Z]{2}\d{6}""#,
                "'maxLength' of 'code' of 'parcel' is 8, and was 255; the field 'state' of "
                    + "'parcel' is new, and required"
            ),
        ]
        for (code, reason) in cases {
            let (from, to) = addingPacket(code)
            let old = try edited(
                "parcels", [(from: #" w:renamedFrom="packet""#, to: ""), (from: from, to: to)])
            let merged = try #require(
                DefinitionComparison(from: old, to: new).differences.first {
                    $0.kind == .modelMerged
                })
            #expect(
                merged.data.reason
                    == "its records are brought over to the new name; for them, \(reason)")
        }
    }

    @Test func heaviestCounts() throws {
        let old = try Documents.definition("parcels")
        let cases: [([(from: String, to: String)], Impact?)] = [
            ([], nil),
            ([("On the way.", "Under way.")], .safe),
            ([(#"name="label""#, #"name="sticker""#)], .breaking),
            ([("On the way.", "Under way."), (#"name="label""#, #"name="sticker""#)], .breaking),
        ]
        for (edits, impact) in cases {
            let comparison = DefinitionComparison(from: old, to: try edited("parcels", edits))
            #expect(comparison.impact == impact)
            #expect(comparison.isEmpty == (impact == nil))
        }
    }
}

private let applicationCases = [
    DifferenceCase(
        (#"application="parcels""#, #"application="freight""#),
        expecting: .line(
            .applicationRenamed, "the application is called 'freight', and was 'parcels'",
            clients: .breaking)),
    DifferenceCase(
        (#"vendor="waggle""#, #"vendor="acme""#),
        expecting: .line(
            .vendorRenamed, "the vendor is called 'acme', and was 'waggle'", clients: .breaking)),
    DifferenceCase(
        ("On the way.", "Under way."),
        expecting: .line(
            .descriptionChanged, "the description of the application changed")),
    DifferenceCase(
        ("    <device name=\"desk\"/>\n", "    <device name=\"desk\"/><device name=\"watch\"/>\n"),
        expecting: .line(.deviceCategoryAdded, "the device category 'watch' is new")),
    DifferenceCase(
        ("<group name=\"office\"/>", "<group name=\"office\"/><group name=\"guests\"/>"),
        expecting: .line(.groupAdded, "the group 'guests' is new")),
    DifferenceCase(
        (
            "    <role group=\"office\"",
            "    <role group=\"drivers\" device=\"desk\"/><role group=\"office\""
        ),
        expecting: .line(.roleAdded, "the role 'drivers-desk' is new")),
    DifferenceCase(
        ("<device name=\"desk\"/>", "<device name=\"desk\"/><device name=\"watch\"/>"),
        isBackwards: true,
        expecting: .line(.deviceCategoryRemoved, "the device category 'watch' is gone")),
    DifferenceCase(
        ("<device name=\"desk\"/>", "<device name=\"desk\"/><device name=\"watch\"/>"),
        (
            "<role group=\"office\" device=\"desk\"/>",
            "<role group=\"office\" device=\"desk\"/><role group=\"office\" device=\"watch\"/>"
        ),
        isBackwards: true,
        expecting: .line(
            .deviceCategoryRemoved, "the device category 'watch' is gone", clients: .breaking),
        .line(.roleRemoved, "the role 'office-watch' is gone", clients: .breaking)),
    DifferenceCase(
        ("<group name=\"office\"/>", "<group name=\"office\"/><group name=\"guests\"/>"),
        isBackwards: true,
        expecting: .line(
            .groupRemoved, "the group 'guests' is gone", data: .breaking, clients: .breaking)),
]

/// Adds a model 'packet' with the parcel's code and a flag.
private func addingPacket(_ code: String) -> (String, String) {
    (
        "  </models>",
        #"<model name="packet"><fields><field name="code" \#(code)/>"#
            + #"<field name="fragile" type="BOOLEAN" required="true"/></fields></model></models>"#
    )
}

private let modelCases = [
    DifferenceCase(
        (
            "  </models>",
            #"<model name="depot"><fields><field name="a" type="FILE"/></fields></model></models>"#
        ),
        expecting: .line(.modelAdded, "the model 'depot' is new")),
    DifferenceCase(
        (#"<model name="van">"#, #"<model name="lorry">"#),
        (#"name="model">van<"#, #"name="model">lorry<"#),
        expecting: .line(
            .relationTargetChanged, "'van' of 'parcel' belongs to 'lorry', and did to 'van'",
            data: .breaking, clients: .breaking),
        .line(.modelAdded, "the model 'lorry' is new"),
        .line(.modelRemoved, "the model 'van' is gone", data: .breaking, clients: .breaking)),
    DifferenceCase(
        (#"<model name="van">"#, #"<model name="lorry" w:renamedFrom="car van">"#),
        (#"name="model">van<"#, #"name="model">lorry<"#),
        expecting: .line(
            .modelRenamed, "the model 'lorry' was called 'van'", clients: .breaking)),
    // Removes a model 'packet' beside 'parcel'.
    DifferenceCase(
        (#" w:renamedFrom="packet""#, ""), addingPacket(#"type="TEXT" required="true""#),
        isBackwards: true,
        expecting: .line(.earlierNamesChanged, "'parcel' has other earlier names"),
        .line(
            .modelMerged, "the model 'packet' has become part of 'parcel'", data: .breaking,
            clients: .breaking)),
    DifferenceCase(
        (#"w:conflictMode="MERGE""#, #"w:conflictMode="MANUAL""#),
        expecting: .line(
            .conflictModeChanged, "the conflict mode of 'parcel' is MANUAL, and was MERGE")),
    DifferenceCase(
        (#"w:conflictMode="MERGE""#, #"w:conflictMode="DISCARD""#),
        expecting: .line(
            .conflictModeChanged, "the conflict mode of 'parcel' is DISCARD, and was MERGE",
            clients: .breaking)),
    DifferenceCase(
        (#"conflictMode="MANUAL" w"#, #"conflictMode="OVERWRITE" w"#),
        expecting: .line(
            .conflictModeChanged, "the conflict mode of 'van' is OVERWRITE, and was MANUAL",
            clients: .breaking)),
    DifferenceCase(
        (#"conflictMode="MANUAL" w"#, #"conflictMode="OVERWRITE" w"#),
        (#"<model name="van">"#, #"<model name="van" w:conflictMode="MANUAL">"#),
        expecting: .line(
            .writtenOtherwise,
            "the conflict mode of the application changed, but that of no model"),
        .line(.writtenOtherwise, "'van' is written differently, with the same meaning")),
    DifferenceCase(
        ("What is sent.", "What is on its way."),
        expecting: .line(.descriptionChanged, "the description of 'parcel' changed")),
    DifferenceCase(
        (#"w:renamedFrom="packet""#, #"w:renamedFrom="packet pack""#),
        expecting: .line(.earlierNamesChanged, "'parcel' has other earlier names")),
    DifferenceCase(
        (#"w:renamedFrom="packet""#, #"w:renamedFrom="packet" w:alias="Parcels""#),
        expecting: .line(
            .aliasChanged,
            "other products' clients know 'parcel' as 'Parcels', and knew it as 'parcel'",
            clients: .breaking)),
]

/// Adds a field 'note' before the field 'label'.
private func addingField(_ attributes: String) -> (String, String) {
    (#"<field name="label""#, #"<field name="note" \#(attributes)/><field name="label""#)
}

private let fieldCases = [
    DifferenceCase(
        addingField(#"type="TEXT""#),
        expecting: .line(.fieldAdded, "the field 'note' of 'parcel' is new")),
    DifferenceCase(
        addingField(#"type="TEXT" defaultValue="""#),
        expecting: .line(.fieldAdded, "the field 'note' of 'parcel' is new")),
    DifferenceCase(
        addingField(#"type="TEXT" required="true" defaultValue="-""#),
        expecting: .line(
            .fieldAdded, "the field 'note' of 'parcel' is new, and required", data: .needsDefault)),
    DifferenceCase(
        addingField(#"type="TEXT" required="true""#),
        expecting: .line(
            .fieldAdded, "the field 'note' of 'parcel' is new, and required", data: .breaking,
            clients: .breaking)),
    DifferenceCase(
        addingField(#"type="TEXT""#),
        isBackwards: true,
        expecting: .line(
            .fieldRemoved, "the field 'note' of 'parcel' is gone", data: .breaking,
            clients: .breaking)),
    DifferenceCase(
        (
            #"<field name="plate" type="TEXT">"#,
            #"<field name="plate" type="TEXT" required="true">"#
        ),
        expecting: .line(
            .becameRequired, "'plate' of 'van' is required now", data: .breaking,
            clients: .breaking)),
    DifferenceCase(
        (
            #"<field name="van" type="BELONGS_TO">"#,
            #"<field name="lorry" type="BELONGS_TO" w:renamedFrom="van">"#
        ),
        expecting: .line(
            .fieldRenamed, "'lorry' of 'parcel' was called 'van'", clients: .breaking)),
    // Removes a field 'phase' beside 'state'.
    DifferenceCase(
        addingField(#"type="TEXT""#), (#"name="note""#, #"name="phase""#),
        (#" w:renamedFrom="status phase""#, ""), isBackwards: true,
        expecting: .line(.earlierNamesChanged, "'state' of 'parcel' has other earlier names"),
        .line(
            .fieldMerged, "the field 'phase' of 'parcel' has become part of 'state'",
            data: .breaking, clients: .breaking)),
    DifferenceCase(
        (#"<field name="label" type="FILE">"#, #"<field name="label" type="BOOLEAN">"#),
        expecting: .line(
            .typeChanged, "'label' of 'parcel' is of the type BOOLEAN, and was FILE",
            data: .breaking, clients: .breaking)),
    DifferenceCase(
        (#"<field name="pieces" type="INTEGER""#, #"<field name="pieces" type="DECIMAL""#),
        expecting: .line(
            .typeChanged, "'pieces' of 'parcel' is of the type DECIMAL, and was INTEGER",
            clients: .breaking)),
    DifferenceCase(
        (#"name="model">van<"#, #"name="model">parcel<"#),
        expecting: .line(
            .relationTargetChanged, "'van' of 'parcel' belongs to 'parcel', and did to 'van'",
            data: .breaking, clients: .breaking)),
    DifferenceCase(
        (#"name="analyzeConflict">true<"#, #"name="analyzeConflict">false<"#),
        expecting: .line(
            .analyzeConflictChanged, "'analyzeConflict' of 'van' of 'parcel' is false, and was true"
        )),
    DifferenceCase(
        (
            #"<field name="pieces" type="INTEGER""#,
            #"<field name="pieces" type="INTEGER" required="true""#
        ),
        expecting: .line(
            .becameRequired, "'pieces' of 'parcel' is required now", data: .needsDefault,
            clients: .breaking)),
    DifferenceCase(
        (
            #"<field name="fragile" type="BOOLEAN" required="true""#,
            #"<field name="fragile" type="BOOLEAN""#
        ),
        expecting: .line(
            .becameOptional, "'fragile' of 'parcel' is no longer required", clients: .breaking)),
    DifferenceCase(
        (#" w:unique="true""#, ""),
        expecting: .line(.ceasedToBeUnique, "'code' of 'parcel' is no longer unique")),
    DifferenceCase(
        (
            #"<field name="plate" type="TEXT">"#,
            #"<field name="plate" type="TEXT" w:unique="true">"#
        ),
        expecting: .line(
            .becameUnique, "'plate' of 'van' is unique now", data: .breaking, clients: .breaking)),
    DifferenceCase(
        (
            #"<field name="plate" type="TEXT">"#,
            #"<field name="plate" type="TEXT" defaultValue="?">"#
        ),
        expecting: .line(
            .defaultAdded, "the default of 'plate' of 'van' is '?', and there was none")
    ),
    DifferenceCase(
        (#"defaultValue="1""#, #"defaultValue="2""#),
        expecting: .line(.defaultChanged, "the default of 'pieces' of 'parcel' is '2', and was '1'")
    ),
    // The office creates parcels, and may set 'state' to its default only.
    DifferenceCase(
        (#"defaultValue="packed""#, #"defaultValue="sent""#),
        expecting: .line(
            .defaultChanged, "the default of 'state' of 'parcel' is 'sent', and was 'packed'",
            clients: .breaking)),
    DifferenceCase(
        (#" defaultValue="1""#, ""),
        expecting: .line(
            .defaultRemoved, "the default of 'pieces' of 'parcel' is gone, and was '1'")
    ),
    DifferenceCase(
        (#"required="true" defaultValue="false""#, #"required="true""#),
        expecting: .line(
            .defaultRemoved, "the default of 'fragile' of 'parcel' is gone, and was 'false'",
            clients: .breaking)),
    DifferenceCase(
        ("Where it is.", "Where it was seen."),
        expecting: .line(
            .descriptionChanged, "the description of 'state' of 'parcel' changed")),
    DifferenceCase(
        (#""status phase""#, #""status""#),
        expecting: .line(.earlierNamesChanged, "'state' of 'parcel' has other earlier names")),
    DifferenceCase(
        (#""status phase""#, #""status phase" w:alias="status""#),
        expecting: .line(
            .aliasChanged,
            "other products' clients know 'state' of 'parcel' as 'status', and knew it as 'state'",
            clients: .breaking)),
]

private let wordingCases = [
    DifferenceCase(
        ("<option name=\"minValue\">1<", "<option name=\"minValue\">01<"),
        expecting: .line(
            .writtenOtherwise, "'pieces' of 'parcel' is written differently, with the same meaning")
    ),
    DifferenceCase(
        (#"<model name="van">"#, #"<model name="van" w:conflictMode="MANUAL">"#),
        expecting: .line(.writtenOtherwise, "'van' is written differently, with the same meaning")),
    DifferenceCase(
        (
            #"<credential role="drivers-mobile" readAllowed="OWN" updateAllowed="OWN"/>"#,
            #"<credential role="drivers-mobile" createAllowed="ALL" readAllowed="OWN" "#
                + #"updateAllowed="OWN"/>"#
        ),
        expecting: .line(
            .credentialRewritten,
            "the credential of 'drivers-mobile' for 'van' of 'parcel' says something else, and "
                + "every right is the same")),
]
