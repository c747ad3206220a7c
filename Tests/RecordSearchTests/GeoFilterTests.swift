import ChangeRules
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("Filters know distances and areas")
struct GeoFilterTests {
    /// `note` of a thing is a place.
    private static let document = Documents.things.replacing(
        #"name="note" type="TEXT""#, with: #"name="note" type="TEXT" w:format="geo""#)

    /// Berlin, Potsdam, nowhere, Fiji and Paris.
    private func person() async throws -> Person {
        let bench = try await TestBench(Self.document)
        let person = bench.person("a")
        let places = ["52.52, 13.405", "52.39,13.06", nil, "-17.7,178.1", "48.8566,2.3522"]
        for (number, place) in places.enumerated() {
            let fields: [String: JSONValue] = place.map { ["note": .string($0)] } ?? [:]
            let outcomes = try await person.push(create(number + 1, model: "Thing", fields))
            #expect(outcomes.allSatisfy { $0.outcome == .accepted }, "\(outcomes)")
        }
        return person
    }

    @Test(arguments: [
        (#"{"le": ["$distance:note:52.52:13.405", 0]}"#, [1]),
        (#"{"lt": ["$distance:note:52.52:13.405", 28000]}"#, [1, 2]),
        (#"{"lt": ["$distance:note:52.52:13.405", 27000]}"#, [1]),
        // 877 km from Berlin to Paris; half around the earth from the other side of Fiji.
        (#"{"between": ["$distance:note:52.52:13.405", 877000, 878000]}"#, [5]),
        (#"{"gt": ["$distance:note:17.7:-1.9", 20015000]}"#, [4]),
        (#"{"null": "$distance:note:0:0"}"#, [3]),
        (#"{"within": ["note", {"box": ["52,13", "53,14"]}]}"#, [1, 2]),
        (#"{"within": ["note", {"box": ["-20,170", "-10,-170"]}]}"#, [4]),
        (#"{"within": ["note", {"polygon": ["52.4,13", "52.4,14", "53,13.4"]}]}"#, [1]),
        (#"{"not": {"within": ["note", {"box": ["52,13", "53,14"]}]}}"#, [3, 4, 5]),
        (#"{"eq": ["note", "52.52,13.405"]}"#, [1]),
    ])
    func finds(filter: String, numbers: [Int]) async throws {
        let found = try await person().find(filter)
        #expect(found.records.map(\.guid) == numbers.map { guid($0) })
    }

    /// Page by page; a record without a place comes last.
    @Test func nearestIsFirst() async throws {
        let person = try await person()
        for (sort, numbers) in [
            ("$distance:note:52.52:13.405", [1, 2, 5, 4, 3]),
            ("-$distance:note:48:2", [4, 1, 2, 5, 3]),
        ] {
            var found: [String] = []
            var cursor: String?
            repeat {
                let page = try await person.find(nil, sort: sort, limit: 2, cursor: cursor)
                found += page.records.map(\.guid)
                cursor = page.cursor
            } while cursor != nil
            #expect(found == numbers.map { guid($0) }, "\(sort)")
        }
    }

    @Test(arguments: [
        (#"{"le": ["$distance:name:1:2", 5]}"#, "filter.le[0]"),
        (#"{"le": ["$distance:none:1:2", 5]}"#, "filter.le[0]"),
        (#"{"le": ["$distance:note:91:2", 5]}"#, "filter.le[0]"),
        (#"{"le": ["$distance:note:1:2", "near"]}"#, "filter.le[1]"),
        (#"{"within": ["name", {"box": ["1,1", "2,2"]}]}"#, "filter.within[0]"),
        (#"{"within": ["note", {"box": ["1,1"]}]}"#, "filter.within"),
        (#"{"within": ["note", {"box": ["1,1", "91,2"]}]}"#, "filter.within"),
        (#"{"within": ["note", {"polygon": ["1,1", "2,2"]}]}"#, "filter.within"),
        (#"{"within": ["note", {"circle": ["1,1", "2,2"]}]}"#, "filter.within"),
    ])
    func mistakeIsNamedWithItsPlace(filter: String, path: String) async throws {
        let person = try await person()
        do {
            _ = try await person.find(filter)
            Issue.record("no fault")
        } catch SyncError.find(.query(let fault)) {
            #expect(fault.path == path)
        } catch let fault as QueryFault {
            #expect(fault.path == path)
        }
    }
}
