package import AccessPolicy
package import DefinitionModel

/// The answer to an inquiry, with the rules that decide it.
package struct Explanation: Hashable, Sendable {
    package let inquiry: Inquiry
    package let isAllowed: Bool
    /// If allowed, every rule that had to allow it, in the order of evaluation; if denied, the rule
    /// that denied it.
    package let rules: [DecidingRule]
}

/// A rule that took part in a decision.
package struct DecidingRule: Hashable, Sendable {
    /// Nil for a rule of the model.
    package let field: String?
    package let operation: Operation
    package let level: AccessLevel
    /// Whether there is a credential. Without one, the missing credential is the rule.
    package let isWritten: Bool
    /// The place of the credential; without one, the place of the field or model.
    package let place: SourcePlace
}

/// Decides as the server does, and explains the decision. The inquiry must be about the same
/// definition.
package func explain(_ inquiry: Inquiry, in definition: Definition) -> Explanation {
    explain(inquiry, by: Policy(definition))
}

/// The same for many inquiries, which share the definition's policy.
package func explain(_ inquiry: Inquiry, by policy: Policy) -> Explanation {
    guard let denial = policy.denial(to: inquiry) else {
        let rules = inquiry.operations.flatMap { operation in
            inquiry.subjects.compactMap { policy.decidingRule(of: $0, inquiry, operation) }
        }
        return Explanation(inquiry: inquiry, isAllowed: true, rules: rules)
    }
    let subject = denial.field.map { Subject.field($0, of: denial.model) } ?? .model(denial.model)
    let rule = policy.decidingRule(of: subject, inquiry, denial.operation)
    return Explanation(inquiry: inquiry, isAllowed: false, rules: rule.map { [$0] } ?? [])
}

extension Policy {
    fileprivate func decidingRule(
        of subject: Subject, _ inquiry: Inquiry, _ operation: Operation
    ) -> DecidingRule? {
        guard let rule = rule(of: subject, for: inquiry.role) else { return nil }
        let field: String? =
            switch subject {
            case .model: nil
            case .field(let field, _): field
            }
        return DecidingRule(
            field: field, operation: operation, level: rule.level(for: operation),
            isWritten: rule.isWritten, place: rule.place)
    }
}
