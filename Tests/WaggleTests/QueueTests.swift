import JSON
import SyncProtocol
import Testing

@testable import Waggle

/// Every pair of a waiting change and an edit of its record, with the resulting step.
@Suite("What was not sent becomes one change, and what may have been sent stays")
struct QueueTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let last: ChangeMessage.Action
        let edit: LocalEdit
        let unsent: QueueStep
        let sent: QueueStep

        var testDescription: String { "\(last), then \(edit)" }
    }

    private static let two: [String: JSONValue] = ["score": 2]
    private static let both: [String: JSONValue] = ["title": "old", "score": 2]

    private static let cases: [Case] = [
        Case(
            last: .create, edit: .update(two), unsent: .become(.create, both),
            sent: .append(.update, two)),
        Case(last: .create, edit: .remove, unsent: .takeBack, sent: .append(.delete, [:])),
        Case(
            last: .update, edit: .update(two), unsent: .become(.update, both),
            sent: .append(.update, two)),
        Case(
            last: .update, edit: .remove, unsent: .become(.delete, [:]),
            sent: .append(.delete, [:])),
        Case(
            last: .update, edit: .resolve(two), unsent: .become(.resolve, both),
            sent: .append(.resolve, two)),
        Case(last: .delete, edit: .remove, unsent: .nothing, sent: .nothing),
        Case(last: .delete, edit: .replace(two), unsent: .become(.update, two), sent: .tooLate),
        Case(last: .delete, edit: .replace([:]), unsent: .takeBack, sent: .tooLate),
        Case(
            last: .resolve, edit: .update(two), unsent: .become(.resolve, both),
            sent: .append(.update, two)),
        Case(
            last: .resolve, edit: .remove, unsent: .append(.delete, [:]),
            sent: .append(.delete, [:])),
    ]

    @Test(arguments: cases)
    func twoAreOneUntilItMayHaveBeenSent(_ given: Case) {
        var last = LocalChange(
            number: 1, id: "1", action: given.last, model: "Film", guid: "g",
            fields: given.last == .delete ? [:] : ["title": "old"])
        #expect(queued(given.edit, after: last) == given.unsent)
        last.state = .sent
        #expect(queued(given.edit, after: last) == given.sent)
        last.state = .refused
        #expect(queued(given.edit, after: last) == alone(given.edit))
    }

    private func alone(_ edit: LocalEdit) -> QueueStep {
        queued(edit, after: nil)
    }
}

@Suite("Changes go out with every creation before what refers to it")
struct SendingOrderTests {
    private func creation(_ number: Int64, _ guid: String, of parents: String...) -> LocalChange {
        let fields = parents.enumerated().map {
            ("parent\($0.offset)", JSONValue.string($0.element))
        }
        return LocalChange(
            number: number, id: "\(number)", action: .create, model: "Film", guid: guid,
            fields: Dictionary(uniqueKeysWithValues: fields))
    }

    private static let guids = (0..<6).map { "00000000-0000-4000-8000-00000000000\($0)" }

    private func order(_ changes: [LocalChange], sending count: Int? = nil) -> [Int64] {
        let creations = Dictionary(uniqueKeysWithValues: changes.map { ($0.guid, $0) })
        return inSendingOrder(Array(changes.prefix(count ?? changes.count))) { creations[$0] }
            .map(\.number)
    }

    @Test func parentsComeFirst() {
        let g = Self.guids
        let changes = [
            creation(1, g[1], of: g[2], g[3]), creation(2, g[2], of: g[3]), creation(3, g[3]),
            creation(4, g[4], of: g[1]),
        ]
        #expect(order(changes) == [3, 2, 1, 4])
        #expect(order(changes, sending: 1) == [3, 2, 1], "also those that would come later")
    }

    @Test func withoutRelationsTheyGoAsTheyWereMade() {
        #expect(order((1...5).map { creation(Int64($0), Self.guids[$0]) }) == [1, 2, 3, 4, 5])
    }

    @Test func circleEnds() {
        let g = Self.guids
        let changes = [creation(1, g[1], of: g[2]), creation(2, g[2], of: g[1])]
        #expect(Set(order(changes)) == [1, 2])
    }
}
