package import JSON

/// A user as a Parse server exports them. Passwords are in no export.
package struct UserRow: Hashable, Sendable {
    package let line: Int
    package let login: String
    /// Empty if there is none.
    package let mail: String
    /// The other members: the `objectId`, and the columns that the app has added.
    package let profile: [String: JSONValue]

    package init(line: Int, login: String, mail: String, profile: [String: JSONValue] = [:]) {
        self.line = line
        self.login = login
        self.mail = mail
        self.profile = profile
    }
}

/// Reads the rows of `_User`, chunk by chunk, in memory of one row: JSON lines, or
/// `{"results":[…]}`.
package struct UserRowReader {
    package enum Item: Hashable, Sendable {
        case user(UserRow)
        /// A user without a login of their own: their app makes another one.
        case anonymous
        case problem(RowProblem)
    }

    private var rows: JSONRowReader

    package init(limits: RowLimits = RowLimits()) {
        rows = JSONRowReader(limits: limits, takesLists: true)
    }

    package mutating func read(_ chunk: [UInt8]) -> [Item] { rows.read(chunk).map(Self.item) }

    /// Call this once, after the last chunk.
    package mutating func finish() -> [Item] { rows.finish().map(Self.item) }

    private static func item(of line: JSONLineItem) -> Item {
        switch line {
        case .problem(let problem): .problem(problem)
        case .line(let number, let bytes): item(bytes, line: number)
        }
    }

    private static func item(_ bytes: [UInt8], line: Int) -> Item {
        guard case .object(let members)? = try? parseJSON(bytes) else {
            return .problem(.row(line, "notJSON", "the row is no JSON object"))
        }
        guard case .string(let login)? = members["username"], !login.isEmpty else {
            return .problem(.row(line, "userRow", "the row has no 'username', which is the login"))
        }
        // Null for one who has signed up since.
        if case .object(let services)? = members["authData"],
            case .object? = services["anonymous"]
        {
            return .anonymous
        }
        var mail = ""
        if case .string(let text)? = members["email"] { mail = text }
        let profile = members.filter { name, _ in
            !accountColumns.contains(name) && !name.hasPrefix("_") && !name.hasPrefix("$")
        }
        return .user(UserRow(line: line, login: login, mail: mail, profile: profile))
    }

    /// The columns of accounts, apart from those that begin with `_`.
    private static let accountColumns: Set<String> = [
        "username", "password", "bcryptPassword", "email", "emailVerified", "authData",
        "sessionToken",
    ]
}
