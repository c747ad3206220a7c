import JSON
import SyncEngine
import UserAccounts

extension User {
    var json: JSONValue {
        var members: [String: JSONValue] = [
            "login": .string(login), "group": .string(group), "mail": .string(mail),
            "admin": .boolean(isAdmin),
        ]
        if let link = IdentityLink(passwordHash) { members["provider"] = .string(link.provider) }
        return .object(members)
    }
}
