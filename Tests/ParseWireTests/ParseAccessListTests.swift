import DefinitionModel
import JSON
import Testing

@testable import ParseWire

@Suite("An access list is accepted if it lets in whom the definition lets in")
struct ParseAccessListTests {
    private static let lists = [
        "public": #"{"*":{"read":true,"write":true}}"#,
        "own": #"{"me":{"read":true,"write":true}}"#,
        "group": #"{"role:users":{"read":true,"write":true}}"#,
        "public read": #"{"*":{"read":true},"me":{"read":true,"write":true}}"#,
        "nobody": "{}",
    ]

    @Test(arguments: [
        (AccessLevel.all, AccessLevel.all, ["group", "public"]),
        (.all, .own, ["group", "public", "public read"]),
        (.own, .own, ["group", "own", "public", "public read"]),
        (.group, .group, ["group", "public"]),
        (.none, .none, ["group", "nobody", "own", "public", "public read"]),
    ])
    func isKept(read: AccessLevel, write: AccessLevel, accepted: [String]) throws {
        let definition = Definition.notes(read: read, write: write)
        let model = try #require(definition.models.first)
        let kept = try Self.lists.filter { _, text in
            let list = try #require(ParseAccessList(try parseJSON(Array(text.utf8))))
            return list.isKept(by: model, of: definition, userID: "me", group: "users")
        }
        #expect(kept.keys.sorted() == accepted.sorted())
    }

    /// Where a level lets in owners or their group only, roles of other groups are not let in to a
    /// record, so that its list need not name them.
    @Test(arguments: [AccessLevel.own, .group])
    func levelIsThatOfGroupOfRecord(level: AccessLevel) throws {
        let definition = Definition.notes(read: level, write: level)
        let model = try #require(definition.models.first)
        let list = try #require(ParseAccessList(.object([:])))
        for (group, isKept) in [("users", false), ("guests", true)] {
            #expect(
                list.isKept(by: model, of: definition, userID: "me", group: group) == isKept)
        }
    }

    @Test func otherValuesAreNone() {
        #expect(ParseAccessList("public") == nil)
        #expect(ParseAccessList(.object(["*": .boolean(true)])) == nil)
    }
}
