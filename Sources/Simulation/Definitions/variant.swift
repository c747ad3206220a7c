import DefinitionModel
import SyncEngine

extension Definition {
    /// The same definition with the rights of the roles permuted. The definition itself if the
    /// permutation changes nothing.
    func variant(_ number: Int) -> Definition {
        let shift = number % roles.count
        guard shift != 0 else { return self }
        let roles = roles
        let successor = Dictionary(
            uniqueKeysWithValues: roles.indices.map {
                (roles[$0], roles[($0 + shift) % roles.count])
            })
        return Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models.map { $0.replacingRoles(with: successor) },
            writtenExtensions: writtenExtensions, digest: "\(digest)-\(shift)",
            fingerprint: "\(fingerprint)-\(shift)")
    }
}

extension AppVersion {
    /// The same version with the rights of the roles permuted.
    func variant(_ number: Int) -> AppVersion {
        AppVersion(
            definition.variant(number), lasting: rules.definition.variant(number),
            vocabulary: vocabulary, filled: filled)
    }
}

extension Model {
    fileprivate func replacingRoles(with successor: [Role: Role]) -> Model {
        Model(
            name: name, description: description, renamedFrom: renamedFrom,
            conflictMode: conflictMode, fields: fields.map { $0.replacingRoles(with: successor) },
            credentials: credentials.replacingRoles(with: successor),
            writtenExtensions: writtenExtensions, place: place)
    }
}

extension Field {
    fileprivate func replacingRoles(with successor: [Role: Role]) -> Field {
        Field(
            name: name, description: description, renamedFrom: renamedFrom, type: type,
            isRequired: isRequired, isUnique: isUnique, defaultValue: defaultValue,
            credentials: credentials.replacingRoles(with: successor),
            writtenOptions: writtenOptions,
            writtenDefault: writtenDefault, writtenExtensions: writtenExtensions, place: place)
    }
}

extension RoleTable {
    fileprivate func replacingRoles(with successor: [Role: Role]) -> RoleTable {
        RoleTable(map { (key: successor[$0.key] ?? $0.key, value: $0.value) })
    }
}
