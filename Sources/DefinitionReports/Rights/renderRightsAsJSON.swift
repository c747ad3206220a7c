import DefinitionModel

/// The matrix in the documented JSON format.
package func renderAsJSON(_ matrix: RightsMatrix) -> String {
    let document: ReportJSON = [
        "format": .number(1),
        "application": .text(matrix.application),
        "vendor": .text(matrix.vendor),
        "digest": .text(matrix.digest),
        "roles": .array(matrix.roles.map(json)),
        "models": .array(matrix.models.map(json)),
    ]
    return document.document
}

private func json(_ role: Role) -> ReportJSON {
    [
        "name": .text(role.name), "group": .text(role.group),
        "deviceCategory": .text(role.deviceCategory),
    ]
}

private func json(_ model: ModelRights) -> ReportJSON {
    [
        "name": .text(model.model.name),
        "place": json(model.model.place),
        "rights": .array(model.rights.map(json)),
        "fields": .array(
            model.fields.map { field in
                [
                    "name": .text(field.field.name),
                    "type": .text(field.field.type.name.rawValue),
                    "place": json(field.field.place),
                    "rights": .array(field.rights.map(json)),
                ]
            }),
    ]
}

private func json(_ rights: RoleRights) -> ReportJSON {
    [
        "role": .text(rights.role.name),
        "place": rights.place.map { json($0) } ?? .null,
        "written": .object(
            rights.rights.map {
                ReportJSON.Member(key: $0.operation.rawValue, value: .text($0.written.rawValue))
            }),
        "effective": .object(
            rights.rights.map {
                ReportJSON.Member(key: $0.operation.rawValue, value: .text($0.reach.rawValue))
            }),
    ]
}

/// The line and column of a place.
func json(_ place: SourcePlace) -> ReportJSON {
    ["line": .number(place.line), "column": .number(place.column)]
}
