import AccessPolicy
package import DefinitionModel

/// The rights of every role on every model and field of a definition.
package struct RightsMatrix: Hashable, Sendable {
    package let application: String
    package let vendor: String
    package let digest: String
    package let roles: [Role]
    package let models: [ModelRights]

    package init(_ definition: Definition) {
        let policy = Policy(definition)
        application = definition.application
        vendor = definition.vendor
        digest = definition.digest
        roles = definition.roles
        models = definition.models.map { ModelRights($0, roles: definition.roles, by: policy) }
    }
}

/// The rights on a model's records and on each of its fields.
package struct ModelRights: Hashable, Sendable {
    package let model: Model
    /// In the order of the matrix's roles.
    package let rights: [RoleRights]
    package let fields: [FieldRights]

    init(_ model: Model, roles: [Role], by policy: Policy) {
        self.model = model
        rights = roles.map { RoleRights($0, field: nil, of: model.name, by: policy) }
        fields = model.fields.map { FieldRights($0, of: model.name, roles: roles, by: policy) }
    }
}

/// The rights on one field.
package struct FieldRights: Hashable, Sendable {
    package let field: Field
    /// In the order of the matrix's roles.
    package let rights: [RoleRights]

    init(_ field: Field, of model: String, roles: [Role], by policy: Policy) {
        self.field = field
        rights = roles.map { RoleRights($0, field: field.name, of: model, by: policy) }
    }
}

/// The rights of one role on one model's records, or on one field.
package struct RoleRights: Hashable, Sendable {
    package let role: Role
    /// The place of the credential; nil without one, which grants no rights.
    package let place: SourcePlace?
    /// In the order of `Operation`; for a field, the first three only.
    package let rights: [Right]

    init(_ role: Role, field: String?, of model: String, by policy: Policy) {
        let rule = policy.rule(
            of: field.map { .field($0, of: model) } ?? .model(model), for: role)
        self.role = role
        place = rule.flatMap { $0.isWritten ? $0.place : nil }
        rights = (field == nil ? Operation.allCases : Operation.ofFields).map { operation in
            Right(
                operation: operation, written: rule?.level(for: operation) ?? .none,
                reach: policy.reach(of: role, to: operation, field: field, of: model))
        }
    }
}

/// A right as written, with its effective reach.
package struct Right: Hashable, Sendable {
    package let operation: Operation
    /// The level in the credential of the model or field itself.
    package let written: AccessLevel
    /// The effective reach. A right on a field reaches no further than the same right on its
    /// record, and a right to resolve conflicts no further than the right to update.
    package let reach: Reach

    /// Whether other rules limit the written level.
    package var isLimited: Bool { reach.rawValue != written.rawValue }
}
