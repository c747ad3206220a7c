import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

@testable import SyncEngine

@Suite("Records can be queried")
struct FindTests {
    private let bench: TestBench
    private let (a, b): (Person, Person)

    init() async throws {
        bench = try await TestBench(Documents.things)
        a = bench.person("a")
        b = bench.person("b")
    }

    private func make(_ number: Int, _ fields: [String: JSONValue] = [:]) -> ChangeMessage {
        create(number, model: "Thing", fields)
    }

    private func change(
        _ number: Int, _ id: String, from base: Int64, _ fields: [String: JSONValue]
    ) -> ChangeMessage {
        update(number, id: id, base: base, model: "Thing", fields)
    }

    // MARK: - Results

    @Test func foundRecordEqualsPulledOne() async throws {
        _ = try await a.push(
            create(101, model: "Box", ["name": "left"]),
            make(1, ["name": "t", "secret": "mine", "box": .string(guid(101))]), make(2))
        for person in [a, b] {
            let pulled = try await person.everything().filter { $0.model == "Thing" }
            #expect(try await person.find(sort: "$guid").records == pulled)
            for record in pulled {
                let one = try await bench.engine.record(
                    record.guid, of: "Thing", RecordRequest(), for: try await person.caller())
                #expect(one == record)
            }
        }
    }

