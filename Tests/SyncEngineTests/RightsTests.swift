import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing

/// `secret` is readable by the owner and writable by anyone; `sealed` is for the owner only.
@Suite("Reading and writing require rights")
struct RightsTests {
    private func film() async throws -> TestBench {
        let bench = try await TestBench(Documents.notes(.overwrite))
        _ = try await bench.person("a").push(
            create(1, ["title": "t", "secret": "s", "sealed": "z"]))
        return bench
    }

    @Test func hiddenFieldIsAbsentAndEmptyOneIsNull() async throws {
        let bench = try await film()
        _ = try await bench.person("b").push(create(2, ["title": "mine"]))
        let seen = try await bench.person("b").everything()
        #expect(
            seen.map(\.fields) == [
                ["title": "t", "score": 1],
                ["title": "mine", "score": 1, "secret": .null, "sealed": .null],
            ])
    }

    @Test func changeHarmsNoFieldThatItDoesNotName() async throws {
        let bench = try await film()
        _ = try await bench.person("b").push(update(1, id: "1", base: 1, ["title": "u"]))
        let seen = try await bench.person("a").record(guid(1))
        #expect(seen?.fields == ["title": "u", "score": 1, "secret": "s", "sealed": "z"])
    }

    /// If setting the stored value were allowed without the right, acceptance would reveal the
    /// value.
    @Test(arguments: ["z", "y"])
    func hiddenValueCannotBeGuessedByWritingIt(guess: String) async throws {
        let bench = try await film()
        let outcome = try await bench.person("b").push(
            update(1, id: "1", base: 1, ["sealed": .string(guess)]))[0]
        #expect(outcome.outcome == .refused)
        #expect(outcome.causes?.map(\.code) == ["noCredentialsToPerformOperationOnField"])
        #expect(outcome.causes?.map(\.field) == ["sealed"])
    }

    /// The user may write the field. The answer must not reveal whether the value was equal.
    @Test func writingInvisibleFieldRevealsNothing() async throws {
        var answers: [OutcomeMessage] = []
        for guess in ["s", "other"] {
            let bench = try await film()
            answers += try await bench.person("b").push(
                update(1, id: "1", base: 1, ["secret": .string(guess)]))
        }
        #expect(answers[0] == answers[1])
        #expect(answers[0].revision == 2)
    }

    @Test func unchangedVisibleFieldNeedsNoRight() async throws {
        let bench = try await TestBench(Documents.diaries)
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "t"]))
        let outcome = try await a.push(update(1, id: "1", base: 1, ["title": "t"]))[0]
        #expect(outcome.outcome == .accepted)
        #expect(outcome.revision == 1)
    }

    @Test func everyMissingRightIsNamedWithItsPlace() async throws {
        let bench = try await TestBench(Documents.diaries)
        _ = try await bench.person("g", group: "guests").push(create(1, ["title": "t"]))
        let other = bench.person("h", group: "guests")
        let codes = try await other.push(
            delete(1, id: "1", base: 1), update(1, id: "2", base: 1, ["title": .null, "x": 1])
        ).map { $0.causes?.map { "\($0.code) \($0.field ?? "-") \($0.argument ?? "-")" } }
        #expect(
            codes == [
                ["noCredentialsToPerformOperationOnModel - delete"],
                ["empty title -", "unknownField x x"],
            ])
    }

    @Test func refusalPointsToCredential() async throws {
        let bench = try await TestBench(Documents.diaries)
        _ = try await bench.person("g", group: "guests").push(create(1, ["title": "t"]))
        let outcome = try await bench.person("h", group: "guests").push(
            delete(1, id: "1", base: 1))[0]
        let line = try #require(outcome.causes?.first?.line)
        let lines = Documents.diaries.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[line - 1].contains("role=\"guests-mobile\""))
    }

    /// A user who may neither see nor change a record learns nothing from trying, not even that it
    /// exists.
    @Test func recordThatIsNotTheirsAnswersLikeNone() async throws {
        let bench = try await TestBench(Documents.diaries)
        _ = try await bench.person("a").push(create(1, ["title": "t"]))
        for base in [1, 7] as [Int64] {
            let answers = try await bench.person("b").push(
                update(1, id: "1\(base)", base: base, ["title": "u"]),
                update(2, id: "2\(base)", base: base, ["title": "u"]),
                delete(1, id: "3\(base)", base: base), delete(2, id: "4\(base)", base: base))
            #expect(answers.allSatisfy { $0.causes?.map(\.code) == ["recordUnknown"] })
        }
    }

    @Test func newRecordNeedsNoRightForDefaultsAndNulls() async throws {
        let document = Documents.notes()
            .replacing("createAllowed=\"ALL\" readAllowed=\"OWN\"", with: "readAllowed=\"OWN\"")
        let bench = try await TestBench(document)
        let outcomes = try await bench.person("a").push(
            create(1, ["title": "t", "score": 1, "secret": .null]),
            create(2, ["title": "t", "secret": "s"]))
        #expect(outcomes.map(\.outcome) == [.accepted, .refused])
        #expect(outcomes[1].causes?.map(\.argument) == ["create"])
    }

    @Test func conflictShowsOnlyReadableFields() async throws {
        let bench = try await TestBench(Documents.notes())
        let (a, b) = (bench.person("a"), bench.person("b"))
        _ = try await a.push(create(1, ["title": "t", "secret": "one"]))
        _ = try await a.push(update(1, id: "1", base: 1, ["secret": "two", "title": "u"]))
        _ = try await b.push(update(1, id: "1", base: 1, ["secret": "three", "title": "v"]))
        let owner = try #require(try await a.record(guid(1))?.conflicts?.first)
        let other = try #require(try await b.record(guid(1))?.conflicts?.first)
        #expect(owner.mine.fields == ["secret": "three", "title": "v"])
        #expect(owner.base.fields == ["secret": "one", "title": "t"])
        for side in [other.base, other.mine, other.theirs] {
            #expect(Set(side.fields.keys) == ["title"])
        }
    }

    @Test func textIsComparedByItsBytes() async throws {
        let bench = try await TestBench(Documents.notes())
        let a = bench.person("a")
        _ = try await a.push(create(1, ["title": "\u{E9}"]))
        let outcome = try await a.push(update(1, id: "1", base: 1, ["title": "e\u{301}"]))[0]
        #expect(outcome.revision == 2)
        guard case .string(let title) = try await a.record(guid(1))?.fields?["title"] else {
            Issue.record("the title is gone")
            return
        }
        #expect(Array(title.utf8) == Array("e\u{301}".utf8))
    }
}
