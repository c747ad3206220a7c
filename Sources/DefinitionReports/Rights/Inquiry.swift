package import DefinitionModel

/// The question whether a role may perform an operation on a record, or on one of its fields. All
/// names are known to the definition.
package struct Inquiry: Hashable, Sendable {
    package let role: Role
    package let model: String
    /// Nil for the record as a whole.
    package let field: String?
    package let operation: Operation
    package let owner: RecordOwner

    /// For names that come from the definition itself.
    init(role: Role, model: String, field: String?, operation: Operation, owner: RecordOwner) {
        self.role = role
        self.model = model
        self.field = field
        self.operation = operation
        self.owner = owner
    }

    /// For names from input. Only `Operation.ofFields` apply to fields.
    package init(
        role: String, model: String, field: String?, operation: Operation, owner: RecordOwner,
        in definition: Definition
    ) throws(UnknownName) {
        guard let knownRole = definition.roles.first(where: { $0.name == role }) else {
            throw UnknownName(.role, role, known: definition.roles.map(\.name))
        }
        guard let knownModel = definition.models.first(where: { $0.name == model }) else {
            throw UnknownName(.model, model, known: definition.models.map(\.name))
        }
        if let field, !knownModel.fields.contains(where: { $0.name == field }) {
            throw UnknownName(.field(of: model), field, known: knownModel.fields.map(\.name))
        }
        self.init(
            role: knownRole, model: model, field: field, operation: operation, owner: owner)
    }
}

/// A name that the definition does not contain.
package struct UnknownName: Error, Hashable {
    package enum Kind: Hashable, Sendable {
        case role, model
        case field(of: String)
    }

    package let kind: Kind
    package let name: String
    /// The known names.
    package let known: [String]

    init(_ kind: Kind, _ name: String, known: [String]) {
        self.kind = kind
        self.name = name
        self.known = known
    }
}

extension Operation {
    /// The operations on single fields. Deleting a record and resolving a conflict concern the
    /// whole record.
    package static let ofFields: [Operation] = [.create, .read, .update]
}
