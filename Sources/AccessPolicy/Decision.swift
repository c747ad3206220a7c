package import DefinitionModel

/// The answer to a question. What nothing grants is denied.
package enum Decision: Hashable, Sendable {
    case allow
    case deny(Denial)
}

/// Why a question was denied, so that the refusal can name its rule.
package struct Denial: Hashable, Sendable {
    package let operation: Operation
    package let model: String
    /// Nil when the model's own rule decided, also where the question was about a field.
    package let field: String?
    /// The right that the role has, which does not reach this record. `NONE` where it has no
    /// credential or the name is unknown.
    package let granted: AccessLevel
    /// Where the rule stands that decided: the credential, or else the field or the model that has
    /// none for this role. An unknown field is placed at its model; an unknown model nowhere.
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
