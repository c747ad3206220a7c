import ChangeRules
import DefinitionModel
import DefinitionReports
import JSON
import Testing

/// A stored parcel that lacks nothing.
private let parcel: [String: JSONValue] = [
    "code": "AB123456", "state": "packed", "pieces": 2, "weight": "12.5",
    "fragile": .boolean(false), "due": 1_800_000_000_000,
]

/// An edit of the definition, the records that are stored, and the risks by name with the records.
private struct RiskCase: Sendable {
    let name: String
    let edits: [(from: String, to: String)]
    var isBackwards = false
    var records: [[String: JSONValue]] = [parcel]
    var isUsed = false
    let expected: [String]
}

private let cases = [
    RiskCase(
        name: "a looser limit is none",
        edits: [("<option name=\"maxLength\">8<", "<option name=\"maxLength\">9<")], isUsed: true,
        expected: []),
    RiskCase(
        name: "a tighter limit is one if records break it",
        edits: [("<option name=\"maxValue\">30<", "<option name=\"maxValue\">10<")],
        records: [parcel, parcel.setting("weight", nil), parcel.setting("weight", "9.5")],
        expected: ["limitTightened:parcel.weight 1"]),
    RiskCase(
        name: "a tighter limit that all records keep is one for clients only",
        edits: [("<option name=\"maxValue\">30<", "<option name=\"maxValue\">20<")],
        isUsed: true, expected: ["limitTightened:parcel.weight 0"]),
    RiskCase(
        name: "two limits of a field are one risk",
        edits: [
            ("<option name=\"minValue\">0<", "<option name=\"minValue\">15<"),
            ("<option name=\"maxValue\">30<", "<option name=\"maxValue\">20<"),
        ],
        expected: ["limitTightened:parcel.weight 1"]),
    RiskCase(
        name: "a field that becomes required is one if records lack it",
        edits: [
            (
                "name=\"weight\" type=\"DECIMAL\"",
                "name=\"weight\" type=\"DECIMAL\" required=\"true\""
            )
        ],
        records: [parcel, parcel.setting("weight", nil), parcel.setting("weight", .null)],
        expected: ["becameRequired:parcel.weight 2"]),
    RiskCase(
        name: "a removed field is one if records have values in it",
        edits: [("name=\"weight\" type=\"DECIMAL\"", "name=\"mass\" type=\"DECIMAL\"")],
        records: [parcel, parcel.setting("weight", nil)],
        expected: ["fieldRemoved:parcel.weight 1"]),
    RiskCase(
        name: "a renamed field keeps its values, and breaks clients",
        edits: [
            (
                "name=\"weight\" type=\"DECIMAL\"",
                "name=\"mass\" type=\"DECIMAL\" w:renamedFrom=\"weight\""
            )
        ], isUsed: true, expected: ["fieldRenamed:parcel.mass 0"]),
    RiskCase(
        name: "whole numbers become decimals",
        edits: [("name=\"pieces\" type=\"INTEGER\"", "name=\"pieces\" type=\"DECIMAL\"")],
        expected: []),
    RiskCase(
        name: "whole numbers break limits of decimals",
        edits: [
            ("name=\"pieces\" type=\"INTEGER\"", "name=\"pieces\" type=\"DECIMAL\""),
            ("w:allowedValues=\"1|2|5\"", "w:allowedValues=\"1|5|7.5\""),
        ],
        records: [parcel, parcel.setting("pieces", 5)],
        expected: ["limitTightened:parcel.pieces 1"]),
    RiskCase(
        name: "a required field that comes back lacks values in later records only",
        edits: [("name=\"fragile\" type=\"BOOLEAN\"", "name=\"brittle\" type=\"BOOLEAN\"")],
        isBackwards: true, records: [parcel, parcel.setting("fragile", nil), parcel],
        expected: ["fieldAdded:parcel.fragile 1"]),
    RiskCase(
        name: "values that come back may break limits",
        edits: [("name=\"weight\" type=\"DECIMAL\"", "name=\"mass\" type=\"DECIMAL\"")],
        isBackwards: true,
        records: [parcel, parcel.setting("weight", "40"), parcel.setting("weight", nil)],
        expected: ["fieldAdded:parcel.weight 1"]),
    RiskCase(
        name: "values that come back and keep all limits are no risk",
        edits: [("name=\"weight\" type=\"DECIMAL\"", "name=\"mass\" type=\"DECIMAL\"")],
        isBackwards: true, expected: []),
    RiskCase(
        name: "what no client uses breaks none",
        edits: [("name=\"weight\" type=\"DECIMAL\"", "name=\"mass\" type=\"DECIMAL\"")],
        records: [], expected: []),
]

