package import DefinitionModel

/// An operation that an asker wants to perform on a record.
package struct Question: Hashable, Sendable {
    package let asker: Asker
    package let operation: Operation
    package let subject: Subject
    /// The owner and group of the stored record; for a creation those of the new record, which are
    /// the asker's.
    package let record: Ownership

    package init(asker: Asker, operation: Operation, subject: Subject, record: Ownership) {
        self.asker = asker
        self.operation = operation
        self.subject = subject
        self.record = record
    }
}

/// The subject of a question, by the names of the definition.
package enum Subject: Hashable, Sendable {
    case model(String)
    /// A field of a record. An operation that is denied on the record is denied on all of its
    /// fields.
    case field(String, of: String)
}

/// The requesting user with role. Compared by bytes.
package struct Asker: Sendable {
    package let login: String
    package let group: String
    package let role: Role

    /// Nil for a user. An asker is copied often, so the little that only operators need is apart.
    private let scope: OperatorScope?

    /// A user. New records belong to the user and to the user's group.
    package init(login: String, group: String, role: Role) {
        self.login = login
        self.group = group
        self.role = role
        scope = nil
    }

    /// A person who operates the application, with every right to every record. The name in the
    /// history is `operator NAME`, which no user can have: a login contains no space.
    package init(operator name: String, creatingFor ownership: Ownership?) {
        login = "operator \(name)"
        group = Role.operator.group
        role = .operator
        scope = OperatorScope(ownershipOfNew: ownership)
    }

    /// The owner and group of the records that the asker creates; nil if the asker may create
    /// none.
    package var ownershipOfNew: Ownership? {
        guard let scope else { return Ownership(owner: login, group: group) }
        return scope.ownershipOfNew
    }
}

private final class OperatorScope: Sendable {
    let ownershipOfNew: Ownership?

    init(ownershipOfNew: Ownership?) { self.ownershipOfNew = ownershipOfNew }
}

extension Role {
    /// The role of operators. No user has it: the names of groups and device categories are not
    /// empty.
    package static let `operator` = Role(group: "", deviceCategory: "")

    package var isOperator: Bool { group.isEmpty && deviceCategory.isEmpty }
}

/// The owner and group of a record. Compared by bytes.
package struct Ownership: Sendable {
    /// The login of the owner; initially the creator.
    package let owner: String
    /// Initially the creator's group.
    package let group: String

    package init(owner: String, group: String) {
        self.owner = owner
        self.group = group
    }
}

extension Asker: Hashable {
    package static func == (left: Asker, right: Asker) -> Bool {
        left.login.hasSameBytes(as: right.login) && left.group.hasSameBytes(as: right.group)
            && RoleKey(left.role) == RoleKey(right.role)
            && left.scope?.ownershipOfNew == right.scope?.ownershipOfNew
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(login)
        hasher.combine(group)
        hasher.combine(role)
    }
}

extension Ownership: Hashable {
    package static func == (left: Ownership, right: Ownership) -> Bool {
        left.owner.hasSameBytes(as: right.owner) && left.group.hasSameBytes(as: right.group)
    }
}
