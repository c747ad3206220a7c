import DefinitionModel

/// A name as a dictionary's key that is found only by the same bytes, where a `String` is also
/// found by a canonically equivalent one.
struct NameKey: Hashable {
    private let name: String

    init(_ name: String) {
        self.name = name
    }

    static func == (left: NameKey, right: NameKey) -> Bool {
        left.name.hasSameBytes(as: right.name)
    }
}

/// A role as a dictionary's key, found only by the same bytes.
struct RoleKey: Hashable {
    private let group: NameKey
    private let deviceCategory: NameKey

    init(_ role: Role) {
        group = NameKey(role.group)
        deviceCategory = NameKey(role.deviceCategory)
    }
}