    @Test func deletedRecordsAreFoundOnlyInConflict() async throws {
        _ = try await a.push(
            make(1, ["code": "one", "name": "t"]), make(2, ["code": "two"]), make(3))
        _ = try await a.push(
            delete(1, id: "d1", base: 1, model: "Thing"),
            delete(2, id: "d2", base: 1, model: "Thing"))
        _ = try await b.push(change(2, "u2", from: 1, ["code": "2"]))
        #expect(try await a.numbers() == [2, 3])
        #expect(try await a.numbers(#"{"eq": ["$conflicted", true]}"#) == [2])
        // The value is no longer reserved, but the deleted record still has it.
        #expect(try await a.numbers(#"{"eq": ["code", "two"]}"#) == [2])
        #expect(try await a.numbers(#"{"eq": ["code", "one"]}"#) == [])
        let found = try #require(try await a.find(#"{"eq": ["code", "two"]}"#).records.first)
        #expect(found.deleted && found.conflicted && found.conflicts?.count == 1)
        await #expect(throws: SyncError.recordUnknown) {
            try await bench.engine.record(
                guid(1), of: "Thing", RecordRequest(), for: try await a.caller())
        }
    }

    @Test func relatedRecordsAreFoundUntilTheyAreDeleted() async throws {
        _ = try await a.push(
            create(101, model: "Box", ["name": "left"]), make(1, ["box": .string(guid(101))]))
        let isLeft = #"{"eq": ["box.name", "left"]}"#
        #expect(try await a.numbers(isLeft) == [1])
        _ = try await a.push(delete(101, id: "d", base: 1, model: "Box"))
        #expect(try await a.numbers(isLeft) == [])
        #expect(try await a.numbers(#"{"null": "box.$guid"}"#) == [1])
        #expect(try await a.numbers(#"{"null": "box"}"#) == [])
        #expect(try await a.numbers(#"{"eq": ["box", "\#(guid(101))"]}"#) == [1])
    }

    @Test func recordIsFoundByItsCurrentValues() async throws {
        _ = try await a.push(
            create(101, model: "Box", [:]), create(102, model: "Box", [:]),
            make(1, ["code": "one", "box": .string(guid(101)), "name": "old"]))
        _ = try await a.push(
            change(1, "u", from: 1, ["code": "uno", "box": .string(guid(102)), "name": "new"]))
        for (field, old, new) in [
            ("code", "one", "uno"), ("box", guid(101), guid(102)), ("name", "old", "new"),
        ] {
            #expect(try await a.numbers(#"{"eq": ["\#(field)", "\#(old)"]}"#) == [])
            #expect(try await a.numbers(#"{"eq": ["\#(field)", "\#(new)"]}"#) == [1])
        }
    }

    @Test func onlyChosenFieldsComeWithRecordAndItsConflicts() async throws {
        _ = try await a.push(make(1, ["name": "t", "note": "n", "whole": 1]))
        _ = try await a.push(change(1, "u1", from: 1, ["name": "a", "note": "a"]))
        _ = try await b.push(change(1, "u2", from: 1, ["name": "b", "note": "b"]))
        let record = try #require(
            try await b.find(fields: ["name", "secret", "whole"]).records.first)
        #expect(record.fields == ["name": "a", "whole": 1])
        #expect(record.conflicts?.first?.mine.fields == ["name": "b"])
        #expect(record.conflicts?.first?.theirs.fields == ["name": "a"])
        #expect(record.conflicts?.first?.base.fields == ["name": "t"])
        #expect(try await a.find(fields: []).records.first?.fields == [:])
        let one = try await bench.engine.record(
            guid(1), of: "Thing", RecordRequest(fields: ["whole"]), for: try await a.caller())
        #expect(one.fields == ["whole": 1])
    }

    @Test func recordIsFoundByItsModelAndReader() async throws {
        let diaries = try await TestBench(Documents.diaries)
        _ = try await diaries.person("a").push(create(1, ["title": "t"]))
        let (owner, other) = (diaries.person("a"), diaries.person("b"))
        let found = try await diaries.engine.record(
            guid(1), of: "Note", RecordRequest(), for: try await owner.caller())
        #expect(found.fields == ["title": "t"])
        await #expect(throws: SyncError.recordUnknown) {
            try await diaries.engine.record(
                guid(1), of: "Note", RecordRequest(), for: try await other.caller())
        }
        await #expect(throws: SyncError.recordUnknown) {
            try await diaries.engine.record(
                "no guid", of: "Note", RecordRequest(), for: try await owner.caller())
        }
        await #expect(throws: SyncError.find(.modelUnknown("note"))) {
            try await diaries.engine.record(
                guid(1), of: "note", RecordRequest(), for: try await owner.caller())
        }
        _ = try await a.push(create(101, model: "Box", [:]))
        await #expect(throws: SyncError.recordUnknown) {
            try await bench.engine.record(
                guid(101), of: "Thing", RecordRequest(), for: try await a.caller())
        }
        #expect(try await a.numbers(#"{"eq": ["$guid", "\#(guid(101))"]}"#) == [])
        await #expect(throws: SyncError.find(.modelUnknown("Film"))) {
            try await a.find(of: "Film")
        }
    }

    // MARK: - Owners and groups

    /// Owners and groups in several orders, with pages of any size.
    @Test(arguments: 1...7)
    func withoutOrderRecordsComeByGroupOwnerAndCreation(limit: Int) async throws {
        let people = [
            a, b, bench.person("a", group: "guests", device: "2"), bench.person("c"),
            bench.person("c", group: "guests", device: "2"),
        ]
        for number in [9, 4, 7, 2, 5, 1, 8, 3, 6] {
            _ = try await people[number % people.count].push(make(number))
        }
        // Guests: a has 7 and 2, c has 9 and 4. Users: a has 5, b has 1 and 6, c has 8 and 3.
        #expect(try await a.numbers(sort: "", limit: limit) == [7, 2, 9, 4, 5, 1, 6, 8, 3])
        #expect(
            try await a.numbers(sort: "$group,$owner,$guid", limit: limit)
                == [2, 7, 4, 9, 5, 1, 6, 3, 8])
        #expect(
            try await a.numbers(sort: "-$group,$owner,-$guid", limit: limit)
                == [5, 6, 1, 8, 3, 7, 2, 9, 4])
    }

    @Test(arguments: 1...4)
    func ownRecordsAreScannedAlone(limit: Int) async throws {
        let diaries = try await TestBench(Documents.diaries)
        let people = ["a", "b", "c"].map { diaries.person($0) }
        for number in (1...9).reversed() {
            _ = try await people[number % 3].push(create(number, ["title": "t"]))
        }
        for (index, person) in people.enumerated() {
            let own = (1...9).filter { $0 % 3 == index }
            #expect(
                try await person.numbers(of: "Note", sort: "", limit: limit) == own.reversed())
            #expect(
                try await person.numbers(of: "Note", sort: "-title,$guid", limit: limit) == own)
            #expect(try await person.find(of: "Note", limit: 1, counts: true).count == 3)
        }
        let guest = diaries.person("g", group: "guests")
        #expect(try await guest.numbers(of: "Note", sort: "", limit: limit) == [])
        _ = try await guest.push(create(20, ["title": "g"]))
        let other = diaries.person("h", group: "guests")
        #expect(try await other.numbers(of: "Note", sort: "", limit: limit) == [20])
    }
}
