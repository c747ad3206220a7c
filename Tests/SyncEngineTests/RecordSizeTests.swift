import AccessPolicy
import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncProtocol
import TestKit
import Testing

@testable import SyncEngine

/// See also `GrowthTests`.
@Suite("The size of a record is that of what its author may shorten")
struct RecordSizeTests {
    /// All see all fields: `left` is written by users, `right` by guests, `both` by all.
    private static let document = Documents.document(
        .overwrite,
        models: """
            <model name="Note">
              <fields>
                \(field("left", of: ["users"])) \(field("right", of: ["guests"]))
                \(field("both", of: ["users", "guests"]))
              </fields>
              \(Documents.credentials(read: "ALL"))
            </model>
            """)

    private static func field(_ name: String, of writers: [String]) -> String {
        let credentials = ["users", "guests"].map { group in
            """
            <credential role="\(group)-mobile" createAllowed="ALL" readAllowed="ALL"
              updateAllowed="\(writers.contains(group) ? "ALL" : "NONE")"/>
            """
        }
        return """
            <field name="\(name)" type="TEXT">
              <credentials>\(credentials.joined())</credentials>
              <options><option name="maxLength">1000000</option></options>
            </field>
            """
    }

    private func text(_ count: Int) -> JSONValue { .string(String(repeating: "a", count: count)) }

    /// With 1,000 bytes for a record, and 50 for small changes.
    private func bench() async throws -> TestBench {
        var limits = Limits()
        (limits.recordBytes, limits.smallChangeBytes) = (1000, 50)
        return try await TestBench(Self.document, limits: limits)
    }

    @Test func valuesOfOthersRefuseNothing() async throws {
        let bench = try await bench()
        let (user, guest) = (bench.person("a"), bench.person("b", group: "guests"))
        _ = try await user.push(create(1, ["left": text(900)]))
        let outcomes = try await guest.push(
            update(1, id: "1", base: 1, ["right": text(900)]),
            update(1, id: "2", base: nil, ["both": text(200)]))
        #expect(outcomes.map(\.outcome) == [.accepted, .refused])
        #expect(outcomes[1].causes?.map(\.code) == ["recordTooLarge"])
        #expect(outcomes[1].causes?.map(\.field) == ["both"])
        let shorter = try await guest.push(
            update(1, id: "3", base: 2, ["right": text(500)]),
            update(1, id: "4", base: nil, ["both": text(200)]))
        #expect(shorter.map(\.outcome) == [.accepted, .accepted])
    }

    @Test func smallChangeOfLargeRecordIsTaken() async throws {
        let bench = try await bench()
        let user = bench.person("a")
        _ = try await user.push(create(1, ["left": text(980)]))
        // The second one has 50 bytes: the text, the name, four quotes, a colon and a comma.
        let outcomes = try await user.push(
            update(1, id: "1", base: 1, ["both": text(41)]),
            update(1, id: "2", base: 1, ["both": text(40)]))
        #expect(outcomes.map(\.outcome) == [.refused, .accepted])
    }

    /// A change that sets two fields is refused for the one that grows, whichever is longer.
    @Test func causeNamesFieldThatGrowsMost() async throws {
        let bench = try await bench()
        let user = bench.person("a")
        _ = try await user.push(create(1, ["left": text(600), "both": text(50)]))
        let outcomes = try await user.push(
            update(1, id: "1", base: 1, ["left": text(650), "both": text(450)]))
        #expect(outcomes[0].causes?.map(\.field) == ["both"])
    }

    /// To measure the record for each change would take a hundred times as long.
    @Test func manyChangesOfLargeRecordTakeLittleLonger() throws {
        let asker = Asker(
            login: "a", group: "users", role: Role(group: "users", deviceCategory: "mobile"))
        let author = Author(
            asker: asker, deviceIdentifier: "phone", now: Instant(milliseconds: 0),
            limits: Limits())
        let rules = Rules(try checked(Self.document))
        let record = StoredRecord(
            guid: guid(1), model: "Note", owner: "a", group: "users", revision: 1,
            isDeleted: false, isConflicted: false,
            fieldsText: JSONText.text(of: ["left": text(8_000_000)]))
        let facts = Facts(
            fingerprint: "", outcomes: [:], records: [guid(1): record], history: [:],
            openConflicts: [:], holders: [:], purgedGuids: [], unseenGraphs: [])
        func time(of count: Int) throws -> Duration {
            let changes = (0..<count).map { number in
                Change(
                    id: "\(number)", action: .update, model: "Note", guid: guid(1),
                    baseRevision: number == 0 ? 1 : nil,
                    fields: ["both": .value(.text(String(repeating: "b", count: 5000 + number)))])
            }
            return try processorTime {
                let decided = try decide(changes, given: facts, by: rules, author: author)
                #expect(decided.outcomes.allSatisfy { $0.kind == .accepted })
            }
        }
        let one = try time(of: 1)
        #expect(try time(of: 200) < one * 10)
    }
}
