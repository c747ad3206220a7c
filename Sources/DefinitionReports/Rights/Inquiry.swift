package import DefinitionModel

/// May someone of this role do this to such a record, or to a field of it? All names are known.
package struct Inquiry: Hashable, Sendable {
    package let role: Role
    package let model: String
    /// Nil when it is about the record as a whole.
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

    /// For names that somebody gave. `Operation.ofFields` are those that can be done to a field.
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

/// A name that the definition has not.
package struct UnknownName: Error, Hashable {
    package enum Kind: Hashable, Sendable {
        case role, model
        case field(of: String)
    }

    package let kind: Kind
    package let name: String
    /// The names that there are.
    package let known: [String]

    init(_ kind: Kind, _ name: String, known: [String]) {
        self.kind = kind
        self.name = name
        self.known = known
    }
}

extension Operation {
    /// What can be done to one field. A record is deleted, and a conflict resolved, as a whole.
    package static let ofFields: [Operation] = [.create, .read, .update]
}
