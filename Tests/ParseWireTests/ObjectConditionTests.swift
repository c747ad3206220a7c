import ForeignValues
import JSON
import Testing

@testable import ParseWire

@Suite("Conditions on objects that are no records")
struct ObjectConditionTests {
    private static let object: [String: JSONValue] = [
        "name": "admins", "user": ParsePointer(className: "_User", objectID: "a").json,
    ]

    private static let conditions: [(String, Bool)] = [
        ("{}", true), (#"{"name":"admins"}"#, true), (#"{"name":"users"}"#, false),
        (#"{"name":{"$eq":"admins"}}"#, true), (#"{"name":{"$ne":"admins"}}"#, false),
        (#"{"name":{"$ne":"users"}}"#, true), (#"{"name":{"$in":["a","admins"]}}"#, true),
        (#"{"name":{"$nin":["a","admins"]}}"#, false), (#"{"other":null}"#, true),
        (#"{"other":{"$in":[null]}}"#, true), (#"{"other":{"$exists":false}}"#, true),
        (#"{"name":{"$exists":true,"$ne":"admins"}}"#, false), (#"{"other":1}"#, false),
        (#"{"user":{"__type":"Object","className":"_User","objectId":"a","x":1}}"#, true),
        (#"{"user":{"__type":"Pointer","className":"_User","objectId":"b"}}"#, false),
        (#"{"$or":[{"name":"a"},{"name":"admins"}]}"#, true),
        (#"{"$and":[{"name":"admins"},{"name":"a"}]}"#, false),
        (#"{"$nor":[{"name":"a"},{"name":"b"}]}"#, true),
    ]

    @Test(arguments: conditions) func condition(json: String, isFound: Bool) throws {
        let filter = try parseJSON(Array(json.utf8))
        #expect(try filter.finds(Self.object) == isFound, "\(json)")
    }

    @Test(arguments: [
        ("", "bca"), ("name", "cab"), ("-name", "bac"), ("group,-at", "cba"), ("none", "bca"),
        ("-group,name", "abc"),
    ])
    func objectsAreSorted(order: String, names: String) throws {
        func object(
            _ name: String, _ text: String, _ group: String, _ second: Int
        )
            -> [String: JSONValue]
        {
            [
                "id": .string(name), "name": .string(text), "group": .string(group),
                "at": .object([
                    "__type": "Date", "iso": .string("2026-11-21T05:58:0\(second).000Z"),
                ]),
            ]
        }
        let objects = [
            object("b", "z", "2", 2), object("c", "B", "1", 1), object("a", "a", "2", 1),
        ]
        let sorted = try ParseParameters(["order": .string(order)])
            .sorted(objects, byAtMost: 4)
        #expect(sorted.map { $0["id"] ?? .null } == names.map { .string(String($0)) })
    }

    @Test(arguments: [
        #"{"name":{"$gt":"a"}}"#, #"{"name":{"$in":"a"}}"#, #"{"$where":"a"}"#, #"{"$or":[]}"#,
        #"{"name":{"$exists":1}}"#, "[]",
    ])
    func isRefused(json: String) throws {
        let filter = try parseJSON(Array(json.utf8))
        #expect(throws: ParseFailure.self) { try filter.finds(Self.object) }
    }
}
