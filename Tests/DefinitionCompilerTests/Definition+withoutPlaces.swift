import DefinitionModel
import TestKit

extension Definition {
    /// The same definition without places, with Waggle's attributes sorted, and with another digest
    /// if one is given.
    func withoutPlaces(digest: String? = nil) -> Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models.map { $0.withoutPlaces() },
            writtenExtensions: inOrder(writtenExtensions), digest: digest ?? self.digest,
            fingerprint: digest ?? fingerprint)
    }
}

extension Model {
    fileprivate func withoutPlaces() -> Model {
        Model(
            name: name, description: description, renamedFrom: renamedFrom,
            conflictMode: conflictMode, fields: fields.map { $0.withoutPlaces() },
            credentials: RoleTable(
                credentials.map { role, credential in
                    let changed = ModelCredential(
                        create: credential.create, read: credential.read,
                        update: credential.update, delete: credential.delete,
                        resolvesConflicts: credential.resolvesConflicts, place: nowhere)
                    return (key: role, value: changed)
                }), writtenExtensions: inOrder(writtenExtensions), place: nowhere)
    }
}

extension Field {
    fileprivate func withoutPlaces() -> Field {
        Field(
            name: name, description: description, renamedFrom: renamedFrom, type: type,
            isRequired: isRequired, isUnique: isUnique, defaultValue: defaultValue,
            credentials: RoleTable(
                credentials.map { role, credential in
                    let changed = FieldCredential(
                        create: credential.create, read: credential.read,
                        update: credential.update, place: nowhere)
                    return (key: role, value: changed)
                }), writtenOptions: writtenOptions.map(placeless), writtenDefault: writtenDefault,
            writtenExtensions: inOrder(writtenExtensions), place: nowhere)
    }
}

private let nowhere = RandomDefinition.place

private func placeless(_ option: WrittenOption) -> WrittenOption {
    WrittenOption(name: option.name, value: option.value, place: nowhere)
}

private func inOrder(_ attributes: [WrittenOption]) -> [WrittenOption] {
    attributes.map(placeless).sorted { $0.name < $1.name }
}
