import DefinitionModel
import Foundation
import Golden
import Testing

/// The generated models at work. `Golden` has types that are called like some of ours, so those
/// are named with their module here.
@Suite struct GeneratedCodeTests {
    @Test func aNewRecordHasAGuidOfItsOwnAndTheDefaults() {
        let order = MMDWorkOrder(site: "s", title: "Leak")
        #expect(isGuid(order.guid))
        #expect(order.guid != MMDWorkOrder(site: "s", title: "Leak").guid)
        #expect(order.id == order.guid)
        #expect(order.owner == "" && order.group == "" && !order.conflicted)
        #expect(order.priority == 3 && order.status == 1)
        #expect(order.description == nil && order.quotedPrice == nil)
    }

    @Test func theTypesKnowWhereTheyComeFrom() throws {
        #expect(MMDPartUsage.modelName == "partUsage")
        #expect(MMDPartUsage.definitionDigest == (try compiled("FieldService").digest))
        #expect(
            MMDPartUsage.CodingKeys.allCases.map(\.rawValue) == [
                "visit", "part", "quantity", "chargedPrice",
            ])
    }

    @Test(arguments: wireForms)
    func aRecordHasTheFormOfTheWire(form: WireForm) throws {
        let written = try JSONSerialization.jsonObject(with: try form.encoded())
        let expected = try JSONSerialization.jsonObject(with: Data(form.json.utf8))
        #expect(written as? NSDictionary == expected as? NSDictionary)
        #expect(try form.isReadBack(Data(form.json.utf8)))
    }

    /// The server sends more than a model needs, and null where a field is empty.
    @Test func whatTheServerSendsIsRead() throws {
        let json = """
            {"model": "part", "guid": "g", "revision": 7, "owner": "ann", "group": "dispatchers",
             "deleted": false, "conflicted": true,
             "fields": {"number": "P1", "name": "Pipe", "inStock": 4, "costPrice": null},
             "conflicts": []}
            """
        let part = try JSONDecoder().decode(MMDPart.self, from: Data(json.utf8))
        #expect(part.guid == "g" && part.owner == "ann" && part.group == "dispatchers")
        #expect(part.conflicted)
        #expect(part.number == "P1" && part.inStock == 4)
        #expect(part.unitPrice == nil && part.costPrice == nil)
    }

    @Test(arguments: [
        #"{"model":"site","guid":"g","owner":"o","group":"g","conflicted":false,"fields":{}}"#,
        #"{"model":"part","guid":"g","owner":"o","group":"g","conflicted":false}"#,
        #"{"model":"part","guid":"g","owner":"o","group":"g","conflicted":false,"fields":{}}"#,
        wrongPart(#""inStock":"4""#), wrongPart(#""inStock":4.5"#),
        wrongPart(#""inStock":4,"costPrice":12.5"#), wrongPart(#""inStock":4,"costPrice":"1e3""#),
        wrongPart(#""inStock":4,"costPrice":"+1""#), wrongPart(#""inStock":4,"costPrice":""#),
        wrongPart(#""inStock":4,"datasheet":{"guid":"g"}"#),
    ])
    func whatIsNoSuchRecordIsRefused(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(MMDPart.self, from: Data(json.utf8))
        }
    }

    @Test func defaultsAreExactlyThoseOfTheDefinition() throws {
        let new = WxyzabcdefDefaults()
        let model = try #require(try GoldenCase.extremes.definition.models.first)
        let values = Dictionary(
            uniqueKeysWithValues: model.fields.map { ($0.name, $0.defaultValue) })
        for (name, text) in [
            ("empty", new.empty), ("quotes", new.quotes), ("lines", new.lines),
            ("letters", new.letters), ("long", new.long),
        ] {
            #expect(values[name] == text.map { .text($0) }, "\(name)")
        }
        #expect(new.lowest == .min && new.highest == .max)
        #expect(values["tiny"] == FieldValue(text: "\(new.tiny)", of: .decimal))
        #expect(values["huge"] == FieldValue(text: new.huge?.description ?? "", of: .decimal))
        #expect(new.yes && new.no == false)
        #expect(new.then.milliseconds == -1 && new.later?.milliseconds == .max)
    }

    @Test func clashingFieldsKeepTheirNamesOnTheWire() throws {
        var spellings = Golden.Spellings()
        spellings.unitPrice = true
        spellings.unitPrice3 = false
        let data = try JSONEncoder().encode(spellings)
        let record = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        #expect(record?["fields"] as? [String: Bool] == ["unitPrice": true, "unit_price": false])
    }

    @Test func fieldsCalledLikeTheMetadataAreKeptApart() throws {
        let json = try membersJSON()
        let members = try JSONDecoder().decode(Golden.Members.self, from: json)
        #expect(members.guid == "the record's" && members.guidField == "guid")
        #expect(members.id == "the record's" && members.idField == "id")
        let again = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(members))
        let expected = try JSONSerialization.jsonObject(with: json)
        #expect(again as? NSDictionary == expected as? NSDictionary)
    }
}

/// Each field holds its own name.
private func membersJSON() throws -> Data {
    let model = try GoldenCase.clashes.definition.models.first { $0.name == "members" }
    let names = try #require(model).fields.map(\.name)
    let record: [String: Any] = [
        "model": "members", "guid": "the record's", "owner": "o", "group": "g",
        "conflicted": false, "fields": Dictionary(uniqueKeysWithValues: names.map { ($0, $0) }),
    ]
    return try JSONSerialization.data(withJSONObject: record)
}

private func wrongPart(_ fields: String) -> String {
    #"{"model":"part","guid":"g","owner":"o","group":"g","conflicted":false,"#
        + #""fields":{"number":"P1","name":"Pipe",\#(fields)}}"#
}

/// A record, and the JSON that it is on the wire.
struct WireForm: Sendable {
    let json: String
    let encoded: @Sendable () throws -> Data
    let isReadBack: @Sendable (Data) throws -> Bool

    init(_ record: some MMDRecord, fields: String) {
        json = """
            {"model": "\(type(of: record).modelName)", "guid": "\(record.guid)", "owner": "ann",
             "group": "technicians", "conflicted": false, "fields": {\(fields)}}
            """
        encoded = { try JSONEncoder().encode(record) }
        isReadBack = { [record] in
            try JSONDecoder().decode(type(of: record), from: $0) == record
        }
    }
}

/// Between them they have all types, and each with and without a value.
private let wireForms = [
    WireForm(
        MMDVisit(
            guid: "v", owner: "ann", group: "technicians", workOrder: "w", technician: "ann",
            startsAt: MMDInstant(milliseconds: 1_370_000_000_123),
            travelKilometres: MMDExactDecimal("12.50"), completed: true,
            signature: MMDFileReference(guid: "f", filename: "signature.png")),
        fields: """
            "workOrder": "w", "technician": "ann", "startsAt": 1370000000123,
            "travelKilometres": "12.5", "completed": true,
            "signature": {"guid": "f", "filename": "signature.png"}
            """),
    WireForm(
        MMDPart(
            guid: "p", owner: "ann", group: "technicians", number: "P1", name: "Grüße \"🐝\"",
            unitPrice: 3, inStock: 9_007_199_254_740_993),
        fields: """
            "number": "P1", "name": "Grüße \\"🐝\\"", "unitPrice": "3",
            "inStock": 9007199254740993
            """),
    WireForm(
        MMDVisit(
            guid: "v", owner: "ann", group: "technicians", workOrder: "w", technician: "ann",
            startsAt: MMDInstant(milliseconds: .min)),
        fields: """
            "workOrder": "w", "technician": "ann", "startsAt": -9223372036854775808,
            "completed": false
            """),
]
