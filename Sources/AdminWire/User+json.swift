import JSON
import SyncEngine

extension User {
    var json: JSONValue {
        .object([
            "login": .string(login), "group": .string(group), "mail": .string(mail),
            "admin": .boolean(isAdmin),
        ])
    }
}
