import AccessPolicy
import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine

/// Each letter of `code` and of `other` takes 667 steps: a text of 10,000 letters 6,670,000.
@Suite("Matching patterns takes a limited number of steps")
struct PatternStepTests {
    private static let document = Documents.document(
        .manual,
        models: """
            <model name="Note">
              <fields>\(field("code"))\(field("other"))</fields>
              \(Documents.credentials(read: "ALL"))
            </model>
            """)

    private static func field(_ name: String) -> String {
        Documents.field(
            name, "TEXT", read: "ALL", own: #"w:pattern="((a?){332})*""#,
            options: #"<option name="maxLength">10000</option>"#)
    }

    private static let long = JSONValue.string(String(repeating: "a", count: 10_000))

    /// The first field has enough steps, the second one has not. A device decides alike.
    @Test func changeIsRefusedByNameForTooMany() async throws {
        let bench = try await TestBench(Self.document)
        let fields = ["code": Self.long, "other": Self.long]
        let outcomes = try await bench.person("a").push(create(1, fields))
        let causes = try #require(outcomes.first?.causes)
        #expect(causes.map(\.code) == ["patternTooCostly"])
        #expect(causes.map(\.field) == ["other"] && causes.map(\.argument) == ["10000000"])
        let book = bench.engine.rules.book
        let model = try #require(book.model(named: "Note"))
        let change = Change(create(1, fields), by: book)
        let local = book.faults(of: change, in: model)
        #expect(local.map { CauseDescription($0).code } == causes.map(\.code))
        #expect(local.map(\.place?.line) == causes.map(\.line))
    }

    /// Both changes have 15 letters each, and take 10,005 steps; one of them is never too much.
    @Test(arguments: [(20_009, false), (20_010, true), (9000, false)])
    func requestIsRefusedAsAWholeForTooMany(steps: Int, isDecided: Bool) async throws {
        var limits = Limits()
        limits.patternSteps = steps
        let bench = try await TestBench(Self.document, limits: limits)
        let a = bench.person("a")
        let text = JSONValue.string(String(repeating: "a", count: 15))
        if isDecided {
            let outcomes = try await a.push(create(1, ["code": text]), create(2, ["code": text]))
            #expect(outcomes.map(\.outcome) == [.accepted, .accepted])
        } else {
            await #expect(throws: SyncError.tooMuchToMatch) {
                try await a.push(create(1, ["code": text]), create(2, ["code": text]))
            }
            #expect(try await bench.stored(guid(1)) == nil)
        }
        #expect(try await a.push(create(3, ["code": text])).map(\.outcome) == [.accepted])
    }

    /// A server prepares large pushes elsewhere.
    @Test func preparedPushIsDecidedAlike() async throws {
        let bench = try await TestBench(Self.document)
        let (engine, now) = (bench.engine, Instant(milliseconds: 7))
        let caller = try await bench.person("a").caller()
        let request = SyncRequest(changes: [create(1, ["code": "aa"]), create(2, ["code": "b"])])
        let prepared = try engine.prepared(
            engine.pushPull(of: request), from: caller, at: now, whileWanted: { true })
        let kinds = try await engine.answer(prepared, from: caller, at: now).outcomes.map(\.kind)
        #expect(kinds == [.accepted, .refused])
        #expect(throws: SyncError.store(.cancelled)) {
            try engine.prepared(
                engine.pushPull(of: request), from: caller, at: now, whileWanted: { false })
        }
    }

    @Test func preparingKeepsToNumberOfChanges() async throws {
        var limits = Limits()
        limits.changes = 1
        let bench = try await TestBench(Self.document, limits: limits)
        let request = SyncRequest(changes: [create(1, [:]), create(2, [:])])
        let caller = try await bench.person("a").caller()
        #expect(throws: SyncError.tooManyChanges(count: 2, max: 1)) {
            try bench.engine.prepared(
                bench.engine.pushPull(of: request), from: caller,
                at: Instant(milliseconds: 7), whileWanted: { true })
        }
    }
}
