package import DefinitionModel

/// The access rights of a definition. Devices and servers use the same policy.
///
/// A policy is created once per definition. A decision then takes a few dictionary lookups and
/// comparisons.
package struct Policy: Sendable {
    private let models: [ByteKey: ModelPolicy]

    package init(_ definition: Definition) {
        let models = definition.models.map { (ByteKey($0.name), ModelPolicy($0)) }
        self.models = Dictionary(models, uniquingKeysWith: { first, _ in first })
    }

    /// Decides one operation on a record or a field. The caller combines the questions that a whole
    /// change needs.
    package func decide(_ question: Question) -> Decision {
        let denial = firstRuleAgainst(question)
        return denial.map { .deny($0) } ?? .allow
    }

    /// The read access of a role to the records of a model. It always agrees with `decide`, and is
    /// fast enough for pages of records.
    ///
    /// An unknown model or role has no access.
    package func readPolicy(of model: String, for role: Role) -> ReadPolicy {
        guard let model = models[ByteKey(model)] else { return .nothing }
        return role.isOperator ? .everything : model.readPolicies[RoleKey(role)] ?? .nothing
    }

    /// Whether `decide` allows an operation on a record and on every field of its model. False
    /// means only that each field has to be checked.
    package func allowsEveryField(
        of model: String, to operation: Operation, on record: Ownership, for asker: Asker
    ) -> Bool {
        guard let model = models[ByteKey(model)] else { return false }
        if asker.role.isOperator { return true }
        let mask = model.masks[RoleKey(asker.role)] ?? .nothing
        return mask.allows(operation, at: Relationship(of: asker, to: record))
    }

    /// The rule of a model or field for a role, with or without a credential; nil for unknown
    /// names. For explaining a decision only: a decision about a field depends on the model's rule
    /// too.
    package func rule(of subject: Subject, for role: Role) -> Rule? {
        switch subject {
        case .model(let model): models[ByteKey(model)]?.rules.rule(for: role)
        case .field(let field, let model):
            models[ByteKey(model)]?.fields[ByteKey(field)]?.rule(for: role)
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
        if question.asker.role.isOperator, models[ByteKey(model)] != nil { return nil }
        let subject = field.map { Subject.field($0, of: model) } ?? .model(model)
        let rule = rule(of: subject, for: question.asker.role)
        let granted = rule?.level(for: question.operation) ?? .none
        let relationship = Relationship(of: question.asker, to: question.record)
        guard !granted.reaches(relationship) else { return nil }
        return Denial(
            operation: question.operation, model: model, field: field, granted: granted,
            place: rule?.place ?? models[ByteKey(model)]?.rules.place)
    }
}
