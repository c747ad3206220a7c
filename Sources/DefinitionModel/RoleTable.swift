/// What each role has, for the roles that have something, in the order in which they were put in.
///
/// A definition has few roles and many credentials, so that looking through the few is quicker, and
/// takes less memory, than a dictionary.
package struct RoleTable<Value: Hashable & Sendable>: Sendable {
    private var list = RoleList()
    package private(set) var values: [Value] = []

    package init() {}

    /// Of two entries for one role the first counts.
    package init(_ entries: some Sequence<(key: Role, value: Value)>) {
        for (role, value) in entries { _ = insert(value, for: role) }
    }

    package var keys: [Role] { list.roles }

    /// Nil for a role that has nothing.
    package subscript(role: Role) -> Value? { list.index(of: role).map { values[$0] } }

    /// False when the role has something already, which then stays.
    package mutating func insert(_ value: Value, for role: Role) -> Bool {
        guard list.append(role) else { return false }
        values.append(value)
        return true
    }
}

extension RoleTable: RandomAccessCollection {
    package var startIndex: Int { 0 }
    package var endIndex: Int { values.count }
    package subscript(position: Int) -> (key: Role, value: Value) {
        (list.roles[position], values[position])
    }
}

extension RoleTable: ExpressibleByDictionaryLiteral {
    package init(dictionaryLiteral elements: (Role, Value)...) {
        self.init(elements.map { (key: $0, value: $1) })
    }
}

/// In whatever order the roles came.
extension RoleTable: Hashable {
    package static func == (left: RoleTable, right: RoleTable) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(values.count) }
}

/// Roles, each once. Looked through, or with a dictionary where they are too many for that.
private struct RoleList: Sendable {
    private(set) var roles: [Role] = []
    private var indices: [Role: Int] = [:]

    private static let mostLookedThrough = 16

    func index(of role: Role) -> Int? {
        indices.isEmpty ? roles.firstIndex(of: role) : indices[role]
    }

    /// False when it is there already.
    mutating func append(_ role: Role) -> Bool {
        guard index(of: role) == nil else { return false }
        roles.append(role)
        if roles.count == Self.mostLookedThrough + 1 {
            for (index, role) in roles.enumerated() { indices[role] = index }
        } else if !indices.isEmpty {
            indices[role] = roles.count - 1
        }
        return true
    }
}
