package import ChangeRules
package import DefinitionModel
package import JSON

/// Counts stored records that a new definition would hide, or that break its rules, and keeps the
/// guids of the first ones.
package struct RecordCensus: Sendable {
    /// By the name of the model in the old definition.
    private let questions: [String: ModelQuestions]
    private let fills: FillRules
    /// The names that the models of the old definition have in the new one.
    private let newNames: [String: String]
    private var found: [CountedDifference: ConcernedRecords] = [:]
    private var filled: [CountedDifference: Int] = [:]
    private var uniqueValues = UniqueValues()
    /// The records that fill rules name and that were not met yet, with their model.
    private var unmet: [String: String]

    /// The guids that are kept of each difference.
    package static let mostExamples = 5

    /// - Parameter fills: The rules of the deployment. Records to which they give a value are
    ///   counted separately.
    package init(from old: Definition, to new: Definition, filling fills: FillRules = .none) {
        let pairs = DefinitionPairs(old, new)
        self.fills = fills
        unmet = fills.namedRecords
        newNames = Dictionary(
            old.models.map { ($0.name, pairs.newName(ofModel: $0.name)) },
            uniquingKeysWith: { first, _ in first })
        var questions: [String: ModelQuestions] = [:]
        for model in pairs.removedModels {
            questions[model.name] = ModelQuestions(always: [
                CountedDifference(kind: .modelRemoved, model: model.name, field: nil)
            ])
        }
        for pair in pairs.models {
            guard let old = pair.old else {
                // Its records may be stored under an earlier name.
                let known = Set(pairs.old.models.map(\.name))
                for name in [pair.new.name] + pair.new.renamedFrom where !known.contains(name) {
                    questions[name] = Self.questions(ofAdded: pair.new)
                }
                continue
            }
            let fields = Self.questions(of: pair, in: pairs)
            if !fields.isEmpty {
                questions[old.name] = ModelQuestions(fields: fields, newNames: pair.newFieldNames)
            }
        }
        for (old, new) in pairs.mergedModels {
            questions[old.name] = ModelQuestions(always: [
                CountedDifference(kind: .modelMerged, model: new.name, field: nil)
            ])
        }
        self.questions = questions
    }

    /// Looks at a record that is not deleted.
    ///
    /// - Parameters:
    ///   - guid: An example, if a difference concerns it.
    ///   - model: Its name in the old definition.
    ///   - fields: The stored values, without nulls or with them.
    package mutating func add(_ guid: String, model: String, fields: [String: JSONValue]) {
        if let expected = unmet[guid], newNames[model] ?? model == expected { unmet[guid] = nil }
        guard let questions = questions[model] else { return }
        for concern in questions.always { found[concern, default: ConcernedRecords()].add(guid) }
        // A record that breaks two limits of a field is one.
        var met: Set<CountedDifference> = []
        for question in questions.fields where question.isMet(by: fields) {
            met.insert(question.concern)
        }
        let unique = questions.model.map { fills.uniqueFields(ofModel: $0) } ?? []
        guard !met.isEmpty || !unique.isEmpty else { return }
        let renamed = questions.renamed(fields)
        var unfilled: Set<CountedDifference> = []
        for concern in met {
            if let value = concern.value(by: fills, from: renamed), give(value, by: concern, unique)
            {
                filled[concern, default: 0] += 1
            } else {
                unfilled.insert(questions.ofModel ?? concern)
            }
        }
        for concern in unfilled { found[concern, default: ConcernedRecords()].add(guid) }
        for field in unique where !met.contains(where: { $0.field == field.name }) {
            hold(renamed[field.name], in: field, questions)
        }
    }

    /// Returns false if the field is unique, and another record has the value or gets it.
    private mutating func give(
        _ value: FieldValue, by concern: CountedDifference, _ unique: [Field]
    ) -> Bool {
        guard unique.contains(where: { $0.name == concern.field }) else { return true }
        return uniqueValues.give(value, by: concern)
    }

    /// A record that was to get the value, and was met before, gets none.
    private mutating func hold(_ value: JSONValue?, in field: Field, _ questions: ModelQuestions) {
        guard let model = questions.model, let value,
            let stored = FieldValue(value, of: field.type.name),
            let concern = uniqueValues.hold(stored, in: field.name, of: model)
        else { return }
        filled[concern, default: 0] -= 1
        found[questions.ofModel ?? concern, default: ConcernedRecords()].addUnnamed()
    }

    /// The fields that records get values in, with the number of records, by model and field.
    package var filledFields: [FilledField] {
        var counts: [FilledField] = []
        for (concern, records) in filled where records > 0 {
            guard let model = concern.model, let field = concern.field else { continue }
            counts.append(FilledField(model: model, field: field, records: records))
        }
        return counts.sorted { ($0.model, $0.field) < ($1.model, $1.field) }
    }

    /// The guids of records that fill rules name and that are not there.
    package var missingRecords: Set<String> { Set(unmet.keys) }

    /// Whether a new field that clients cannot know gets a value in the records that they create.
    func isFilled(_ difference: Difference) -> Bool {
        guard difference.kind == .fieldAdded, let model = difference.model,
            let field = difference.field
        else { return false }
        return fills.fields(ofModel: model).contains(field)
    }

    /// The records that a difference concerns.
    package func records(concernedBy difference: Difference) -> ConcernedRecords {
        records(of: difference.kind, difference)
    }

    /// The records whose stored values come back with an added field, and break its limits.
    func returning(with difference: Difference) -> ConcernedRecords {
        guard difference.kind == .fieldAdded else { return ConcernedRecords() }
        return records(of: .limitTightened, difference)
    }

    private func records(of kind: Difference.Kind, _ difference: Difference) -> ConcernedRecords {
        found[CountedDifference(kind: kind, model: difference.model, field: difference.field)]
            ?? ConcernedRecords()
    }
}

