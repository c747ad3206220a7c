import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON

/// A change with all that can be said of it before anything is read. Where the change is known by
/// then, that is said outside of the transaction: while it is decided in there, everybody else who
/// writes waits.
struct PreparedChange {
    let change: Change
    /// Nil for one that there is not.
    let model: ModelRules?
    /// What it gives to fields, as stored.
    let given: [String: JSONValue]
    /// What is wrong with it, whatever is stored.
    let faults: [Cause]
    /// Of a creation without faults, what its record starts with.
    let start: StartingFields?

    init(_ change: Change, by author: Author, under rules: Rules) {
        self.change = change
        let given = change.fields.mapValues(\.json)
        self.given = given
        model = rules.model(named: change.model).flatMap {
            $0.model.name.hasSameBytes(as: change.model) ? $0 : nil
        }
        faults = model.map { rules.book.faults(of: change, in: $0) } ?? []
        start =
            change.action == .create && faults.isEmpty
            ? model.map { StartingFields(of: $0, from: given, by: author.asker, under: rules.book) }
            : nil
    }
}

/// The values of a new record, and the same as they are stored.
struct StartingFields {
    let values: [String: JSONValue]
    let text: String

    fileprivate init(
        of model: ModelRules, from given: [String: JSONValue], by asker: Asker,
        under book: RuleBook
    ) {
        values = book.startingValues(from: given, of: model, by: asker)
        text = JSONText.text(ofValuesIn: values, by: model)
    }
}
