import AccessPolicy
import DefinitionModel
import Records
import SyncProtocol

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
        faults = model.map { faultsOfValues(of: change, in: $0) } ?? []
        start =
            change.action == .create && faults.isEmpty
            ? model.map { StartingFields(from: given, in: $0, by: author, under: rules) } : nil
    }
}

private func faultsOfValues(of change: Change, in model: ModelRules) -> [Cause] {
    switch change.action {
    case .create:
        (isGuid(change.guid) ? [] : [Cause(.change(.illegalGuid))])
            + model.validator.causes(of: change.fields, creating: true)
    case .update, .resolve: model.validator.causes(of: change.fields, creating: false)
    case .delete: change.fields.isEmpty ? [] : [Cause(.change(.unexpectedFields))]
    }
}

/// What a new record has.
struct StartingFields {
    let values: [String: JSONValue]
    /// The same as it is stored.
    let text: String

    /// What is given, and defaults for the rest. A null needs no right; so, from someone who may
    /// not set the field, it counts as left out.
    fileprivate init(
        from given: [String: JSONValue], in model: ModelRules, by author: Author,
        under rules: Rules
    ) {
        let asker = author.asker
        let own = Ownership(owner: asker.login, group: asker.group)
        let name = model.model.name
        let isCleared = rules.policy.allowsEveryField(
            of: name, to: .create, on: own, for: asker)
        var values =
            isCleared
            ? given
            : given.filter { field, value in
                value != .null || model.defaults[field] == nil
                    || rules.policy.decide(
                        Question(
                            asker: asker, operation: .create, subject: .field(field, of: name),
                            record: own)) == .allow
            }
        for (field, value) in model.defaults where values[field] == nil {
            values[field] = JSONValue(value)
        }
        self.values = values
        text = JSONText.text(ofValuesIn: values, by: model)
    }
}
