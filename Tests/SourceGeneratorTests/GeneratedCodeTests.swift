import DefinitionModel
import Foundation
import Golden
import Testing
import Waggle

/// Generated models in use. `Golden` has types with names of the library's types, which are
/// therefore qualified here.
@Suite struct GeneratedCodeTests {
    @Test func newRecordHasGuidOfItsOwnAndDefaults() {
        let site = Reference<MMDSite>(guid: "s")
        let order = MMDWorkOrder(site: site, title: "Leak")
        #expect(isGuid(order.guid))
        #expect(order.guid != MMDWorkOrder(site: site, title: "Leak").guid)
        #expect(order.id == order.guid)
        #expect(order.owner == "" && order.group == "" && !order.isConflicted)
        #expect(order.priority == 3 && order.status == 1)
        #expect(order.description == nil && order.quotedPrice == nil)
    }

    @Test func typesKnowWhereTheyComeFrom() throws {
        #expect(MMDPartUsage.modelName == "partUsage")
        let definition = try Waggle.AppDefinition.mmdFieldService
        #expect(definition.digest == (try compiled("FieldService").digest))
        #expect(definition.application == "fieldService")
    }

    /// `definition: .default` opens a database, and one `try` covers both.
    @Test func definitionIsAtHandWhereOneIsAskedFor() throws {
        func application(of definition: Waggle.AppDefinition) throws -> String {
            definition.application
        }
        #expect(try application(of: .default) == "default")
        #expect(try application(of: .wxyzabcdefExtremes) == "extremes")
    }

    @Test(arguments: wireForms)
    func recordHasFormOfWire(form: WireForm) throws {
        let written = try JSONSerialization.jsonObject(with: try form.rewritten())
        let expected = try JSONSerialization.jsonObject(with: Data(form.json.utf8))
        #expect(written as? NSDictionary == expected as? NSDictionary)
    }

    /// The server sends more properties than a model needs, and null for an empty field.
    @Test func recordsOfServerAreDecoded() throws {
        let json = """
            {"model": "part", "guid": "g", "revision": 7, "owner": "ann", "group": "dispatchers",
             "deleted": false, "conflicted": true,
             "fields": {"number": "P1", "name": "Pipe", "inStock": 4, "costPrice": null},
             "conflicts": []}
            """
        let part = try JSONDecoder().decode(MMDPart.self, from: Data(json.utf8))
        #expect(part.guid == "g" && part.owner == "ann" && part.group == "dispatchers")
        #expect(part.isConflicted)
        #expect(part.number == "P1" && part.inStock == 4)
        #expect(part.unitPrice == .hidden && part.costPrice == .null && part.datasheet == nil)
    }

    /// A hidden value is never decoded as nil.
    @Test func hiddenFieldsAreDecodedAsHidden() throws {
        let json = part(#""inStock":4"#)
        let part = try JSONDecoder().decode(MMDPart.self, from: Data(json.utf8))
        #expect(part.costPrice.isHidden)
    }

    @Test(arguments: [
        #"{"model":"site","guid":"g","owner":"o","group":"g","conflicted":false,"fields":{}}"#,
        #"{"model":"part","guid":"g","owner":"o","group":"g","conflicted":false}"#,
    ])
    func otherRecordsAreRefused(json: String) {
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(MMDPart.self, from: Data(json.utf8))
        }
    }

