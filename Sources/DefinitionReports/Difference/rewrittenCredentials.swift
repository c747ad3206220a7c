import AccessPolicy
import DefinitionModel

/// Credentials of a model that say something else while every right is the same: what they say more
/// or less is void.
func rewrittenCredentials(from old: Model, to new: Model, in pairs: Pairs) -> [Difference] {
    let roles = pairs.keptRoles.filter { role in
        old.credentials[role].map(levels) != new.credentials[role].map(levels)
            && Operation.allCases.allSatisfy { operation in
                let before = pairs.oldPolicy.reach(of: role, to: operation, of: old.name)
                let now = pairs.newPolicy.reach(of: role, to: operation, of: new.name)
                return before.owners(for: operation) == now.owners(for: operation)
            }
    }
    return roles.isEmpty ? [] : [.credentialsRewritten(of: roles, from: old, to: new)]
}

/// The same of a field.
func rewrittenCredentials(of change: FieldChange, in pairs: Pairs) -> [Difference] {
    let (old, new) = (change.old, change.new)
    let roles = pairs.keptRoles.filter { role in
        old.credentials[role].map(levels) != new.credentials[role].map(levels)
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

private func levels(_ credential: ModelCredential) -> [AccessLevel] {
    [
        credential.create, credential.read, credential.update, credential.delete,
        credential.resolvesConflicts ? .all : .none,
    ]
}

private func levels(_ credential: FieldCredential) -> [AccessLevel] {
    [credential.create, credential.read, credential.update]
}
