import AccessPolicy
package import DefinitionModel

/// What every role may do with every model and field of a definition.
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

/// The rights to a model's records and to each of their fields.
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

/// The rights to one field.
package struct FieldRights: Hashable, Sendable {
    package let field: Field
    /// In the order of the matrix's roles.
    package let rights: [RoleRights]

    init(_ field: Field, of model: String, roles: [Role], by policy: Policy) {
        self.field = field
        rights = roles.map { RoleRights($0, field: field.name, of: model, by: policy) }
    }
}

/// What one role may do with one model's records, or with one field.
package struct RoleRights: Hashable, Sendable {
    package let role: Role
    /// Of the credential; nil when there is none, and so no right.
    package let place: SourcePlace?
    /// In the order of `Operation`, of a field only the first three.
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

/// A right as it is written, and as it is.
package struct Right: Hashable, Sendable {
    package let operation: Operation
    /// The level in the rule of the model or the field itself.
    package let written: AccessLevel
    /// How far it reaches: a right to a field no further than the same right to its record, and one
    /// to resolve conflicts no further than the one to update.
    package let reach: Reach

    /// Whether another rule keeps it from what is written.
    package var isLimited: Bool { reach.rawValue != written.rawValue }
}
