import ChangeRules
import DefinitionModel
import Foundation
import GRDB
import JSON
import RecordSearch
import SyncEngine
import SyncProtocol
import TestKit
import Testing

@testable import Waggle

@Suite("Queries look into JSON and know places")
struct FormatQueryTests {
    private static let berlin = point("52.52,13.405")

    /// Berlin, Potsdam, nowhere, Fiji and Paris.
    private func database() async throws -> (DeviceBench, Waggle.Database) {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a")
        let places = ["52.52,13.405", "52.39,13.06", nil, "-17.7,178.1", "48.8566,2.3522"]
        let sizes = [
            #"{"width":35,"tags":["red","new"]}"#, #"{"width":2.5}"#, "[]", #"["red"]"#,
            #"{"width":"35","parts":[{"n":1},{"n":2}]}"#,
        ]
        for (number, (place, size)) in zip(places, sizes).enumerated() {
            var reel = RecordValues(model: "Reel", guid: guid(number + 1))
            reel["shotAt"] = place.map(\.stored) ?? .null
            reel["size"] = size.stored
            reel["reach"] = [30_000, nil, 5, 0, Int64(900_000)][number].map(\.stored) ?? .null
            try await database.save(reel)
        }
        return (bench, database)
    }

    @Test(
        arguments: [
            (Distance(\.shotAt, from: berlin) <= 0, [1]),
            (Distance(\.shotAt, from: berlin) == 0, [1]),
            (Distance(\.shotAt, from: berlin) < 28000, [1, 2]),
            (Distance(\.shotAt, from: berlin) < 27000, [1]),
            (Distance(\.shotAt, from: berlin) > 27000, [2, 4, 5]),
            (Distance(\.shotAt, from: berlin) != 0, [2, 4, 5]),
            (!(Distance(\.shotAt, from: berlin) >= 27000), [1, 3]),
            // Half around the earth from the other side of Fiji.
            (Distance(\.shotAt, from: point("17.7,-1.9")) >= 20_015_000, [4]),
            (Distance(\.shotAt, from: point("-17.7,-179.9")) <= 300_000, [4]),
            (Distance(\.shotAt, from: berlin) <= \.reach, [1, 5]),
            (Distance(\.shotAt, from: berlin) > \.reach, [4]),
            (Distance(\.shotAt, from: GeoPoint(canonical: "here")) < 5, []),
            (
                Condition(
                    \.shotAt, .isInBox(southWest: point("52,13"), northEast: point("53,14"))),
                [1, 2]
            ),
            (
                Condition(
                    \.shotAt, .isInBox(southWest: point("-20,170"), northEast: point("-10,-170"))),
                [4]
            ),
            (
                Condition(
                    \.shotAt,
                    .isInPolygon([point("52.4,13"), point("52.4,14"), point("53,13.4")])),
                [1]
            ),
            (Condition(\.shotAt, .isInPolygon([point("0,0"), point("90,90")])), []),
            (
                !Condition(
                    \.shotAt, .isInBox(southWest: point("52,13"), northEast: point("53,14"))),
                [3, 4, 5]
            ),
        ] as [(Condition<Reel>, [Int])])
    func placesAreFound(condition: Condition<Reel>, numbers: [Int]) async throws {
        let (bench, database) = try await database()
        defer { withExtendedLifetime(bench) {} }
        let found = try await database.find(Reel.self).where(condition).all()
        #expect(found.map(\.guid) == numbers.map(guid))
        #expect(try await database.find(Reel.self).where(condition).count() == numbers.count)
    }

    @Test(
        arguments: [
            (["width"], .isGreater(than: 2.5), [1]),
            (["width"], .isAtMost(35), [1, 2]),
            (["width"], .equals("35"), [5]),
            (["width"], .isIn([2.5, "35"]), [2, 5]),
            (["tags"], .hasAll(["new", "red"]), [1]),
            (["tags"], .equals("new"), [1]),
            ([], .hasOnly(["red"]), [3, 4]),
            ([], .equals(["width": 2.5]), [2]),
            (["0"], .isAtLeast("red"), [4]),
            (["parts", "n"], .equals(2), [5]),
            (["parts", "1", "n"], .isLess(than: 2.000), []),
            (["width"], .exists, [1, 2, 5]),
            (["tags"], .hasPrefix("re"), [1]),
            (["tags"], .hasSuffix("ew"), [1]),
            ([], .contains("e"), [4]),
            (["width"], .equals(JSONItem(floatLiteral: .infinity)), []),
        ] as [([String], JSONTest, [Int])])
    func insidesAreFound(names: [String], test: JSONTest, numbers: [Int]) async throws {
        let (bench, database) = try await database()
        defer { withExtendedLifetime(bench) {} }
        let found = try await database.find(Reel.self).where(\.size, .inside(names, test)).all()
        #expect(found.map(\.guid) == numbers.map(guid))
    }