extension [String: JSONValue] {
    fileprivate func setting(_ name: String, _ value: JSONValue?) -> Self {
        var changed = self
        changed[name] = value
        return changed
    }
}

@Suite struct DeploymentRiskTests {
    @Test(arguments: cases.indices) func deploymentHasRisksOf(number: Int) throws {
        let example = cases[number]
        let (given, changed) = (
            try Documents.definition("parcels"), try edited("parcels", example.edits)
        )
        let (old, new) = example.isBackwards ? (changed, given) : (given, changed)
        var census = RecordCensus(from: old, to: new)
        for record in example.records { census.add("g", model: "parcel", fields: record) }
        let risks = deploymentRisks(
            DefinitionComparison(from: old, to: new), census, isUsed: example.isUsed)
        #expect(
            risks.map { "\($0.name) \($0.records)" } == example.expected, "\(example.name)")
    }

    @Test func removedModelHidesItsRecordsAndTakesItsRights() throws {
        let old = try Documents.definition("Permissions")
        let name = try #require(old.models.first?.name)
        let new = try edited("Permissions", [(from: "\"\(name)\"", to: "\"Other\"")])
        var census = RecordCensus(from: old, to: new)
        for guid in 1...7 { census.add("\(guid)", model: name, fields: [:]) }
        let risks = deploymentRisks(
            DefinitionComparison(from: old, to: new), census, isUsed: true)
        let removed = try #require(risks.first { $0.name == "modelRemoved:\(name)" })
        #expect(removed.records == 7 && removed.examples == ["1", "2", "3", "4", "5"])
        #expect(removed.messages.joined().contains("7 stored records: its records stay stored"))
        #expect(!risks.contains { $0.name == "rightLost:\(name)" }, "it says the same twice")
    }

    /// Accepting that one is gone does not let another one go.
    @Test func removedGroupsRolesAndDeviceCategoriesHaveNames() throws {
        let old = try Documents.definition("parcels")
        let new = try edited(
            "parcels", [("drivers", "riders"), ("office", "clerks"), ("desk", "counter")])
        let risks = deploymentRisks(
            DefinitionComparison(from: old, to: new), RecordCensus(from: old, to: new),
            isUsed: true, users: ["drivers": 3])
        #expect(
            Set(risks.map(\.name).filter { !$0.hasPrefix("right") })
                == [
                    "groupRemoved:drivers", "groupRemoved:office", "roleRemoved:drivers-mobile",
                    "roleRemoved:office-desk", "deviceCategoryRemoved:desk",
                ])
        let messages = Dictionary(
            risks.map { ($0.name, $0.messages.joined()) }, uniquingKeysWith: { $1 })
        #expect(messages["groupRemoved:drivers"]?.hasSuffix("users in it: 3") == true)
        #expect(messages["groupRemoved:office"]?.hasSuffix("users in it: 0") == true)
    }

    /// Its records are stored since an earlier version had it.
    @Test func modelThatComesBackIsLookedAt() throws {
        let new = try Documents.definition("Conflicts")
        let old = try edited("Conflicts", [(from: "\"ConflictsEntity\"", to: "\"Other\"")])
        var census = RecordCensus(from: old, to: new)
        for (guid, fields) in [
            ("whole", ["title": "x", "score": 3]), ("breaks", ["title": "x", "score": 9]),
            ("lacks both", [:]),
        ] as [(String, [String: JSONValue])] {
            census.add(guid, model: "ConflictsEntity", fields: fields)
        }
        let risks = deploymentRisks(
            DefinitionComparison(from: old, to: new), census, isUsed: false)
        #expect(risks.map(\.name) == ["modelAdded:ConflictsEntity"])
        #expect(risks.map(\.examples) == [["breaks", "lacks both"]])
        #expect(risks[0].messages.joined().contains("2 stored records: they come back"))
    }

    /// The deployment brings the values over, so they are there, and may break limits.
    @Test func fieldThatComesBackUnderNewNameIsLookedAt() throws {
        let weight = "name=\"weight\" type=\"DECIMAL\""
        let old = try edited("parcels", [(weight, weight.replacing("weight", with: "mass"))])
        let new = try edited(
            "parcels",
            [
                (
                    weight,
                    "name=\"load\" type=\"DECIMAL\" required=\"true\" w:renamedFrom=\"weight\""
                ),
                ("<option name=\"maxValue\">30<", "<option name=\"maxValue\">20<"),
            ])
        let records: [(String, JSONValue?)] = [
            ("fits", "12.5"), ("breaks", "25"), ("breaks too", "26"), ("lacks", nil),
        ]
        func risks(_ fills: FillRules) -> [DeploymentRisk] {
            var census = RecordCensus(from: old, to: new, filling: fills)
            for (guid, value) in records {
                census.add(guid, model: "parcel", fields: parcel.setting("weight", value))
            }
            return deploymentRisks(
                DefinitionComparison(from: old, to: new), census, isUsed: false)
        }
        let found = risks(.none)
        #expect(found.map(\.name) == ["fieldAdded:parcel.load"])
        #expect(found.map(\.examples) == [["breaks", "breaks too"]])
        #expect(found[0].messages.joined().contains("1 stored record: "))
        let rule = FillRule(model: "parcel", field: "load", source: .constant("7.5"))
        #expect(risks(FillRules([rule], for: new)).isEmpty)
    }

    /// A rule that gives a record no value leaves it at risk.
    @Test func filledRecordsAreCountedSeparately() throws {
        let old = try Documents.definition("parcels")
        let new = try edited(
            "parcels", [("w:maxDate=\"2029-12-31\"", "w:maxDate=\"2026-06-30\"")])
        let due = try #require(parcel["due"])
        for (source, filled) in [
            (FillRule.Source.constant(.integer(1_770_000_000_000)), 1), (.field("none"), 0),
        ] {
            let rule = FillRule(model: "parcel", field: "due", source: source)
            var census = RecordCensus(
                from: old, to: new, filling: FillRules([rule], for: new))
            census.add("g", model: "parcel", fields: parcel.merging(["due": due]) { $1 })
            #expect(census.filledFields.map(\.records) == (filled == 0 ? [] : [1]))
            let risks = deploymentRisks(
                DefinitionComparison(from: old, to: new), census, isUsed: false)
            #expect(risks.map(\.records) == (filled == 0 ? [1] : []))
        }
    }

    /// Only one record gets each value of a unique field, and none gets one that is stored.
    @Test(arguments: [[0, 1, 2, 3, 4], [4, 3, 2, 1, 0]])
    func recordsWithoutUniqueValueRemainAtRisk(order: [Int]) throws {
        let old = try Documents.definition("parcels")
        let weight = "name=\"weight\" type=\"DECIMAL\""
        let mark = "name=\"mark\" type=\"DECIMAL\" required=\"true\" w:unique=\"true\""
        let new = try edited("parcels", [(weight, mark)])
        let rule = FillRule(model: "parcel", field: "mark", source: .field("weight"))
        let records = [
            parcel, parcel, parcel.setting("weight", "7"), parcel.setting("weight", "8"),
            parcel.setting("weight", nil).setting("mark", "7"),
        ]
        var census = RecordCensus(from: old, to: new, filling: FillRules([rule], for: new))
        for number in order {
            census.add("\(number)", model: "parcel", fields: records[number])
        }
        #expect(census.filledFields.map(\.records) == [2])
        let risks = deploymentRisks(
            DefinitionComparison(from: old, to: new), census, isUsed: false)
        #expect(risks.first { $0.name == "fieldAdded:parcel.mark" }?.records == 2)
    }

    @Test func recordThatRuleNamesMustBeThere() throws {
        let definition = try Documents.definition("parcels")
        let model = try #require(
            definition.models.first { $0.fields.contains { $0.type.name == .belongsTo } })
        let field = try #require(model.fields.first { $0.type.name == .belongsTo })
        guard case .belongsTo(let relation) = field.type else { return }
        let guid = "6f3ab0f2-6a5c-4c39-8d43-0a2f3c4b5d6e"
        let rule = FillRule(
            model: model.name, field: field.name, source: .constant(.string(guid)))
        var census = RecordCensus(
            from: definition, to: definition, filling: FillRules([rule], for: definition))
        let faults = FillRule.faults(in: [rule], missing: census.missingRecords)
        #expect(faults.map(\.reason) == [.recordMissing(guid: guid)])
        census.add(guid, model: relation.model, fields: [:])
        #expect(census.missingRecords.isEmpty)
    }

    @Test func acceptedRisksAreNotRefused() throws {
        let old = try Documents.definition("parcels")
        let new = try edited(
            "parcels",
            [
                (from: "name=\"weight\" type=\"DECIMAL\"", to: "name=\"mass\" type=\"DECIMAL\""),
                (from: "w:maxDate=\"2029-12-31\"", to: "w:maxDate=\"2026-06-30\""),
            ])
        var census = RecordCensus(from: old, to: new)
        census.add("g", model: "parcel", fields: parcel)
        let risks = deploymentRisks(
            DefinitionComparison(from: old, to: new), census, isUsed: false)
        #expect(risks.count == 2)
        #expect(
            refused(risks, accepting: ["fieldRemoved:parcel.weight"]).map(\.name)
                == ["limitTightened:parcel.due"])
        #expect(refused(risks, accepting: Set(risks.map(\.name))) == [])
    }
}
