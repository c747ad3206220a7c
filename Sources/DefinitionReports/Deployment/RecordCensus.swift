import ChangeRules
package import DefinitionModel
package import JSON

/// Counts stored records that a new definition would hide, or that break its rules, and keeps the
/// guids of the first ones.
package struct RecordCensus: Sendable {
    /// By the name of the model in the old definition.
    private let questions: [String: ModelQuestions]
    private var found: [Concern: ConcernedRecords] = [:]

    /// The guids that are kept of each difference.
    package static let mostExamples = 5

    package init(from old: Definition, to new: Definition) {
        let pairs = DefinitionPairs(old, new)
        var questions: [String: ModelQuestions] = [:]
        for model in pairs.removedModels {
            questions[model.name] = ModelQuestions(always: [
                Concern(kind: .modelRemoved, model: model.name, field: nil)
            ])
        }
        for pair in pairs.models {
            guard let old = pair.old else { continue }
            let fields = Self.questions(of: pair, in: pairs)
            if !fields.isEmpty { questions[old.name] = ModelQuestions(fields: fields) }
        }
        for (old, new) in pairs.mergedModels {
            questions[old.name] = ModelQuestions(always: [
                Concern(kind: .modelMerged, model: new.name, field: nil)
            ])
        }
        self.questions = questions
    }

    /// Whether any record has to be looked at.
    package var needsRecords: Bool { !questions.isEmpty }

    /// Looks at a record that is not deleted.
    ///
    /// - Parameters:
    ///   - guid: An example, if a difference concerns it.
    ///   - model: Its name in the old definition.
    ///   - fields: The stored values, without nulls or with them.
    package mutating func add(_ guid: String, model: String, fields: [String: JSONValue]) {
        guard let questions = questions[model] else { return }
        for concern in questions.always { found[concern, default: ConcernedRecords()].add(guid) }
        // A record that breaks two limits of a field is one.
        var met: Set<Concern> = []
        for question in questions.fields where question.isMet(by: fields) {
            met.insert(question.concern)
        }
        for concern in met { found[concern, default: ConcernedRecords()].add(guid) }
    }

    /// The records that a difference concerns.
    package func records(concernedBy difference: Difference) -> ConcernedRecords {
        let concern = Concern(
            kind: difference.kind, model: difference.model, field: difference.field)
        return found[concern] ?? ConcernedRecords()
    }
}

/// The records that a difference concerns.
package struct ConcernedRecords: Hashable, Sendable {
    package private(set) var count = 0
    /// The guids of those that were counted first, at most `RecordCensus.mostExamples`.
    package private(set) var examples: [String] = []

    fileprivate mutating func add(_ guid: String) {
        count += 1
        if examples.count < RecordCensus.mostExamples { examples.append(guid) }
    }
}

// MARK: - Questions

extension RecordCensus {
    private static func questions(
        of pair: ModelPair, in pairs: DefinitionPairs
    ) -> [FieldQuestion] {
        let model = pair.new.name
        let ofRemoved = pair.removedFields.map {
            FieldQuestion($0.name, .hasValue, .fieldRemoved, model, $0.name)
        }
        let ofMerged = pair.mergedFields.map { old, new in
            let other = pair.fields.first { $0.new.name == new.name }?.old?.name ?? new.name
            return FieldQuestion(
                old.name, .hasValueToo(inField: other), .fieldMerged, model, new.name)
        }
        return ofRemoved + ofMerged
            + pair.fields.flatMap { field in
                field.old.map { questions(from: $0, to: field.new, of: model, in: pairs) }
                    ?? (field.new.isRequired
                        ? [FieldQuestion(nil, .hasNone, .fieldAdded, model, field.new.name)] : [])
            }
    }

    private static func questions(
        from old: Field, to new: Field, of model: String, in pairs: DefinitionPairs
    ) -> [FieldQuestion] {
        var questions: [FieldQuestion] = []
        if new.isRequired, !old.isRequired {
            questions.append(
                FieldQuestion(old.name, .hasNone, .becameRequired, model, new.name))
        }
        guard old.type.name == new.type.name else { return questions }
        if limitChanges(from: old.type, to: new.type).contains(where: \.isTighter) {
            questions.append(
                FieldQuestion(
                    old.name, .breaksLimits(of: new.type), .limitTightened, model, new.name))
        }
        if let before = old.relation, let now = new.relation,
            pairs.newName(ofModel: before.model) != now.model
        {
            questions.append(
                FieldQuestion(old.name, .hasValue, .relationTargetChanged, model, new.name))
        }
        return questions
    }
}

/// A difference, as far as records are counted for it.
private struct Concern: Hashable, Sendable {
    let kind: Difference.Kind
    let model: String?
    let field: String?
}

/// The properties that are counted in the records of a model.
private struct ModelQuestions: Sendable {
    /// Counted for each record.
    var always: [Concern] = []
    var fields: [FieldQuestion] = []
}

private struct FieldQuestion: Sendable {
    enum Condition: Sendable {
        case hasValue
        /// Another field has one too: only one of them can be kept.
        case hasValueToo(inField: String)
        case hasNone
        case breaksLimits(of: FieldType)
    }

    /// Nil for a field that is new.
    let field: String?
    let condition: Condition
    let concern: Concern

    init(
        _ field: String?, _ condition: Condition, _ kind: Difference.Kind, _ model: String,
        _ name: String
    ) {
        self.field = field
        self.condition = condition
        concern = Concern(kind: kind, model: model, field: name)
    }
}

extension FieldQuestion {
    fileprivate func isMet(by fields: [String: JSONValue]) -> Bool {
        let value = field.flatMap { fields[$0] }.flatMap { $0 == .null ? nil : $0 }
        switch condition {
        case .hasValue: return value != nil
        case .hasValueToo(let other):
            let otherValue = fields[other].flatMap { $0 == .null ? nil : $0 }
            return value != nil && otherValue != nil
        case .hasNone: return value == nil
        case .breaksLimits(let type):
            guard let value else { return false }
            // A value of an earlier type is refused by the deployment itself.
            guard let stored = FieldValue(value, of: type.name) else { return false }
            return !type.violations(of: stored).isEmpty
        }
    }
}