    /// A record without a place comes last, in both directions.
    @Test(arguments: [nil, 0, 1, 2, 4, 5, 9])
    func nearestIsFirst(limit: Int?) async throws {
        let (bench, database) = try await database()
        defer { withExtendedLifetime(bench) {} }
        let distance = Distance(\Reel.shotAt, from: Self.berlin)
        for (query, numbers) in [
            (Query<Reel>().order(by: distance), [1, 2, 5, 4, 3]),
            (Query<Reel>().order(byDescending: distance), [4, 5, 2, 1, 3]),
            (Query<Reel>().order(by: distance).skip(1), [2, 5, 4, 3]),
            (Query<Reel>().where(distance > 100).order(by: distance), [2, 5, 4]),
        ] {
            let found = try await database.find(limit.map(query.limit) ?? query).all()
            let expected = numbers.prefix(limit ?? .max)
            #expect(found.map(\.guid) == expected.map(guid))
        }
    }

    @Test func placesAreObserved() async throws {
        let (bench, database) = try await database()
        defer { withExtendedLifetime(bench) {} }
        let near = Distance(\Reel.shotAt, from: Self.berlin) < 28000
        var seen: [[String]] = []
        for try await reels in try database.find(Reel.self).where(near).observe() {
            seen.append(reels.map(\.guid))
            guard reels.count == 2, var reel = reels.first else { break }
            reel.shotAt = nil
            try await database.save(reel)
        }
        #expect(seen == [[guid(1), guid(2)], [guid(2)]])
    }

    /// A search of places reads those near it only. Each system words its plan in its own way.
    @Test(
        arguments: [
            Query<Reel>().where(Distance(\.shotAt, from: berlin) <= 5000),
            Query<Reel>().where(
                \.shotAt, .isInBox(southWest: berlin, northEast: point("53,14"))),
            Query<Reel>().where(\.shotAt, .isInBox(southWest: berlin, northEast: point("53,-14"))),
            Query<Reel>().where(
                \.shotAt, .isInPolygon([berlin, point("1,2"), point("2,1")])
            ).order(by: \.guid),
        ])
    func placesHaveAnIndex(query: Query<Reel>) async throws {
        let bench = try await DeviceBench()
        let database = try await bench.loggedIn("a")
        let session = try database.session()
        let search = try #require(SearchText(query, by: session.rules)).records()
        #expect(search.text.contains("BETWEEN"))
        let plan = try await session.store.read { db in
            try Row.fetchAll(
                db, sql: "EXPLAIN QUERY PLAN " + search.text,
                arguments: StatementArguments(search.arguments)
            ).map { try $0.decode(String.self, forColumn: "detail") }
        }
        #expect(plan.contains { $0.contains("place_Reel_shotAt") }, "\(plan)")
    }

    /// The nearest few are looked for near the point.
    @Test func circlesGrow() async throws {
        let bench = try await DeviceBench()
        let rules = try await bench.loggedIn("a").session().rules
        func circles(_ query: Query<Reel>) -> Int? {
            SearchText(query, by: rules)?.circles.count
        }
        let distance = Distance(\Reel.shotAt, from: Self.berlin)
        let nearest = Query<Reel>().order(by: distance)
        for query in [nearest, nearest.where(distance > 3)] {
            #expect(try #require(circles(query.limit(to: 3))) > 2)
        }
        for query in [
            nearest, nearest.where(distance < 500).limit(to: 3),
            Query<Reel>().order(byDescending: distance).limit(to: 3),
            Query<Reel>().order(by: \.guid).order(by: distance).limit(to: 3),
        ] { #expect(circles(query) == 0) }
    }
}

private func point(_ text: String) -> GeoPoint { GeoPoint(canonical: text) }

private func guid(_ number: Int) -> String {
    "00000000-0000-4000-8000-" + String(repeating: "0", count: 11) + "\(number)"
}
