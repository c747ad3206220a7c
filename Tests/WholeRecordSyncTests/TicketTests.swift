import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import Testing
import UserAccounts

@testable import SyncEngine

@Suite("Clients without revisions know what they have confirmed")
struct TicketTests {
    private func clients(
        _ mode: ConflictMode = .manual, _ document: String? = nil
    ) async throws -> (bench: TestBench, a: OldClient, b: OldClient) {
        let bench = try await TestBench(document ?? Documents.notes(mode))
        let admin = bench.accounts
        for login in ["a", "b"] {
            _ = try await admin.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        }
        return (bench, OldClient(bench.person("a")), OldClient(bench.person("b")))
    }

    @Test func recordsGoFromOneToTheOther() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one", "score": 3])
        #expect(try await a.sync().map(\.kind) == [.accepted])
        try await b.sync()
        #expect(b[1]?.fields == ["title": "one", "score": 3, "secret": .null, "sealed": .null])
        b.set(1, ["title": "two"])
        try await b.sync()
        try await a.sync()
        #expect(a[1]?.fields["title"] == "two")
        a.remove(1)
        try await a.sync()
        try await b.sync()
        #expect(a[1] == nil && b[1] == nil)
    }

    /// A client sends null for invisible fields, which must not delete their values.
    @Test func hiddenFieldsKeepTheirValues() async throws {
        var (bench, a, b) = try await clients(.overwrite)
        a.add(1, ["title": "one", "secret": "mine", "sealed": "mine too"])
        try await a.sync()
        try await b.sync()
        b.set(1, ["title": "two"])
        #expect(try await b.sync().map(\.kind) == [.accepted])
        let fields = try await bench.person("a").record(guid(1))?.fields
        #expect(fields?["title"] == "two")
        #expect(fields?["secret"] == "mine" && fields?["sealed"] == "mine too")
    }

    /// A new value in a field without the right is refused by name; the value that was sent to the
    /// client is not. The client gets the standing values.
    @Test func realAttemptIsRefusedByName() async throws {
        var (_, a, b) = try await clients(
            .overwrite, Documents.notes(.overwrite, titleUpdate: "OWN"))
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        b.set(1, ["score": 4])
        #expect(try await b.sync().map(\.kind) == [.accepted])
        b.set(1, ["title": "theirs", "sealed": "guess"])
        let refused = try await b.sync()
        #expect(refused.map(\.kind) == [.refused])
        #expect(refused[0].causes.map(\.field) == ["sealed", "title"])
        #expect(b[1]?.isModified == false && b[1]?.fields["title"] == "one")
    }

    /// If a correct hidden value were ignored, guessing would reveal it.
    @Test func guessingHiddenValueTellsNothing() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one", "sealed": "x"])
        try await a.sync()
        try await b.sync()
        for guess in ["x", "y"] {
            b.set(1, ["sealed": .string(guess)])
            #expect(try await b.sync().map(\.kind) == [.refused])
        }
    }

    @Test(arguments: OldClient.Loss.allCases)
    func repeatedPushHasNoSecondEffect(loss: OldClient.Loss) async throws {
        var (bench, a, b) = try await clients(.overwrite)
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "two"])
        try await a.sync(losing: loss)
        try await b.sync()
        #expect(b[1]?.fields["title"] == "two")
        b.set(1, ["title": "three"])
        try await b.sync()
        try await a.sync()
        try await a.sync()
        #expect(a[1]?.fields["title"] == "three")
        let history = try await bench.history(of: guid(1))
        #expect(history.map(\.login) == ["a", "a", "b"])
    }

    /// Edits back and forth without a confirmation: the last one counts.
    @Test func editThatTakesOneBackIsNoRepeat() async throws {
        var (bench, a, _) = try await clients(.overwrite)
        a.add(1, ["title": "one"])
        try await a.sync()
        for title in ["two", "one", "two", "one"] {
            a.set(1, ["title": .string(title)])
            try await a.sync(losing: .ticket)
            #expect(try await bench.person("a").record(guid(1))?.fields?["title"] == .string(title))
        }
    }

    @Test func withoutConfirmationTheSameComesAgain() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync(losing: .confirmation)
        b.records = [:]
        try await b.sync()
        #expect(b[1]?.fields["title"] == "one")
        b.records = [:]
        try await b.sync()
        #expect(b[1] == nil)
        try await b.sync(startingOver: true)
        #expect(b[1]?.fields["title"] == "one")
    }

    @Test func conflictIsEachClientsOwnState() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        try await a.sync()
        #expect(try await b.sync().map(\.kind) == [.conflicted])
        try await a.sync()
        #expect(b[1]?.isConflicted == true && b[1]?.fields["title"] == "theirs")
        #expect(a[1]?.isConflicted == true && a[1]?.fields["title"] == "mine")
        // Also if it is sent once more.
        a.set(1, ["score": 5])
        try await a.sync()
        try await b.sync()
        #expect(b[1]?.fields["title"] == "theirs")
        b.set(1, ["title": "chosen"], resolves: true)
        #expect(try await b.sync().map(\.kind) == [.accepted])
        try await a.sync()
        for client in [a, b] {
            #expect(client[1]?.isConflicted == false && client[1]?.fields["title"] == "chosen")
        }
    }

    /// Values that the chooser has not seen are not overwritten.
    @Test func choiceThatKnewNotEverythingIsAnotherSide() async throws {
        var (bench, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        try await a.sync()
        try await b.sync()
        try await a.sync()
        a.set(1, ["title": "later"])
        try await a.sync()
        b.set(1, ["title": "chosen"], resolves: true)
        #expect(try await b.sync().map(\.kind) == [.conflicted])
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.fields?["title"] == "later")
        #expect(record.conflicts?.map(\.mine.fields) == [["title": "chosen"]])
    }

    /// It has kept its own values, and has not seen those of the other side.
    @Test func editsDuringConflictReplaceOwnSide() async throws {
        var (bench, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        try await a.sync()
        try await b.sync()
        b.set(1, ["score": 5])
        #expect(try await b.sync().map(\.kind) == [.conflicted])
        let record = try #require(try await bench.person("a").record(guid(1)))
        #expect(record.fields?["title"] == "mine")
        #expect(record.conflicts?.map(\.mine.fields) == [["title": "theirs", "score": 5]])
        #expect(b[1]?.fields["title"] == "theirs" && b[1]?.fields["score"] == 5)
    }

    @Test func editsOfDeletedRecordAreNotRefused() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.remove(1)
        b.set(1, ["title": "theirs"])
        try await a.sync()
        try await b.sync()
        b.set(1, ["title": "once more"])
        #expect(try await b.sync().map(\.kind) == [.conflicted])
        b.set(1, ["title": "chosen"], resolves: true)
        #expect(try await b.sync().map(\.kind) == [.accepted])
        try await a.sync()
        #expect(a[1]?.fields["title"] == "chosen" && a[1]?.isConflicted == false)
    }

    @Test func conflictCanBeEndedByDeletion() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "mine"])
        b.remove(1)
        try await a.sync()
        #expect(try await b.sync().map(\.kind) == [.conflicted])
        #expect(b[1]?.isConflicted == true && b[1]?.isDeleted == true)
        b.remove(1, resolves: true)
        #expect(try await b.sync().map(\.kind) == [.accepted, .accepted])
        try await a.sync()
        #expect(a[1] == nil && b[1] == nil)
    }

    @Test func discardedEditsAreReplacedByServersValues() async throws {
        var (_, a, b) = try await clients(.discard)
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "first"])
        b.set(1, ["title": "second"])
        try await a.sync()
        #expect(try await b.sync(losing: .data).map(\.kind) == [.discarded])
        // Sent again, it is already discarded.
        #expect(try await b.sync() == [])
        #expect(b[1]?.fields["title"] == "first")
        b.set(1, ["title": "second"])
        #expect(try await b.sync().map(\.kind) == [.accepted])
    }

    @Test func twoDevicesOfOneUserDoNotKnowOfEachOther() async throws {
        let bench = try await clients().bench
        var one = OldClient(bench.person("a", device: "one"))
        var two = OldClient(bench.person("a", device: "two"))
        one.add(1, ["title": "one"])
        try await one.sync()
        try await two.sync()
        one.set(1, ["title": "mine"])
        two.set(1, ["title": "theirs"])
        try await one.sync()
        #expect(try await two.sync().map(\.kind) == [.conflicted])
        try await one.sync()
        #expect(one[1]?.fields["title"] == "mine" && two[1]?.fields["title"] == "theirs")
    }

    /// The rights change while an edit is under way.
    @Test func recordsThatAreLostAreDropped() async throws {
        var (bench, a, b) = try await clients(.overwrite, Documents.diaries)
        a.add(1, ["title": "one"])
        try await a.sync()
        let admin = try await bench.person("a").caller(isAdmin: true)
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: "b", group: nil), by: admin,
            at: Instant(milliseconds: 2))
        try await a.sync()
        #expect(a[1] == nil)
        try await b.sync()
        #expect(b[1]?.fields["title"] == "one")
    }

    /// If it were refused, it would be sent again forever, and the client would never get the
    /// deletion.
    @Test(arguments: [false, true])
    func editOfLostRecordBlocksNothing(removing: Bool) async throws {
        var (bench, a, b) = try await clients(.overwrite, Documents.diaries)
        a.add(1, ["title": "one"])
        try await a.sync()
        let admin = try await bench.person("a").caller(isAdmin: true)
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: "b", group: nil), by: admin,
            at: Instant(milliseconds: 2))
        if removing { a.remove(1) } else { a.set(1, ["title": "two"]) }
        a.add(2, ["title": "mine"])
        #expect(try await a.sync().map(\.kind) == [.accepted])
        #expect(a[1] == nil && a[2]?.fields["title"] == "mine")
        try await b.sync()
        #expect(b[1]?.fields["title"] == "one")
    }

    /// These clients keep a record that is being edited when its deletion arrives. Its values may
    /// meanwhile equal the former ones.
    @Test(
        arguments: [
            (ConflictMode.manual, Outcome.Kind.conflicted), (.overwrite, .accepted),
            (.discard, .discarded), (.merge, .conflicted),
        ], ["two", "one"])
    func editDuringDeletionHadNotSeenIt(
        mode: (ConflictMode, Outcome.Kind), title: String
    ) async throws {
        var (_, a, b) = try await clients(mode.0)
        a.add(1, ["title": "one", "score": 3])
        try await a.sync()
        try await b.sync()
        a.remove(1)
        try await a.sync()
        try await b.sync { $0.set(1, ["title": .string(title)]) }
        #expect(try await b.sync().map(\.kind) == [mode.1])
        try await a.sync()
        try await b.sync()
        for client in [a, b] {
            #expect((client[1] == nil) == (mode.1 == .discarded))
            #expect(client[1]?.isConflicted ?? false == (mode.1 == .conflicted))
        }
        if mode.1 == .accepted {
            #expect(a[1]?.fields["title"] == .string(title) && a[1] == b[1])
        }
    }

    @Test func startingOverInConflictTakesServersValues() async throws {
        var (_, a, b) = try await clients()
        a.add(1, ["title": "one"])
        try await a.sync()
        try await b.sync()
        a.set(1, ["title": "mine"])
        b.set(1, ["title": "theirs"])
        try await a.sync()
        try await b.sync()
        try await b.sync(startingOver: true)
        #expect(b[1]?.isConflicted == true && b[1]?.fields["title"] == "mine")
    }

    /// The owner sends the value that was visible to them earlier.
    @Test func formerlyVisibleValuesAreNoViolation() async throws {
        var (bench, a, _) = try await clients(.overwrite)
        a.add(1, ["title": "one", "sealed": "x"])
        try await a.sync()
        let admin = try await bench.person("a").caller(isAdmin: true)
        _ = try await bench.engine.reassign(
            guid(1), of: "Note", to: NewOwnership(owner: "b", group: nil), by: admin,
            at: Instant(milliseconds: 2))
        a.set(1, ["title": "two"])
        #expect(try await a.sync().map(\.kind) == [.accepted])
        #expect(a[1]?.fields["title"] == "two" && a[1]?.fields["sealed"] == .null)
    }
}
