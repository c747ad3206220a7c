import AccessPolicy
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import TestKit
import Testing
import UserAccounts

@testable import SyncEngine

@Suite("A pull after a change of rights drops and adds records")
struct RightsTakenAwayTests {
    /// Own records are visible with all fields, records of the group with the title only, others
    /// not at all.
    private static let films = Documents.document(
        .manual,
        models: """
            <model name="Note">
              <fields>
                \(Documents.field("title", "TEXT", read: "GROUP"))
                \(Documents.field("secret", "TEXT", read: "OWN"))
              </fields>
              \(Documents.credentials(read: "GROUP"))
            </model>
            """)

    private let bench: TestBench

    init() async throws {
        bench = try await TestBench(Self.films)
        try await bench.accounts.add(
            login: "b", group: "users", mail: "", isAdmin: false, passwordHash: "")
    }

    private func give(_ number: Int, owner: String? = nil, group: String? = nil) async throws {
        _ = try await bench.engine.reassign(
            guid(number), of: "Note", to: NewOwnership(owner: owner, group: group),
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
    }

    private func names(of record: RecordMessage?) -> [String]? { record?.fields?.keys.sorted() }

    @Test func dropRecord() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        var replica = Replica()
        try await b.follow(&replica)
        try await give(1, group: "guests")
        let answer = try await b.sync(cursor: replica.cursor)
        #expect(answer.dropped == [DroppedMessage(model: "Note", guid: guid(1))])
        #expect(answer.records.isEmpty && !answer.resync)
    }

