import DefinitionModel
import TestKit

extension Definition {
    /// The same but for where its parts stand, and for its digest if another one is given.
    func withoutPlaces(digest: String? = nil) -> Definition {
        Definition(
            application: application, vendor: vendor, conflictMode: conflictMode,
            deviceCategories: deviceCategories, groups: groups, roles: roles,
            models: models.map { $0.withoutPlaces() }, digest: digest ?? self.digest)
    }
}

private let nowhere = RandomDefinition.place

extension Model {
    fileprivate func withoutPlaces() -> Model {
        Model(
            name: name, fields: fields.map { $0.withoutPlaces() },
            credentials: credentials.mapValues {
                ModelCredential(
                    create: $0.create, read: $0.read, update: $0.update, delete: $0.delete,
                    resolvesConflicts: $0.resolvesConflicts, place: nowhere)
            }, place: nowhere)
    }
}

extension Field {
    fileprivate func withoutPlaces() -> Field {
        Field(
            name: name, type: type, isRequired: isRequired, defaultValue: defaultValue,
            credentials: credentials.mapValues {
                FieldCredential(
                    create: $0.create, read: $0.read, update: $0.update, place: nowhere)
            },
            writtenOptions: writtenOptions.map {
                WrittenOption(name: $0.name, value: $0.value, place: nowhere)
            }, writtenDefault: writtenDefault, place: nowhere)
    }
}
