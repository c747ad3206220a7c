import DefinitionModel
import JSON
import SyncProtocol
import TestKit
import Testing

@testable import SyncEngine

@Suite("Fields are stored in the order of their names' bytes, without those that are null")
struct StoredTextTests {
    private let rules = Rules(
        .test("Note", others: ["b": [], "a": [], "B": [], "ab": [], "a_": []]))

    /// With fields of the model, nulls, and fields of an earlier definition.
    @Test(arguments: 0..<64)
    func bothWritersGiveTheSameText(chosen: Int) throws {
        let all: [(name: String, value: JSONValue, text: String?)] = [
            ("B", .null, nil), ("a", "é\"", #""é\"""#), ("a_", .boolean(false), "false"),
            ("ab", .object(["x": 2, "w": 1]), #"{"w":1,"x":2}"#), ("b", 1, "1"),
            ("gone", .array(["g"]), #"["g"]"#),
        ]
        let given = all.enumerated().filter { chosen >> $0.offset & 1 == 1 }.map(\.element)
        let fields = Dictionary(uniqueKeysWithValues: given.map { ($0.name, $0.value) })
        let members = given.compactMap { one in one.text.map { "\"\(one.name)\":\($0)" } }
        for model in [nil, rules.model(named: "Note")] {
            #expect(
                JSONText.text(ofValuesIn: fields, by: model)
                    == "{\(members.joined(separator: ","))}")
        }
    }
}
