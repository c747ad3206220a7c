import DefinitionModel

/// Deduces what the rights of a definition come to, and reports what nobody can mean, and what can
/// never work.
///
/// Only for a definition without errors: one role or model that is missing would make all that has
/// to do with it look odd. Takes time in proportion to the number of credentials.
func reason(
    about contents: Contents, in document: Document, reportingTo findings: inout Findings
) {
    guard !contents.roles.isEmpty, !contents.models.isEmpty else { return }
    let idle = rolesWithoutRights(in: contents)
    guard idle.count < contents.roles.count else {
        findings.warn(.noRights(at: document.root.nameRange))
        return
    }
    report(idle, of: contents, in: document, to: &findings)
    let survey = Survey(contents, in: document)
    for number in contents.models.indices {
        reasonAboutModel(number, in: survey, reportingTo: &findings)
        reasonAboutFields(ofModel: number, in: survey, reportingTo: &findings)
    }
    reasonAboutKnots(in: survey, reportingTo: &findings)
}

/// Most roles have a right to one of the first models, so that few are looked at.
private func rolesWithoutRights(in contents: Contents) -> Set<Role> {
    var idle = Set(contents.roles)
    for model in contents.models {
        guard !idle.isEmpty else { break }
        for (role, credential) in model.credentials where credential.grantsSomething {
            idle.remove(role)
        }
    }
    return idle
}

private func report(
    _ idle: Set<Role>, of contents: Contents, in document: Document,
    to findings: inout Findings
) {
    guard !idle.isEmpty else { return }
    let elements = document.root.items("role", in: "roles")
    for (role, element) in zip(contents.roles, elements) where idle.contains(role) {
        findings.warn(.roleWithoutRights(role.name, at: element.nameRange))
    }
}
