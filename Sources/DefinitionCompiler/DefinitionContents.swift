import DefinitionModel

/// A checked definition without its digest and fingerprint, which are computed from it.
struct DefinitionContents {
    let application: String
    let vendor: String
    let description: String?
    let conflictMode: ConflictMode
    let deviceCategories: [String]
    let groups: [String]
    let roles: [Role]
    let models: [Model]
    let writtenExtensions: [WrittenOption]
}

/// The definition with these contents, its digest and its fingerprint.
func named(_ contents: DefinitionContents) -> Definition {
    let original = digest(of: contents)
    return Definition(
        application: contents.application, vendor: contents.vendor,
        description: contents.description, conflictMode: contents.conflictMode,
        deviceCategories: contents.deviceCategories, groups: contents.groups,
        roles: contents.roles, models: contents.models,
        writtenExtensions: contents.writtenExtensions, digest: original,
        fingerprint: fingerprint(of: contents, digest: original))
}
