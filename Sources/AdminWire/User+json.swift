package import JSON
package import SyncEngine
import UserAccounts

extension User {
    var json: JSONValue {
        let own: [String: JSONValue] = ["login": .string(login), "mail": .string(mail)]
        return .object(own.merging(rights) { $1 })
    }

    /// As in the activity log, which outlives an erasure of the user.
    package var logged: JSONValue { .object(rights) }

    private var rights: [String: JSONValue] {
        var members: [String: JSONValue] = ["group": .string(group), "admin": .boolean(isAdmin)]
        if let link = IdentityLink(passwordHash) { members["provider"] = .string(link.provider) }
        return members
    }
}
