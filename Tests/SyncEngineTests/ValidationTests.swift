import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@Suite("A refused change has all of its causes")
struct ValidationTests {
    /// Two limits with one option each, and required fields with and without a default.
    private static let document = """
        <application xmlns="http://schema.mobeelizer.com/application" application="a" vendor="v">
          <devices><device name="mobile"/></devices>
          <groups><group name="users"/></groups>
          <roles><role group="users" device="mobile"/></roles>
          <models><model name="Note">
            <fields>
              <field name="title" type="TEXT" required="true">\(rights)
                <options><option name="maxLength">4</option></options>
              </field>
              <field name="stage" type="INTEGER" required="true" defaultValue="7">\(rights)</field>
              <field name="price" type="DECIMAL">\(rights)
                <options>
                  <option name="scale">1</option>
                  <option name="maxValue">9</option>
                </options>
              </field>
            </fields>
            <credentials>
              <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
                updateAllowed="ALL" deleteAllowed="ALL"/>
            </credentials>
          </model></models>
        </application>
        """

    private static let rights = """
        <credentials>
          <credential role="users-mobile" createAllowed="ALL" readAllowed="ALL"
            updateAllowed="ALL"/>
        </credentials>
        """

    private func causes(creating fields: [String: JSONValue]) async throws -> [String] {
        let bench = try await TestBench(Self.document)
        return try await bench.person("a").push(create(1, fields))[0].causes?.map(told) ?? []
    }

    /// Code, field, and the line of the definition that the cause locates.
    private func told(_ cause: CauseMessage) -> String {
        let lines = Self.document.split(separator: "\n", omittingEmptySubsequences: false)
        let line = cause.line.map { lines[$0 - 1].drop { $0 == " " }.prefix(22) } ?? "nowhere"
        return "\(cause.code) \(cause.field ?? "-") \(line)"
    }

    @Test func causesFollowDefinitionThenUnknownFields() async throws {
        let fields: [String: JSONValue] = [
            "zeta": 1, "eta": 1, "alpha": 1, "price": "9.25", "stage": "x", "title": "fifth",
        ]
        #expect(
            try await causes(creating: fields) == [
                "tooLong title <options><option name=",
                "wrongType stage <field name=\"stage\" ty",
                "tooManyFractionDigits price <option name=\"scale\">1",
                "lessThanOrEqualTo price <option name=\"maxValue",
                "unknownField alpha <models><model name=\"N",
                "unknownField eta <models><model name=\"N",
                "unknownField zeta <models><model name=\"N",
            ])
    }

    @Test func requiredFieldIsGivenOrHasDefault() async throws {
        #expect(try await causes(creating: [:]) == ["empty title <field name=\"title\" ty"])
        #expect(
            try await causes(creating: ["title": .null, "stage": .null]) == [
                "empty title <field name=\"title\" ty", "empty stage <field name=\"stage\" ty",
            ])
        #expect(try await causes(creating: ["title": "t"]).isEmpty)
        #expect(try await causes(creating: ["title": "t", "price": .null]).isEmpty)
    }

    @Test func updateAnswersForFieldsItNamesOnly() async throws {
        let bench = try await TestBench(Self.document)
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let outcomes = try await a.push(
            update(1, id: "1", base: 1, ["price": "9.0"]),
            update(1, id: "2", base: 2, ["stage": .null, "price": 10]))
        #expect(outcomes.map(\.outcome) == [.accepted, .refused])
        #expect(outcomes[1].causes?.map(\.code) == ["empty", "lessThanOrEqualTo"])
        let fields = try await a.record(guid(1))?.fields
        #expect(fields == ["title": "t", "stage": 7, "price": "9"])
    }

    /// Causes of fields are reported together with those of the record.
    @Test func recordsFaultHidesNoneOfFields() async throws {
        let bench = try await TestBench(Self.document)
        let outcomes = try await bench.person("a").push(
            update(1, id: "1", base: 1, ["title": "fifth"]),
            ChangeMessage(
                id: "2", action: .create, model: "Note", guid: "no-guid",
                fields: ["title": "fifth"]))
        #expect(
            outcomes.map { $0.causes?.map(\.code) } == [
                ["tooLong", "recordUnknown"], ["illegalGuid", "tooLong"],
            ])
    }
}
