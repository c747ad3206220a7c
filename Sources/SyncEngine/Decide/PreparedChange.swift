import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// A change, checked as far as possible before anything is read. If the change is known by then,
/// these checks run outside the transaction, during which all other writers wait.
struct PreparedChange {
    let change: Change
    /// Nil for an unknown model.
    let model: ModelRules?
    /// The values that the change sets, as stored.
    let given: [String: JSONValue]
    /// Faults that do not depend on stored data.
    let faults: [Cause]
    /// The initial fields of the record; nil unless the change is a creation without faults.
    let start: StartingFields?

    /// `patternSteps` receives the steps for matching patterns in addition to what it has.
    init(
        _ change: Change, by author: Author, under rules: Rules, patternSteps: inout Int
    ) {
        self.change = change
        let model = rules.model(named: change.model).flatMap {
            $0.model.name.hasSameBytes(as: change.model) ? $0 : nil
        }
        let given =
            model?.storedValues(of: change.values) ?? change.values.mapValues(\.json)
        self.given = given
        self.model = model
        faults =
            model.map {
                change.faults(
                    in: $0, naming: author.naming, rules.book, patternSteps: &patternSteps)
            } ?? []
        start =
            change.action == .create && faults.isEmpty
            ? model.map {
                StartingFields(of: change, given, in: $0, by: author.asker, under: rules.book)
            } : nil
    }
}

extension Change {
    /// A creation with an opaque id must have the guid that the id stands for.
    fileprivate func faults(
        in model: ModelRules, naming: RecordNaming?, _ book: RuleBook, patternSteps: inout Int
    ) -> [Cause] {
        var faults = book.faults(of: self, in: model, patternSteps: &patternSteps)
        if isOfDeleted { faults.removeAll(where: \.isOfLimits) }
        if isOfWholeRecord { faults.removeAll { model.isBearable($0, in: self) } }
        guard let name, naming?.guids(of: name, in: self.model).contains(guid) != true else {
            return faults
        }
        return faults + [Cause(.change(.illegalGuid))]
    }
}

extension Cause {
    /// Whether a value breaks a limit, or a required one is missing.
    fileprivate var isOfLimits: Bool {
        switch reason {
        case .empty, .limit: true
        case .wrongType, .notFound, .notUnique, .fileNotYours, .notGranted, .unknownModel,
            .unknownField, .change, .recorded:
            false
        }
    }
}

extension ModelRules {
    /// Whether a cause is the length of a text that some original clients allow, because the
    /// definition sets none: the iOS and Windows Phone clients took 4,096, the others 255.
    fileprivate func isBearable(_ cause: Cause, in change: Change) -> Bool {
        guard case .limit(.tooLong) = cause.reason, let name = cause.field,
            let field = field(named: name), case .text(let limits) = field.type,
            limits.pattern == nil, limits.format == nil,
            !field.writtenOptions.contains(where: { $0.name == "maxLength" }),
            case .value(.text(let text)) = change.fields[name]
        else { return false }
        return text.utf16.count <= TextLimits.greatestOriginalMaxLength
    }
}

/// The values of a new record, with their stored text.
struct StartingFields {
    let values: [String: JSONValue]
    let text: String

    fileprivate init(
        of change: Change, _ given: [String: JSONValue], in model: ModelRules, by asker: Asker,
        under book: RuleBook
    ) {
        let started = book.startingValues(from: given, of: model, by: asker)
        values = change.isOfDeleted && model.lacksValue(in: started) ? [:] : started
        text = JSONText.text(ofValuesIn: values, by: model)
    }
}
