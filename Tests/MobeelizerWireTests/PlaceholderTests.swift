import DefinitionCompiler
import DefinitionModel
import JSON
import SyncEngine
import Testing
import VersionTranslation
import WholeRecordSync

@testable import MobeelizerWire

@Suite("A required field that the reader may not see has a placeholder of its type")
struct PlaceholderTests {
    static let cases: [(type: String, options: String, placeholder: JSONValue)] = [
        ("TEXT", "", ""), ("INTEGER", "", "0"), ("BOOLEAN", "", "false"), ("DATE", "", "0"),
        ("INTEGER", #"<option name="minValue">3</option>"#, "3"),
        ("INTEGER", #"<option name="maxValue">-3</option>"#, "-3"),
        ("DECIMAL", "", "0"), ("DECIMAL", #"<option name="minValue">0.5</option>"#, "0.5"),
        (
            "BELONGS_TO", #"<option name="model">thing</option>"#,
            "00000000-0000-0000-0000-000000000000"
        ),
        (
            "FILE", "",
            #"{"filename":"hidden","guid":"00000000-0000-0000-0000-000000000000"}"#
        ),
    ]

    private func model(
        _ type: String, _ options: String, required: Bool, defaultValue: String? = nil
    ) throws -> Model {
        let attribute = defaultValue.map { "defaultValue=\"\($0)\"" } ?? ""
        let text = """
            <application xmlns="http://schema.mobeelizer.com/application" application="a"
                vendor="v"><devices><device name="d"/></devices><groups><group name="g"/></groups>
            <roles><role group="g" device="d"/></roles><models><model name="thing"><fields>
            <field name="one" type="\(type)" required="\(required)" \(attribute)>
              <options>\(options)</options>
            </field></fields></model></models></application>
            """
        let source = SourceFile(name: "application.xml", bytes: Array(text.utf8))
        return try #require(recompile(source).definition?.models.first)
    }

    private func mapping(now: Model, client: Model) throws -> ModelMapping {
        let definition = { (model: Model) in
            Definition(
                application: "a", vendor: "v", conflictMode: .manual, deviceCategories: [],
                groups: [], roles: [], models: [model], digest: "")
        }
        let translation = ClientTranslation(
            of: definition(client), along: .later([definition(now)]))
        return try #require(
            SchemaMapping(translation, under: Rules(definition(now))).model(now.name))
    }

    @Test(arguments: cases.indices)
    func isValueOfItsType(index: Int) throws {
        let (type, options, placeholder) = Self.cases[index]
        let model = try model(type, options, required: true)
        let mapping = try self.mapping(now: model, client: model)
        let deletion: [String: JSONValue] = ["s_deleted": "false"]
        #expect(
            mapping.fieldsOnWire([:], isDeleted: false)
                == deletion.merging(["one": placeholder]) { $1 })
        #expect(
            mapping.fieldsOnWire(["one": .null], isDeleted: false) == deletion, "a visible null")
        #expect(mapping.fieldsOnWire(nil, isDeleted: true) == ["s_deleted": "true"])
        let optional = try self.model(type, options, required: false)
        #expect(
            try self.mapping(now: optional, client: optional).fieldsOnWire([:], isDeleted: false)
                == deletion)
    }

    /// A field that is gone has its default in the place of a placeholder. The value that the
    /// client was sent means nothing when it comes back, also in new records; another one is
    /// refused.
    @Test(arguments: [
        (
            type: "TEXT", defaultValue: "open" as String?, isRequired: true,
            sent: "open" as JSONValue
        ),
        ("TEXT", "open", false, .null), ("TEXT", nil, true, ""), ("INTEGER", "5", true, "5"),
    ])
    func goneFieldHasDefault(
        type: String, defaultValue: String?, isRequired: Bool, sent: JSONValue
    ) throws {
        let client = try model(type, "", required: isRequired, defaultValue: defaultValue)
        let now = Model(name: "thing", fields: [], credentials: [:], place: client.place)
        let mapping = try self.mapping(now: now, client: client)
        let shown = mapping.fieldsOnWire([:], isDeleted: false)
        #expect(shown["one"] ?? .null == sent)
        let placeholder = mapping.placeholders["one"].map { [$0] } ?? []
        let idle = [sent, .null] + placeholder + (defaultValue.map { [.string($0)] } ?? [])
        for value in idle { #expect(mapping.saysNothing(value, in: "one"), "\(value)") }
        #expect(!mapping.saysNothing("7", in: "one") && !mapping.saysNothing("7", in: "two"))
    }

    /// The rule holds even if the current version does not require the field, or has none.
    @Test func isForWhatClientRequires() throws {
        let required = try model("TEXT", "", required: true)
        let optional = try model("TEXT", "", required: false)
        let other = try model("DATE", "", required: false)
        for now in [optional, other] {
            let mapping = try self.mapping(now: now, client: required)
            #expect(mapping.fieldsOnWire([:], isDeleted: false)["one"] == "")
        }
        #expect(
            try self.mapping(now: required, client: optional).fieldsOnWire([:], isDeleted: false)
                == ["s_deleted": "false"])
    }
}
