package import DefinitionModel

/// Who may do what, as a definition says. The same value decides on a device and on the server.
///
/// It is made once for a definition; a decision is then a few dictionary lookups and comparisons.
package struct Policy: Sendable {
    private let models: [NameKey: ModelPolicy]

    package init(_ definition: Definition) {
        let models = definition.models.map { (NameKey($0.name), ModelPolicy($0)) }
        self.models = Dictionary(models, uniquingKeysWith: { first, _ in first })
    }

    /// Decides one operation on one record or field of it. A whole change takes many questions;
    /// which ones is the engine's to know.
    package func decide(_ question: Question) -> Decision {
        let denial = firstRuleAgainst(question)
        return denial.map { .deny($0) } ?? .allow
    }

    /// What a role may read of a model's records: for pages of records, where a question for each
    /// field of each would be too slow. It always agrees with `decide`.
    ///
    /// An unknown model or role sees nothing.
    package func sight(of model: String, for role: Role) -> Sight {
        models[NameKey(model)]?.sights[RoleKey(role)] ?? .nothing
    }

    /// Whether `decide` would allow an operation on a record and on every field of its model: one
    /// question for a change of many fields. False says only that each has to be asked about.
    package func allowsEveryField(
        of model: String, to operation: Operation, on record: Ownership, for asker: Asker
    ) -> Bool {
        let clearance = models[NameKey(model)]?.clearances[RoleKey(asker.role)] ?? .nothing
        return clearance.clears(operation, at: Standing(of: asker, to: record))
    }

    /// What a role may do with records or a field by the subject's own rule alone, be it a
    /// credential or the lack of one; nil for a name that the definition has not. To explain a
    /// decision, never to make one: that of a field needs the model's rule too.
    package func rule(of subject: Subject, for role: Role) -> Rule? {
        switch subject {
        case .model(let model): models[NameKey(model)]?.rules.rule(for: role)
        case .field(let field, let model):
            models[NameKey(model)]?.fields[NameKey(field)]?.rule(for: role)
        }
    }

    private func firstRuleAgainst(_ question: Question) -> Denial? {
        switch question.subject {
        case .model(let model):
            denial(to: question, model: model, field: nil)
        case .field(let field, let model):
            denial(to: question, model: model, field: nil)
                ?? denial(to: question, model: model, field: field)
        }
    }

    private func denial(to question: Question, model: String, field: String?) -> Denial? {
        let subject = field.map { Subject.field($0, of: model) } ?? .model(model)
        let rule = rule(of: subject, for: question.asker.role)
        let granted = rule?.level(for: question.operation) ?? .none
        let standing = Standing(of: question.asker, to: question.record)
        guard !granted.reaches(standing) else { return nil }
        return Denial(
            operation: question.operation, model: model, field: field, granted: granted,
            place: rule?.place ?? models[NameKey(model)]?.rules.place)
    }
}
