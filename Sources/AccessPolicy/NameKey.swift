import DefinitionModel

/// A name as a dictionary key, compared by bytes. `String` keys would also match canonically
/// equivalent names.
struct NameKey: Hashable {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    static func == (left: NameKey, right: NameKey) -> Bool {
        left.name.hasSameBytes(as: right.name)
    }
}

/// A role as a dictionary key, compared by bytes.
struct RoleKey: Hashable {
    private let group: NameKey
    private let deviceCategory: NameKey

    init(_ role: Role) {
        group = NameKey(role.group)
        deviceCategory = NameKey(role.deviceCategory)
    }
}
