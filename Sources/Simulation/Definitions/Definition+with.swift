import DefinitionModel

// Definitions with one change.

extension Definition {
    func with(fingerprint other: String? = nil, _ change: (Model) -> Model) -> Definition {
        with(fingerprint: other, models: models.map(change))
    }

    func with(fingerprint other: String? = nil, models: [Model]) -> Definition {
        Definition(
            application: application, vendor: vendor, description: description,
            conflictMode: conflictMode, deviceCategories: deviceCategories, groups: groups,
            roles: roles, models: models, writtenExtensions: writtenExtensions,
            digest: other ?? digest, fingerprint: other ?? fingerprint)
    }
}

extension Model {
    func renamed(to name: String, from earlier: [String], fields: [Field]) -> Model {
        Model(
            name: name, description: description, renamedFrom: earlier,
            conflictMode: conflictMode, fields: fields, credentials: credentials,
            writtenExtensions: writtenExtensions, place: place)
    }

    func with(fields: [Field]) -> Model {
        renamed(to: name, from: renamedFrom, fields: fields)
    }
}

extension Field {
    func changed(
        to name: String? = nil, from earlier: [String]? = nil, type: FieldType? = nil,
        isRequired: Bool? = nil, defaultValue: FieldValue? = nil
    ) -> Field {
        Field(
            name: name ?? self.name, description: description,
            renamedFrom: earlier ?? renamedFrom, type: type ?? self.type,
            isRequired: isRequired ?? self.isRequired, isUnique: isUnique,
            defaultValue: defaultValue ?? self.defaultValue, credentials: credentials,
            writtenOptions: writtenOptions, writtenDefault: writtenDefault,
            writtenExtensions: writtenExtensions, place: place)
    }
}

extension FieldType {
    /// The model of a relation gets another name.
    func naming(_ own: (_ model: String) -> String) -> FieldType {
        guard case .belongsTo(let relation) = self else { return self }
        return .belongsTo(
            Relation(
                model: own(relation.model), analyzesConflict: relation.analyzesConflict))
    }
}
