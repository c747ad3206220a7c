package import JSON
import Secrets
package import SyncEngine
import UserAccounts

extension User {
    /// - Parameter lastDay: See `ListedUser.lastDay`.
    func json(lastDay: Int64?) -> JSONValue {
        let own: [String: JSONValue] = [
            "login": .string(login), "mail": .string(mail), "hasPassword": .boolean(hasPassword),
            "lastSeen": lastDay.map { .integer(Instant(day: $0).milliseconds) } ?? .null,
        ]
        return .object(own.merging(rights) { $1 })
    }

    /// As in the activity log, which outlives an erasure of the user.
    package var logged: JSONValue { .object(rights) }

    /// False for a user of a provider, and for one who was imported and has yet to set a password.
    package var hasPassword: Bool {
        IdentityLink(passwordHash) == nil && passwordHash != PasswordHash.none
    }

    private var rights: [String: JSONValue] {
        var members: [String: JSONValue] = ["group": .string(group), "admin": .boolean(isAdmin)]
        if let link = IdentityLink(passwordHash) { members["provider"] = .string(link.provider) }
        return members
    }
}
