import AccessPolicy
import DefinitionModel

/// Reports credentials of a model that changed without changing any effective right.
func rewrittenCredentials(from old: Model, to new: Model, in pairs: DefinitionPairs) -> [Difference]
{
    let roles = pairs.keptRoles.filter { role in
        old.credentials[role].map(assignment) != new.credentials[role].map(assignment)
            && Operation.allCases.allSatisfy { operation in
                let before = pairs.oldPolicy.reach(of: role, to: operation, of: old.name)
                let now = pairs.newPolicy.reach(of: role, to: operation, of: new.name)
                return before.owners(for: operation) == now.owners(for: operation)
            }
    }
    return roles.isEmpty ? [] : [.credentialsRewritten(of: roles, from: old, to: new)]
}

/// The same for a field.
func rewrittenCredentials(of change: FieldChange, in pairs: DefinitionPairs) -> [Difference] {
    let (old, new) = (change.old, change.new)
    let roles = pairs.keptRoles.filter { role in
        old.credentials[role].map(assignment) != new.credentials[role].map(assignment)
            && Operation.ofFields.allSatisfy { operation in
                let before = pairs.oldPolicy.reach(
                    of: role, to: operation, field: old.name, of: change.oldModel.name)
                let now = pairs.newPolicy.reach(
                    of: role, to: operation, field: new.name, of: change.newModel.name)
                return before.owners(for: operation) == now.owners(for: operation)
            }
    }
    return roles.isEmpty ? [] : [.credentialsRewritten(of: roles, change)]
}

private func assignment(_ credential: ModelCredential) -> [AccessLevel] {
    [
        credential.create, credential.read, credential.update, credential.delete,
        credential.resolvesConflicts ? .all : .none,
    ]
}

private func assignment(_ credential: FieldCredential) -> [AccessLevel] {
    [credential.create, credential.read, credential.update]
}
