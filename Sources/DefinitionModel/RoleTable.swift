/// A dictionary keyed by role that keeps insertion order.
///
/// A definition has few roles and many credentials. For few keys, a linear search is faster and
/// takes less memory than a hash table.
package struct RoleTable<Value: Hashable & Sendable>: Sendable {
    private var list = RoleList()
    package private(set) var values: [Value] = []

    package init() {}

    /// The first of several entries for a role is kept.
    package init(_ entries: some Sequence<(key: Role, value: Value)>) {
        for (role, value) in entries { _ = insert(value, for: role) }
    }

    package var keys: [Role] { list.roles }

    /// Nil for a role without a value.
    package subscript(role: Role) -> Value? { list.index(of: role).map { values[$0] } }

    /// Returns false, and keeps the present value, if the role has one.
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

/// Insertion order does not matter.
extension RoleTable: Hashable {
    package static func == (left: RoleTable, right: RoleTable) -> Bool {
        left.count == right.count && left.allSatisfy { right[$0.key] == $0.value }
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(values.count) }
}

/// Distinct roles in insertion order. Uses a linear search up to `linearSearchLimit`, and a
/// dictionary beyond it.
private struct RoleList: Sendable {
    private(set) var roles: [Role] = []
    private var indices: [Role: Int] = [:]

    private static let linearSearchLimit = 16

    func index(of role: Role) -> Int? {
        indices.isEmpty ? roles.firstIndex(of: role) : indices[role]
    }

    /// Returns false if the role is in the list already.
    mutating func append(_ role: Role) -> Bool {
        guard index(of: role) == nil else { return false }
        roles.append(role)
        if roles.count == Self.linearSearchLimit + 1 {
            for (index, role) in roles.enumerated() { indices[role] = index }
        } else if !indices.isEmpty {
            indices[role] = roles.count - 1
        }
        return true
    }
}
