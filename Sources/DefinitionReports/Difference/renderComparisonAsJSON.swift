import DefinitionModel

/// The differences in the documented JSON format.
package func renderAsJSON(_ comparison: DefinitionComparison, files: ComparedFiles) -> String {
    let document: ReportJSON = [
        "format": .number(1),
        "old": json(comparison.old, file: files.old),
        "new": json(comparison.new, file: files.new),
        "weight": ReportJSON(comparison.impact?.name),
        "differences": .array(comparison.differences.map(json)),
        "rights": .array(comparison.rights.map(json)),
    ]
    return document.document
}

private func json(_ definition: Definition, file: String) -> ReportJSON {
    [
        "file": .text(file), "application": .text(definition.application),
        "digest": .text(definition.digest), "fingerprint": .text(definition.fingerprint),
    ]
}

private func json(_ difference: Difference) -> ReportJSON {
    [
        "kind": .text(difference.kind.rawValue),
        "message": .text(difference.message),
        "model": ReportJSON(difference.model),
        "field": ReportJSON(difference.field),
        "data": json(difference.data),
        "clients": json(difference.clients),
        "old": difference.oldPlace.map { json($0) } ?? .null,
        "new": difference.newPlace.map { json($0) } ?? .null,
    ]
}

private func json(_ difference: RightsDifference) -> ReportJSON {
    let owners = RecordOwner.allCases.filter(difference.owners.contains)
    return [
        "kind": .text(difference.kind.rawValue),
        "message": .text(difference.message),
        "roles": texts(difference.roles.map(\.name)),
        "operations": texts(difference.operations.map(\.rawValue)),
        "models": texts(difference.models),
        "fields": texts(difference.fields),
        "with": with(difference.fieldsGained),
        "owners": texts(owners.map(\.rawValue)),
        "data": json(difference.data),
        "clients": json(difference.clients),
        "old": .array(difference.oldPlaces.map { json($0) }),
        "new": .array(difference.newPlaces.map { json($0) }),
    ]
}

private func with(_ fields: RightsDifference.FieldsGained) -> ReportJSON {
    switch fields {
    case .none: .null
    case .every: "every field"
    case .some(let names, _): texts(names)
    }
}

private func texts(_ texts: [String]) -> ReportJSON { .array(texts.map { .text($0) }) }

private func json(_ verdict: Verdict) -> ReportJSON {
    ["weight": .text(verdict.impact.name), "reason": .text(verdict.reason)]
}
