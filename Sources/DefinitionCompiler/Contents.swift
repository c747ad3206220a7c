import DefinitionModel

/// A checked definition but for its digest, which is computed from it.
struct Contents {
    let application: String
    let vendor: String
    let conflictMode: ConflictMode
    let deviceCategories: [String]
    let groups: [String]
    let roles: [Role]
    let models: [Model]
}

extension Definition {
    init(_ contents: Contents, digest: String) {
        self.init(
            application: contents.application, vendor: contents.vendor,
            conflictMode: contents.conflictMode, deviceCategories: contents.deviceCategories,
            groups: contents.groups, roles: contents.roles, models: contents.models,
            digest: digest)
    }
}