    /// Records that were sent, or may have been sent, are dropped.
    @Test(arguments: 1...4)
    func dropRecordInMidstOfAFirstSync(page: Int) async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.sync((1...4).map { create($0, ["title": "t"]) })
        var replica = Replica()
        replica.apply(try await b.sync(limit: page))
        try await give(2, group: "guests")
        try await give(4, group: "guests")
        try await b.follow(&replica, limit: 1)
        #expect(replica.records.keys.sorted() == [guid(1), guid(3)])
        #expect(Set(replica.dropped).isSubset(of: [guid(2), guid(4)]) && replica.resyncs == 0)
    }

    @Test func recordsNeverSeenAreNotDropped() async throws {
        let guest = bench.person("g", group: "guests")
        _ = try await bench.person("a").push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        try await give(2, group: "guests")
        try await give(2, group: "users")
        let cursor = try await guest.sync().cursor
        try await give(1, owner: "b")
        _ = try await bench.person("b").push(
            update(1, id: "u", base: 1, ["title": "u"]), create(3, ["title": "t"]),
            delete(2, id: "d", base: 1))
        try await give(3, owner: "b")
        let answer = try await guest.sync(cursor: cursor)
        #expect(answer.dropped.isEmpty && answer.records.isEmpty)
    }

    @Test func dropField() async throws {
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t", "secret": "s"]))
        var replica = Replica()
        try await a.follow(&replica)
        #expect(names(of: replica.records[guid(1)]) == ["secret", "title"])
        try await give(1, owner: "b")
        try await a.follow(&replica)
        #expect(names(of: replica.records[guid(1)]) == ["title"])
        #expect(replica.resyncs == 0 && replica.dropped.isEmpty)
    }

    @Test func addRecord() async throws {
        let guest = bench.person("g", group: "guests")
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        var replica = Replica()
        try await guest.follow(&replica)
        try await give(1, group: "guests")
        try await guest.follow(&replica)
        #expect(names(of: replica.records[guid(1)]) == ["title"])
        #expect(replica.resyncs == 0)
    }

    @Test func addField() async throws {
        let b = bench.person("b")
        _ = try await bench.person("a").push(create(1, ["title": "t", "secret": "s"]))
        var replica = Replica()
        try await b.follow(&replica)
        #expect(names(of: replica.records[guid(1)]) == ["title"])
        try await give(1, owner: "b")
        try await b.follow(&replica)
        #expect(names(of: replica.records[guid(1)]) == ["secret", "title"])
    }

    /// Two of a hundred records belong to the user in the other group; only these are sent.
    @Test func changedGroupReceivesOnlyDifference() async throws {
        let a = bench.person("a")
        _ = try await a.sync((0..<100).map { create($0, ["title": "t"]) })
        var replica = Replica()
        try await a.follow(&replica)
        try await give(7, group: "guests")
        try await give(8, owner: "b", group: "guests")
        let moved = bench.person("a", group: "guests")
        let received = replica.received
        try await moved.follow(&replica)
        #expect(Set(replica.records.keys) == [guid(7), guid(8)])
        #expect(replica.received - received == 2)
        #expect(Set(replica.dropped) == Set((0..<100).map(guid)).subtracting([guid(7), guid(8)]))
        #expect(replica.resyncs == 0)
    }

    /// A client whose rights change again during a rights change starts over.
    @Test func twoChangesAtOnceStartOver() async throws {
        let a = bench.person("a")
        _ = try await a.sync((0..<10).map { create($0, ["title": "t"]) })
        var replica = Replica()
        try await a.follow(&replica)
        let guest = bench.person("a", group: "guests")
        replica.apply(try await guest.sync(cursor: replica.cursor, limit: 3))
        #expect(replica.resyncs == 0)
        try await a.follow(&replica)
        #expect(replica.resyncs == 1 && replica.records.count == 10)
    }

    @Test func anotherUserOnDeviceStartsOver() async throws {
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        var replica = Replica()
        try await bench.person("a").follow(&replica)
        try await bench.person("g", group: "guests").follow(&replica)
        #expect(replica.resyncs == 1 && replica.records.isEmpty && replica.dropped.isEmpty)
    }

    @Test func definitionThatGrantsLessTakesOnlyThat() async throws {
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t"]), create(2, ["title": "t"]))
        _ = try await b.push(create(3, ["title": "t"]))
        var replica = Replica()
        try await a.follow(&replica)
        let stricter = try await bench.deploying(
            Self.films.replacing(#"readAllowed="GROUP""#, with: #"readAllowed="OWN""#))
        try await a.follow(&replica, with: stricter)
        #expect(Set(replica.records.keys) == [guid(1), guid(2)])
        #expect(replica.dropped == [guid(3)] && replica.received == 3 && replica.resyncs == 0)
    }

    @Test func definitionOfOtherFieldsSendsRecordsAgain() async throws {
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        var replica = Replica()
        try await a.follow(&replica)
        let wider = try await bench.deploying(
            Self.films.replacing(
                "<fields>", with: "<fields>" + Documents.field("more", "TEXT", read: "ALL")))
        try await a.follow(&replica, with: wider)
        #expect(names(of: replica.records[guid(1)]) == ["more", "secret", "title"])
        #expect(replica.resyncs == 0)
    }

    @Test func onlyAdminsGiveRecordsAway() async throws {
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        let ownership = NewOwnership(owner: "b", group: nil)
        let now = Instant(milliseconds: 5)
        await #expect(throws: SyncError.adminOnly) {
            try await bench.engine.reassign(
                guid(1), of: "Note", to: ownership, by: bench.person("a").caller(), at: now)
        }
        let admin = try await bench.person("admin").caller(isAdmin: true)
        let refusals: [(String, String, NewOwnership, SyncError)] = [
            (guid(2), "Note", ownership, .recordUnknown),
            (guid(1), "Other", ownership, .recordUnknown),
            (guid(1), "Note", NewOwnership(owner: "x", group: nil), .account(.unknown("x"))),
            (
                guid(1), "Note", NewOwnership(owner: nil, group: "x"),
                .account(.groupUnknown("x", known: ["users", "guests"]))
            ),
        ]
        for (guid, model, ownership, error) in refusals {
            await #expect(throws: error) {
                try await bench.engine.reassign(guid, of: model, to: ownership, by: admin, at: now)
            }
        }
        #expect(try await bench.stored(guid(1))?.owner == "a")
    }

    /// The change has a revision and conflicts with no other.
    @Test func givingRecordAwayIsNoConflict() async throws {
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        try await give(1, owner: "b")
        try await give(1, owner: "b")
        #expect(try await bench.stored(guid(1))?.revision == 2)
        let outcome = try await bench.person("b").push(
            update(1, id: "u", base: 1, ["title": "u"]))
        #expect(outcome.map(\.outcome) == [.accepted])
        #expect(
            try await bench.history(of: guid(1)).map(\.kind) == [.created, .reassigned, .updated])
    }
}
