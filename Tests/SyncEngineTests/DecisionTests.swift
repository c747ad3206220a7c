import AccessPolicy
import ChangeRules
import DefinitionModel
import EngineKit
import JSON
import SyncProtocol
import Testing

@testable import SyncEngine

/// The cases of `Meeting`, decided on plain values without a store.
@Suite("A decision depends on its facts only")
struct DecisionTests {
    @Test(arguments: Meeting.all)
    func changesThatMeet(_ meeting: Meeting) throws {
        let decided = try decide(meeting, ifStaleRefused: false)
        #expect(decided.outcomes.map(\.kind.rawValue) == [meeting.outcome.rawValue])
        let record = decided.writes.records.first ?? stored(after: meeting.first)
        #expect(record.isConflicted == meeting.isConflicted)
        #expect(record.isDeleted == (meeting.state == nil))
        #expect(decided.writes.openedConflicts.count == (meeting.isConflicted ? 1 : 0))
        #expect(decided.writes.outcomes.map(\.changeID) == ["second"])
        if let state = meeting.state {
            let fields = try JSONText.fields(record.fieldsText)
            #expect(fields["title"] == .string(state.title))
            #expect(fields["score"] == .integer(state.score))
        }
    }

    @Test(arguments: Meeting.all)
    func staleChangesThatAreToBeRefused(_ meeting: Meeting) throws {
        let decided = try decide(meeting, ifStaleRefused: true)
        let merges = meeting.outcome == .merged || meeting.first == meeting.second
        let expected = merges ? meeting.outcome.rawValue : "refused"
        #expect(decided.outcomes.first?.kind.rawValue == expected)
        #expect(decided.writes.openedConflicts.isEmpty)
    }

    @Test func repeatGetsStoredOutcome() throws {
        let outcome = Outcome(
            changeID: "second", kind: .discarded, model: "Note", guid: guid(1), revision: 7)
        let facts = facts(
            after: .score(2), outcomes: ["second": StoredOutcome(outcome, of: "second")])
        let decided = try decide(change(.score(3)), given: facts, mode: .overwrite)
        #expect(decided.outcomes == [outcome])
        #expect(decided.writes.records.isEmpty && decided.writes.outcomes.isEmpty)
    }

    /// If the history was not loaded back to the base, the change counts as stale.
    @Test func withoutHistoryChangeIsStale() throws {
        let facts = facts(after: .score(2), knowsHistory: false)
        let decided = try decide(change(.title("b")), given: facts, mode: .merge)
        #expect(decided.outcomes.map(\.kind) == [.conflicted])
    }
}

// MARK: - Facts

extension DecisionTests {
    private func decide(_ meeting: Meeting, ifStaleRefused: Bool) throws -> DecidedBatch {
        try decide(
            change(meeting.second, ifStaleRefused: ifStaleRefused),
            given: facts(after: meeting.first), mode: meeting.mode)
    }

    private func decide(
        _ change: Change, given facts: Facts, mode: ConflictMode
    ) throws -> DecidedBatch {
        let author = Author(
            asker: asker("b"), deviceIdentifier: "b-phone", now: Instant(milliseconds: 2),
            limits: Limits())
        return try SyncEngine.decide(
            [change], given: facts, by: Rules(try checked(Documents.notes(mode))), author: author)
    }

    private func asker(_ login: String) -> Asker {
        Asker(
            login: login, group: "users", role: Role(group: "users", deviceCategory: "mobile"))
    }

    private func change(_ move: Meeting.Move, ifStaleRefused: Bool = false) -> Change {
        let (action, fields): (ChangeAction, [String: GivenValue]) =
            switch move {
            case .title(let title): (.update, ["title": .value(.text(title))])
            case .score(let score): (.update, ["score": .value(.integer(score))])
            case .deletion: (.delete, [:])
            }
        return Change(
            id: "second", action: action, model: "Note", guid: guid(1), baseRevision: 1,
            fields: fields, isRefusedIfStale: ifStaleRefused)
    }

    private func stored(after move: Meeting.Move) -> StoredRecord {
        var fields: [String: JSONValue] = ["title": "old", "score": 1]
        switch move {
        case .title(let title): fields["title"] = .string(title)
        case .score(let score): fields["score"] = .integer(score)
        case .deletion: break
        }
        return StoredRecord(
            guid: guid(1), model: "Note", owner: "a", group: "users", revision: 2,
            isDeleted: move == .deletion, isConflicted: false,
            fieldsText: JSONText.text(of: fields))
    }

    private func facts(
        after move: Meeting.Move, outcomes: [String: StoredOutcome] = [:],
        knowsHistory: Bool = true
    ) -> Facts {
        let replaced: [String: JSONValue] =
            switch move {
            case .title: ["title": "old"]
            case .score: ["score": 1]
            case .deletion: [:]
            }
        let entry = HistoryEntry(
            guid: guid(1), revision: 2, kind: move == .deletion ? .deleted : .updated,
            changeID: "first", login: "a", deviceCategory: "mobile", deviceIdentifier: "a-phone",
            at: Instant(milliseconds: 1), wasDeleted: false, fieldsText: JSONText.text(of: replaced)
        )
        return Facts(
            fingerprint: "", outcomes: outcomes, records: [guid(1): stored(after: move)],
            history: knowsHistory ? [guid(1): [entry]] : [:], openConflicts: [:], holders: [:],
            purgedGuids: [], unseenGraphs: [])
    }
}
