package import DefinitionModel

/// What someone wants to do, and to whose record.
package struct Question: Hashable, Sendable {
    package let asker: Asker
    package let operation: Operation
    package let subject: Subject
    /// The stored record's owner and group; for a creation those it would get, which are the
    /// asker's own.
    package let record: Ownership

    package init(asker: Asker, operation: Operation, subject: Subject, record: Ownership) {
        self.asker = asker
        self.operation = operation
        self.subject = subject
        self.record = record
    }
}

/// What a question is about, by the names of the definition.
package enum Subject: Hashable, Sendable {
    case model(String)
    /// One field of a record. It is a question about the record too: who may not do it to the
    /// record may do it to no field of it.
    case field(String, of: String)
}

/// Who asks. Two are equal when their texts are equal to the byte.
package struct Asker: Sendable {
    package let login: String
    package let group: String
    package let role: Role

    package init(login: String, group: String, role: Role) {
        self.login = login
        self.group = group
        self.role = role
    }
}

/// Whose a record is. Two are equal when their texts are equal to the byte.
package struct Ownership: Sendable {
    /// The login of the record's creator.
    package let owner: String
    /// The group its creator was in.
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
    }
}

extension Ownership: Hashable {
    package static func == (left: Ownership, right: Ownership) -> Bool {
        left.owner.hasSameBytes(as: right.owner) && left.group.hasSameBytes(as: right.group)
    }
}
