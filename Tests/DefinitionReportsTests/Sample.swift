import DefinitionModel

/// Definitions built without a document.
enum Sample {
    static let place = SourcePlace(line: 1, column: 1)

    static func field(
        _ name: String, _ type: FieldType = .text(TextLimits()), isRequired: Bool = false,
        was earlierName: String? = nil, credentials: RoleTable<FieldCredential> = [:]
    ) -> Field {
        Field(
            name: name, renamedFrom: earlierName.map { [$0] } ?? [], type: type,
            isRequired: isRequired, defaultValue: nil,
            credentials: credentials, writtenOptions: [], writtenDefault: nil, place: place)
    }

    static func relation(_ name: String, to model: String) -> Field {
        field(name, .belongsTo(Relation(model: model)))
    }

    static func model(
        _ name: String, fields: [Field], credentials: RoleTable<ModelCredential> = [:]
    ) -> Model {
        Model(name: name, fields: fields, credentials: credentials, place: place)
    }

    static func definition(
        _ name: String = "sample", roles: [Role] = [], models: [Model], digest: String = ""
    ) -> Definition {
        Definition(
            application: name, vendor: name, conflictMode: .manual,
            deviceCategories: roles.map(\.deviceCategory), groups: roles.map(\.group),
            roles: roles, models: models, digest: digest)
    }
}
