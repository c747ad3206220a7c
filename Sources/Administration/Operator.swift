package import SyncEngine

/// A person who administers the environments of a database. An operator is not a user.
package struct Operator: Hashable, Sendable {
    /// 1 to 64 ASCII letters, digits and `. _ - @`.
    package let name: String
    package var scope: AdminScope
    /// The format is that of `Secrets`. Never logged, never sent.
    package var passwordHash: String
    package let createdAt: Instant

    package init(name: String, scope: AdminScope, passwordHash: String, createdAt: Instant) {
        self.name = name
        self.scope = scope
        self.passwordHash = passwordHash
        self.createdAt = createdAt
    }

    /// Whether a name is acceptable. Names of the activity log with a space are of other actors,
    /// such as the tool.
    package static func isLegal(name: String) -> Bool {
        (1...64).contains(name.utf8.count) && name.utf8.allSatisfy(isLegal)
    }

    private static func isLegal(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "-"), UInt8(ascii: "@"):
            true
        default: false
        }
    }
}

/// A session of an operator in a browser. The store keeps only the hash of the cookie.
package struct OperatorSession: Hashable, Sendable {
    package let tokenHash: [UInt8]
    /// The operator's name.
    package let name: String
    /// The last use, to the minute.
    package let usedAt: Instant
    /// When the password was given last.
    package let confirmedAt: Instant

    package init(tokenHash: [UInt8], name: String, usedAt: Instant, confirmedAt: Instant) {
        self.tokenHash = tokenHash
        self.name = name
        self.usedAt = usedAt
        self.confirmedAt = confirmedAt
    }
}

/// A session and its operator.
package struct OpenOperatorSession: Hashable, Sendable {
    package let session: OperatorSession
    package let person: Operator

    package init(session: OperatorSession, person: Operator) {
        self.session = session
        self.person = person
    }
}

/// A token of a script. The store keeps only its hash.
package struct OperatorToken: Hashable, Sendable {
    package let tokenHash: [UInt8]
    /// A name for people, 1 to 64 ASCII letters, digits and `. _ - @`.
    package let name: String
    package let scope: AdminScope
    /// The only environment that it is for; nil for all of the database.
    package let environment: String?
    /// The operator who made it. It ends with the operator, and when the operator's scope changes.
    package let author: String
    package let createdAt: Instant
    package let expiresAt: Instant

    package init(
        tokenHash: [UInt8], name: String, scope: AdminScope, environment: String?,
        author: String, createdAt: Instant, expiresAt: Instant
    ) {
        self.tokenHash = tokenHash
        self.name = name
        self.scope = scope
        self.environment = environment
        self.author = author
        self.createdAt = createdAt
        self.expiresAt = expiresAt
    }
}

/// A token with its number in the database, which is never reused.
package struct NumberedToken: Hashable, Sendable {
    package let number: Int64
    package let token: OperatorToken

    package init(number: Int64, token: OperatorToken) {
        self.number = number
        self.token = token
    }
}