/// The number of records to which a fill rule gives a value.
package struct FilledField: Hashable, Sendable {
    package let model: String
    package let field: String
    package let records: Int
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

    fileprivate mutating func addUnnamed() { count += 1 }
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
                    ?? questions(ofAdded: field.new, of: model, called: pair.names(of: field.new))
            }
    }

    /// Values that are stored since an earlier version had the field come back, also under a new
    /// name.
    ///
    /// - Parameter names: The names under which values may be stored.
    private static func questions(
        ofAdded field: Field, of model: String, called names: [String]
    ) -> [FieldQuestion] {
        var questions = [
            FieldQuestion(
                field.name, .breaksLimits(of: field.type), .limitTightened, model, field.name)
        ]
        if field.isRequired {
            questions.append(FieldQuestion(field.name, .hasNone, .fieldAdded, model, field.name))
        }
        return questions.map { $0.looking(into: names) }
    }

    /// Records that are stored since an earlier version had the model come back.
    private static func questions(ofAdded model: Model) -> ModelQuestions {
        ModelQuestions(
            ofModel: CountedDifference(kind: .modelAdded, model: model.name, field: nil),
            fields: model.fields.flatMap {
                questions(ofAdded: $0, of: model.name, called: [$0.name] + $0.renamedFrom)
            })
    }

    private static func questions(
        from old: Field, to new: Field, of model: String, in pairs: DefinitionPairs
    ) -> [FieldQuestion] {
        var questions: [FieldQuestion] = []
        if new.isRequired, !old.isRequired {
            questions.append(
                FieldQuestion(old.name, .hasNone, .becameRequired, model, new.name))
        }
        guard old.type.name == new.type.name || old.type.name.widens(to: new.type.name) else {
            return questions
        }
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
private struct CountedDifference: Hashable, Sendable {
    let kind: Difference.Kind
    let model: String?
    let field: String?

    private static let fillable: Set<Difference.Kind> = [
        .fieldAdded, .becameRequired, .limitTightened,
    ]

    /// - Parameter fields: The values of a record, by the names of the new definition.
    func value(by fills: FillRules, from fields: [String: JSONValue]) -> FieldValue? {
        guard let model, let field, Self.fillable.contains(kind) else { return nil }
        return fills.value(of: field, ofModel: model, from: fields)
    }
}

/// The values of unique fields that have rules, by their hashes: a census has met them in records,
/// or rules give them. At most one record can have each.
private struct UniqueValues: Sendable {
    private var held: Set<Int> = []
    private var given: [Int: Difference.Kind] = [:]

    /// Returns false if the value is another record's.
    mutating func give(_ value: FieldValue, by concern: CountedDifference) -> Bool {
        let hash = hash(of: value, concern.model, concern.field)
        guard !held.contains(hash), given[hash] == nil else { return false }
        given[hash] = concern.kind
        return true
    }

    /// Returns the difference for which a record was to get the value.
    mutating func hold(
        _ value: FieldValue, in field: String, of model: String
    ) -> CountedDifference? {
        let hash = hash(of: value, model, field)
        held.insert(hash)
        return given.removeValue(forKey: hash).map {
            CountedDifference(kind: $0, model: model, field: field)
        }
    }

    private func hash(of value: FieldValue, _ model: String?, _ field: String?) -> Int {
        var hasher = Hasher()
        hasher.combine(model)
        hasher.combine(field)
        hasher.combine(value.canonicalText.map { Array($0.utf8) })
        return hasher.finalize()
    }
}

/// The properties that are counted in the records of a model.
private struct ModelQuestions: Sendable {
    /// Counted for each record.
    var always: [CountedDifference] = []
    /// In the place of the concern of a field, if a difference of the whole model is meant.
    var ofModel: CountedDifference?
    var fields: [FieldQuestion] = []
    /// By the old name of a field.
    var newNames: [String: String] = [:]

    /// The name of the model in the new definition; nil if no field is looked at.
    var model: String? { fields.first?.concern.model }

    func renamed(_ fields: [String: JSONValue]) -> [String: JSONValue] {
        Dictionary(
            fields.map { (newNames[$0] ?? $0, $1) }, uniquingKeysWith: { first, _ in first })
    }
}

extension ModelPair {
    fileprivate var newFieldNames: [String: String] {
        let kept = fields.compactMap { pair in pair.old.map { ($0.name, pair.new.name) } }
        let added = fields.filter { $0.old == nil }.flatMap { pair in
            names(of: pair.new).map { ($0, pair.new.name) }
        }
        return Dictionary(kept + added, uniquingKeysWith: { first, _ in first })
    }

    /// The names under which values of an added field may be stored: its own, and earlier ones of
    /// fields that the old model has left out.
    fileprivate func names(of added: Field) -> [String] {
        let present = Set((old?.fields ?? []).map(\.name))
        return [added.name] + added.renamedFrom.filter { !present.contains($0) }
    }
}

private struct FieldQuestion: Sendable {
    enum Condition: Sendable {
        case hasValue
        /// Another field has one too: only one of them can be kept.
        case hasValueToo(inField: String)
        case hasNone
        case breaksLimits(of: FieldType)
    }

    /// The names under which values are stored. The first one with a value counts.
    private(set) var names: [String]
    let condition: Condition
    let concern: CountedDifference

    init(
        _ field: String, _ condition: Condition, _ kind: Difference.Kind, _ model: String,
        _ name: String
    ) {
        names = [field]
        self.condition = condition
        concern = CountedDifference(kind: kind, model: model, field: name)
    }
}

extension FieldQuestion {
    fileprivate func looking(into names: [String]) -> FieldQuestion {
        var question = self
        question.names = names
        return question
    }

    fileprivate func isMet(by fields: [String: JSONValue]) -> Bool {
        let value = names.lazy.compactMap { fields[$0] }.first { $0 != .null }
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