    @Test(arguments: [
        (#""inStock":"4""#, "inStock"), (#""inStock":4.5"#, "inStock"),
        (#""inStock":4,"costPrice":"1e3""#, "costPrice"),
        (#""inStock":4,"costPrice":"+1""#, "costPrice"),
        (#""inStock":4,"costPrice":"""#, "costPrice"),
        (#""inStock":4,"datasheet":{"guid":"g"}"#, "datasheet"),
    ])
    func fieldOfAnotherTypeIsNamed(fields: String, field: String) {
        #expect(throws: RecordError.unexpectedValue(field: field, model: "part")) {
            try JSONDecoder().decode(MMDPart.self, from: Data(part(fields).utf8))
        }
    }

    @Test func requiredFieldIsNeverMissing() {
        let json = """
            {"model": "site", "guid": "g", "owner": "o", "group": "g", "conflicted": false,
             "fields": {}}
            """
        #expect(throws: RecordError.unexpectedValue(field: "customer", model: "site")) {
            try JSONDecoder().decode(MMDSite.self, from: Data(json.utf8))
        }
    }

    @Test func defaultsAreExactlyThoseOfDefinition() throws {
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

    @Test func clashingFieldsKeepTheirNamesOnWire() throws {
        var spellings = Golden.Spellings()
        spellings.unitPrice = true
        spellings.unitPrice3 = false
        let data = try JSONEncoder().encode(spellings)
        let record = try JSONSerialization.jsonObject(with: data) as? [String: Any]
        let fields = record?["fields"] as? [String: Any]
        #expect(fields?["unitPrice"] as? Bool == true && fields?["unit_price"] as? Bool == false)
    }

    @Test func fieldsCalledLikeMetadataAreKeptApart() throws {
        let json = try membersJSON()
        let members = try JSONDecoder().decode(Golden.Members.self, from: json)
        #expect(members.guid == "the record's" && members.guidField == "guid")
        #expect(members.id == "the record's" && members.idField == "id")
        #expect(members.reference.guid == "the record's" && members.referenceField == "reference")
        let again = try JSONSerialization.jsonObject(with: try JSONEncoder().encode(members))
        let expected = try JSONSerialization.jsonObject(with: json)
        #expect(again as? NSDictionary == expected as? NSDictionary)
    }

    @Test func everyFieldIsKnownByItsKeyPath() {
        #expect(MMDPart.property(at: \.guid) == .guid && MMDPart.property(at: \.id) == .guid)
        #expect(MMDPart.property(at: \.owner) == .owner)
        #expect(MMDPart.property(at: \.isConflicted) == .isConflicted)
        #expect(MMDPart.property(at: \.costPrice) == .field("costPrice"))
        #expect(Golden.Spellings.property(at: \.unitPrice3) == .field("unit_price"))
        #expect(MMDPart.property(at: \.values) == nil)
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

private func part(_ fields: String) -> String {
    #"{"model":"part","guid":"g","owner":"o","group":"g","conflicted":false,"#
        + #""fields":{"number":"P1","name":"Pipe"\#(fields.isEmpty ? "" : ",")\#(fields)}}"#
}

/// The JSON of a record on the wire with all its fields, and the decoded model.
struct WireForm: Sendable {
    let json: String
    let rewritten: @Sendable () throws -> Data

    init<Model: Waggle.Record>(of model: Model.Type, fields: String) {
        let json = """
            {"model": "\(Model.modelName)", "guid": "g", "owner": "ann",
             "group": "technicians", "conflicted": false, "fields": {\(fields)}}
            """
        self.json = json
        rewritten = {
            let record = try JSONDecoder().decode(Model.self, from: Data(json.utf8))
            return try JSONEncoder().encode(record)
        }
    }
}

/// Cover all types, each with and without a value.
private let wireForms = [
    WireForm(
        of: MMDVisit.self,
        fields: """
            "workOrder": "w", "technician": "ann", "startsAt": 1370000000123, "endsAt": null,
            "travelKilometres": "12.5", "completed": true,
            "signature": {"guid": "f", "filename": "signature.png"}
            """),
    WireForm(
        of: MMDPart.self,
        fields: """
            "number": "P1", "name": "Grüße \\"🐝\\"", "unitPrice": "3",
            "inStock": 9007199254740993, "costPrice": null, "datasheet": null
            """),
    WireForm(
        of: MMDVisit.self,
        fields: """
            "workOrder": "w", "technician": "ann", "startsAt": -9223372036854775808,
            "endsAt": 1, "travelKilometres": null, "completed": false, "signature": null
            """),
]
