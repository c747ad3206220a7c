import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import Testing
import UserAccounts
import WholeRecordSync

/// Users see their own cases, and everybody's notes but for the field `pin`, which they may set.
/// Guests may create nothing.
@Suite("Outcomes tell nothing of hidden records and fields")
struct HiddenRecordTests {
    private static func document(_ mode: String) -> String {
        let own = #"readAllowed="OWN" updateAllowed="OWN" deleteAllowed="OWN""#
        return Documents.document(
            .manual,
            models: """
                <model name="Case" w:conflictMode="\(mode)">
                  <fields>
                    \(Documents.field("code", "TEXT", read: "ALL", own: #"w:unique="true""#))
                  </fields>
                  <credentials>
                    <credential role="users-mobile" createAllowed="ALL" \(own)
                      resolveConflictAllowed="true"/>
                  </credentials>
                </model>
                <model name="Note" w:conflictMode="\(mode)">
                  <fields>
                    \(Documents.field("title", "TEXT", read: "ALL"))
                    \(Documents.field("pin", "TEXT", read: "NONE"))
                    \(Documents.field("case", "BELONGS_TO", read: "ALL", options: """
                        <option name="model">Case</option>
                        <option name="analyzeConflict">true</option>
                        """))
                  </fields>
                  \(Documents.credentials(resolving: true))
                </model>
                """)
    }

    private func bench(
        _ mode: String = "MANUAL", limits: Limits = Limits()
    ) async throws -> TestBench {
        try await TestBench(Self.document(mode), limits: limits)
    }

    private func codes(_ outcomes: [OutcomeMessage]) -> [[String]] {
        outcomes.map { $0.causes?.map(\.code) ?? [$0.outcome.rawValue] }
    }

    private func newCase(_ number: Int, id: String, _ code: String? = nil) -> ChangeMessage {
        create(number, id: id, model: "Case", code.map { ["code": .string($0)] } ?? [:])
    }

    private func note(_ number: Int, id: String, of target: Int) -> ChangeMessage {
        create(number, id: id, ["title": "x", "case": .string(guid(target))])
    }

    /// Whether it exists, is deleted or is missing.
    @Test func relationToHiddenRecordIsLikeOneToMissingOne() async throws {
        let bench = try await bench()
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(newCase(1, id: "a1"), newCase(2, id: "a2"))
        _ = try await a.push(delete(2, id: "a3", base: 1, model: "Case"))
        let outcomes = try await b.sync([1, 2, 3].map { note(10 + $0, id: "b\($0)", of: $0) })
        #expect(codes(outcomes.outcomes) == Array(repeating: ["notFound"], count: 3))
        #expect(codes(try await a.push(note(20, id: "a4", of: 1))) == [["accepted"]])
    }

