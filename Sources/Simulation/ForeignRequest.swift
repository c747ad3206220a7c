import ChangeRules
import SyncEngine
import SyncProtocol

/// A request of a client of another wire: questions about records, and changes that are parts of
/// them. All of it is done, or nothing. A repeat has the same number and questions, and may have
/// other parts.
package struct ForeignRequest: Hashable, Sendable {
    package let number: Int
    package let questions: [ForeignQuestion]

    package init(number: Int, questions: [ForeignQuestion]) {
        self.number = number
        self.questions = questions
    }

    /// Identifies a device that makes this request only.
    var deviceIdentifier: String { "foreign-request-\(number)" }

    /// Each question, followed by its parts.
    func changes(under rules: Rules) -> [Change] {
        questions.enumerated().flatMap { place, question in
            question.changes(named: "\(deviceIdentifier)-\(place)", under: rules)
        }
    }

    /// The outcomes of the questions, among those of all changes.
    func answers(among outcomes: [Outcome]) -> [Outcome] {
        var answers: [Outcome] = []
        var rest = outcomes[...]
        for question in questions {
            answers += rest.prefix(1)
            rest = rest.dropFirst(1 + question.parts.count)
        }
        return answers
    }
}

/// A change that only asks for a record, and the changes that are parts of it.
package struct ForeignQuestion: Hashable, Sendable {
    package let guid: String
    package let model: String
    /// The revision of the record that is asked for; nil for any.
    package let base: Int64?
    package let parts: [Draft]

    package init(guid: String, model: String, base: Int64? = nil, parts: [Draft] = []) {
        self.guid = guid
        self.model = model
        self.base = base
        self.parts = parts
    }

    func with(_ parts: [Draft]) -> ForeignQuestion {
        ForeignQuestion(guid: guid, model: model, base: base, parts: parts)
    }

    fileprivate func changes(named id: String, under rules: Rules) -> [Change] {
        let question = Change(
            id: id, action: .update, model: model, guid: guid, baseRevision: base, fields: [:],
            isRefusedIfStale: base != nil, followsPresent: base == nil, onlyAsks: true)
        return [question]
            + parts.enumerated().map { place, part in
                part.change(
                    named: "\(id)-\(place)-\(part.action)-\(part.guid)", partOf: id, under: rules)
            }
    }
}

extension Draft {
    fileprivate func change(named id: String, partOf whole: String, under rules: Rules) -> Change {
        Change(
            id: id, action: ChangeAction(action), model: model, guid: guid, baseRevision: nil,
            fields: rules.book.values(fields, of: model), followsPresent: action != .create,
            partOf: whole)
    }

    /// The creation of a record that another service has deleted, and its deletion.
    func changesOfDeletedRow(under rules: Rules) -> [Change] {
        [ChangeAction.create, .delete].map { action in
            Change(
                id: "foreign-row-\(guid)-\(action)", action: action, model: model, guid: guid,
                baseRevision: nil,
                fields: action == .create ? rules.book.values(fields, of: model) : [:],
                isOfDeleted: action == .create)
        }
    }
}
