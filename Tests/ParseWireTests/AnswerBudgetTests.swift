import ChangeRules
import JSON
import SyncEngine
import Testing

@testable import ParseWire
@testable import RecordSearch

@Suite("A request finds no more than its budget")
struct AnswerBudgetTests {
    @Test func findsAreCounted() async throws {
        let budget = AnswerBudget()
        for _ in 0..<AnswerBudget.mostFinds { try await budget.begin() }
        await #expect(throws: ParseFailure.self) { try await budget.begin() }
    }

    @Test func bytesAreCounted() async throws {
        let budget = AnswerBudget()
        let text = String(repeating: "x", count: AnswerBudget.mostBytes / 2)
        for _ in 0..<2 {
            try await budget.begin()
            #expect(await budget.take(.note(text)) > AnswerBudget.mostBytes / 2)
        }
        await #expect(throws: ParseFailure.self) { try await budget.begin() }
    }
}

extension FindPage {
    /// A page with one note.
    fileprivate static func note(_ text: String) -> FindPage {
        let record = RecordView(
            model: "Note", guid: knownGuid, revision: 1, owner: "a", group: "users",
            isDeleted: false, isConflicted: false, fields: ["text": .string(text)])
        let now = Instant(milliseconds: 0)
        return FindPage(
            found: [FoundView(record: record, id: knownGuid, createdAt: now, changedAt: now)],
            hasMore: false, cursor: nil, count: nil)
    }
}