    @Test func onlyWhoMayCreateLearnsThatGuidIsTaken() async throws {
        let bench = try await bench()
        _ = try await bench.person("a").push(newCase(1, id: "a1"))
        let guest = bench.person("g", group: "guests")
        let outcomes = try await guest.push(newCase(1, id: "g1"), newCase(2, id: "g2"))
        #expect(
            codes(outcomes)
                == Array(repeating: ["noCredentialsToPerformOperationOnModel"], count: 2))
        #expect(codes(try await bench.person("b").push(newCase(1, id: "b1"))) == [["guidTaken"]])
    }

    @Test func rightToResolveTellsOfNoRecord() async throws {
        let bench = try await bench()
        _ = try await bench.person("a").push(newCase(1, id: "a1"))
        for number in [1, 2] {
            var guess = resolve(number, id: "b\(number)", base: 1)
            guess.model = "Case"
            #expect(codes(try await bench.person("b").push(guess)) == [["recordUnknown"]])
        }
    }

    /// A change of the same relation counts for users who see the case.
    @Test(arguments: ["MANUAL", "DISCARD"])
    func unseenChangesOfHiddenRelatedRecordsDoNotCount(mode: String) async throws {
        let bench = try await bench(mode)
        let (a, other) = (bench.person("a"), bench.person("a", device: "tablet"))
        let b = bench.person("b")
        _ = try await a.push(newCase(1, id: "a1"), note(2, id: "a2", of: 1))
        let cursors = (try await other.sync().cursor, try await b.sync().cursor)
        _ = try await a.push(update(1, id: "a3", base: 1, model: "Case", ["code": "x"]))
        var edit = update(2, id: "b1", base: 1, ["title": "y"])
        edit.ifStale = .refuse
        let (seeing, blind) = (
            try await other.sync([edit], cursor: cursors.0).outcomes,
            try await b.sync([edit], cursor: cursors.1).outcomes
        )
        #expect(codes(seeing) == [["stale"]] && codes(blind) == [["accepted"]])
    }

    /// The stale edit of `pin` has the same outcome whichever field was changed.
    @Test(arguments: ["title", "pin"])
    func staleMergeOfUnreadableFieldIsConflict(changed: String) async throws {
        let bench = try await bench("MERGE")
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, id: "a1", ["title": "x", "pin": "1"]))
        _ = try await a.push(update(1, id: "a2", base: 1, [changed: "y"]))
        var edit = update(1, id: "b1", base: 1, ["pin": "2"])
        edit.ifStale = .refuse
        #expect(codes(try await b.push(edit)) == [["stale"]])
        #expect(
            codes(try await b.push(update(1, id: "b2", base: 1, ["pin": "2"])))
                == [["conflicted"]])
    }

    // MARK: - Clashes

    private var limits: Limits {
        var limits = Limits()
        (limits.freeHiddenClashes, limits.hiddenClashesPerHour) = (3, 60)
        return limits
    }

    /// A push of several is decided as a whole; what follows waits, a minute for each clash.
    @Test func clashesWithHiddenRecordsAreLimited() async throws {
        let bench = try await bench(limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(newCase(1, id: "a1", "x"))
        let guesses = [newCase(1, id: "b1")] + (2...4).map { newCase($0, id: "b\($0)", "x") }
        #expect(
            codes(try await b.sync(guesses, at: 0).outcomes)
                == [["guidTaken"]] + Array(repeating: ["notUnique"], count: 3))
        await #expect(throws: SyncError.tooManyHiddenClashes(retryAfterSeconds: 120)) {
            _ = try await b.sync([newCase(9, id: "b9", "free")], at: 0)
        }
        // Others, and what cannot clash, go on.
        #expect(
            codes(try await a.sync([newCase(8, id: "a8", "y")], at: 0).outcomes) == [["accepted"]])
        #expect(try await b.sync(at: 0).outcomes.isEmpty)
        await #expect(throws: SyncError.tooManyHiddenClashes(retryAfterSeconds: 1)) {
            _ = try await b.sync([newCase(9, id: "b9", "free")], at: 119_001)
        }
        #expect(
            codes(try await b.sync([newCase(9, id: "b9", "free")], at: 120_000).outcomes)
                == [["accepted"]])
    }

    /// Nobody has to wait because of a clock.
    @Test func clockThatIsSetBackAddsNothing() async throws {
        let bench = try await bench(limits: limits)
        _ = try await bench.person("a").push(newCase(1, id: "a1", "x"))
        let b = bench.person("b")
        for (number, time) in [(2, 9_000_000), (3, 5_000_000), (4, 0)] {
            let outcome = try await b.sync(
                [newCase(number, id: "b\(number)", number < 4 ? "x" : "free")],
                at: Int64(time)
            ).outcomes
            #expect(codes(outcome) == [[number < 4 ? "notUnique" : "accepted"]])
        }
    }

    /// Neither one's own nor those of a change that is repeated.
    @Test func otherRefusalsAreNotLimited() async throws {
        let bench = try await bench(limits: limits)
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(newCase(1, id: "a1", "x"))
        let guess = newCase(2, id: "b1", "x")
        for _ in 0..<5 {
            #expect(codes(try await b.sync([guess], at: 0).outcomes) == [["notUnique"]])
        }
        for number in 2...9 {
            let again = newCase(number, id: "a\(number)", "x")
            #expect(codes(try await a.sync([again], at: 0).outcomes) == [["notUnique"]])
        }
    }

    /// Original clients have the same limit.
    @Test func wholeRecordsCountToo() async throws {
        let bench = try await bench(limits: limits)
        try await bench.accounts.add(
            login: "b", group: "users", mail: "", isAdmin: false, passwordHash: "x")
        _ = try await bench.person("a").push(newCase(1, id: "a1", "x"))
        var old = OldClient(bench.person("b"))
        for number in 2...5 { old.add(number, model: "Case", ["code": "x"]) }
        try await old.sync()
        old.add(6, model: "Case", ["code": "free"])
        await #expect(throws: SyncError.tooManyHiddenClashes(retryAfterSeconds: 120)) {
            try await old.sync()
        }
    }
}
