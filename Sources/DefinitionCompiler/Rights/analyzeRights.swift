import DefinitionModel

/// Reports rights that are probably mistakes and rights that can never take effect.
///
/// Requires a definition without errors: a missing role or model would cause spurious warnings. The
/// time is proportional to the number of credentials.
func analyzeRights(
    of contents: DefinitionContents, in document: Document,
    reportingTo collector: inout DiagnosticCollector
) {
    guard !contents.roles.isEmpty, !contents.models.isEmpty else { return }
    let idle = rolesWithoutRights(in: contents)
    guard idle.count < contents.roles.count else {
        collector.warn(.noRights(at: document.root.nameRange))
        return
    }
    report(idle, of: contents, in: document, to: &collector)
    let definition = DefinitionIndex(contents, in: document)
    for number in contents.models.indices {
        analyzeModel(number, in: definition, reportingTo: &collector)
        analyzeFields(ofModel: number, in: definition, reportingTo: &collector)
        analyzeHiddenRequirements(ofModel: number, in: definition, reportingTo: &collector)
    }
    analyzeRequirementCycles(in: definition, reportingTo: &collector)
}

/// Most roles have a right on one of the first models, so few models are visited.
private func rolesWithoutRights(in contents: DefinitionContents) -> Set<Role> {
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
    _ idle: Set<Role>, of contents: DefinitionContents, in document: Document,
    to collector: inout DiagnosticCollector
) {
    guard !idle.isEmpty else { return }
    let elements = document.root.items("role", in: "roles")
    for (role, element) in zip(contents.roles, elements) where idle.contains(role) {
        collector.warn(.roleWithoutRights(role.name, at: element.nameRange))
    }
}
