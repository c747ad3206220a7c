package import DefinitionModel

/// The answer to a question. Access is denied by default.
package enum Decision: Hashable, Sendable {
    case allow
    case deny(Denial)
}

/// The reason for a denial, with the rule that caused it.
package struct Denial: Hashable, Sendable {
    package let operation: Operation
    package let model: String
    /// Nil if the model's rule decided, even for a question about a field.
    package let field: String?
    /// The right of the role, which does not cover this record; `NONE` without a credential or for
    /// an unknown name.
    package let granted: AccessLevel
    /// The position of the rule: the credential, or else the field or model without a credential
    /// for this role. For an unknown field, the position of its model; nil for an unknown model.
    package let place: SourcePlace?

    package init(
        operation: Operation, model: String, field: String?, granted: AccessLevel,
        place: SourcePlace?
    ) {
        self.operation = operation
        self.model = model
        self.field = field
        self.granted = granted
        self.place = place
    }
}
