import Foundation
import JSON
import SyncProtocol
import Testing

@Suite("Clients of Parse find places")
struct ParsePlaceTests {
    private static func point(_ latitude: String, _ longitude: String) -> JSONValue {
        .object([
            "__type": "GeoPoint", "latitude": .decimal(latitude), "longitude": .decimal(longitude),
        ])
    }

    /// Berlin, Potsdam, Paris and nowhere, in the order of their names.
    private func client() async throws -> ParseClient {
        let server = try await RunningServer.parse()
        let client = try await ParseClient.signedIn("a", to: server)
        for (player, place) in [
            ("Berlin", Self.point("52.52", "13.405")), ("Potsdam", Self.point("52.39", "13.06")),
            ("Paris", Self.point("48.8566", "2.3522")), ("nowhere", nil),
        ] {
            var members: [String: JSONValue] = ["player": .string(player)]
            members["place"] = place
            _ = try await client.create("Score", members)
        }
        return client
    }

    @Test func placesAreFound() async throws {
        let client = try await client()
        let potsdam = Self.point("52.39", "13.06")
        let corners = [
            Self.point("52.3", "13"), Self.point("52.3", "13.2"), Self.point("52.5", "13.1"),
        ]
        let questions: [([String: JSONValue], order: String?, [String])] = [
            (["$nearSphere": potsdam], nil, ["Potsdam", "Berlin", "Paris"]),
            (["$near": potsdam], "-player", ["Potsdam", "Paris", "Berlin"]),
            (
                ["$nearSphere": potsdam, "$maxDistanceInKilometers": 30], nil,
                ["Potsdam", "Berlin"]
            ),
            (["$nearSphere": potsdam, "$maxDistance": .decimal("0.001")], nil, ["Potsdam"]),
            (
                ["$within": .object(["$box": .array([Self.point("48", "2"), corners[2]])])],
                "player", ["Paris", "Potsdam"]
            ),
            (["$geoWithin": .object(["$polygon": .array(corners)])], nil, ["Potsdam"]),
            (
                ["$geoWithin": .object(["$centerSphere": .array([potsdam, .decimal("0.005")])])],
                "player", ["Berlin", "Potsdam"]
            ),
            (["$exists": .boolean(false)], nil, ["nowhere"]), (["$eq": potsdam], nil, ["Potsdam"]),
        ]
        for (condition, order, players) in questions {
            var members: [String: JSONValue] = ["where": .object(["place": .object(condition)])]
            if let order { members["order"] = .string(order) }
            let found = try await client.find("Score", members)
            #expect(found.compactMap { $0["player"]?.string } == players, "\(condition)")
            let counted = try await client.get(
                "GET", "/classes/Score", members.merging(["count": 1, "limit": 0]) { $1 })
            #expect(counted["count"] == .integer(Int64(players.count)))
        }
        let found = try await client.find("Score", ["where": .object(["player": "Paris"])])
        #expect(found.first?["place"] == Self.point("48.8566", "2.3522"))
    }

    /// Other conditions make both one of several.
    @Test func nearestAreFirstBesideOtherConditions() async throws {
        let client = try await client()
        let game = try await client.create("Game", ["name": "Go"])
        let scores = try await client.find("Score", ["order": "player"])
        _ = try await client.get(
            "PUT", "/classes/Game/\(game)",
            [
                "scores": .object([
                    "__op": "AddRelation",
                    "objects": .array(
                        scores.compactMap { $0["objectId"]?.string }.map {
                            .pointer("Score", $0)
                        }),
                ])
            ])
        let near = JSONValue.object(["$nearSphere": Self.point("52.39", "13.06")])
        let all = JSONValue.object([
            "$select": .object([
                "query": .object(["className": "Score"]), "key": "objectId",
            ]),
            "$in": .array(scores.compactMap { $0["objectId"] }),
        ])
        let related = JSONValue.object(["object": .pointer("Game", game), "key": "scores"])
        for condition in [
            ["place": near, "$relatedTo": related], ["place": near, "objectId": all],
            ["$and": .array([.object(["place": near])])],
        ] as [[String: JSONValue]] {
            let found = try await client.find("Score", ["where": .object(condition)])
            let players = found.compactMap { $0["player"]?.string }
            #expect(players == ["Potsdam", "Berlin", "Paris"], "\(condition)")
        }
    }

    @Test func mistakesHaveCodes() async throws {
        let client = try await client()
        for (place, code) in [
            (Self.point("91", "0"), 111), ("52,13", 111),
            (.object(["__op": "Increment", "amount": 1]), 111),
        ] as [(JSONValue, Int64)] {
            let answer = try await client.ask(
                "POST", "/classes/Score", ["player": "a", "place": place])
            #expect(try answer.parseCode() == code, "\(answer.text)")
        }
        for (condition, code) in [
            (["$near": "here"], 107), (["$maxDistance": 1], 102), (["$geoIntersects": 1], 102),
        ] as [([String: JSONValue], Int64)] {
            let answer = try await client.ask(
                "GET", "/classes/Score", ["where": .object(["place": .object(condition)])])
            #expect(try answer.parseCode() == code, "\(answer.text)")
        }
    }
}
