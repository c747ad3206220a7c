import DefinitionModel

/// A role as a dictionary key, compared by bytes.
struct RoleKey: Hashable {
    private let group: ByteKey
    private let deviceCategory: ByteKey

    init(_ role: Role) {
        group = ByteKey(role.group)
        deviceCategory = ByteKey(role.deviceCategory)
    }
}
