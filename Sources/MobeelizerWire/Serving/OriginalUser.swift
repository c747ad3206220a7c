import SyncEngine

/// A user in the format of the original clients.
struct OriginalUser: Codable, Hashable {
    let login: String
    let group: String?
    let mail: String?
    /// `true` or `false`.
    let admin: String?
    /// Only in requests; nil keeps the password.
    let password: String?

    init(_ user: User) {
        login = user.login
        group = user.group
        mail = user.mail
        admin = String(user.isAdmin)
        password = nil
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        login = try container.decode(String.self, forKey: .login)
        group = try container.decodeIfPresent(String.self, forKey: .group)
        mail = try container.decodeIfPresent(String.self, forKey: .mail)
        password = try container.decodeIfPresent(String.self, forKey: .password)
        // The wire has texts, but a boolean says the same.
        if let flag = try? container.decodeIfPresent(Bool.self, forKey: .admin) {
            admin = String(flag)
        } else {
            admin = try container.decodeIfPresent(String.self, forKey: .admin)
        }
        guard ["true", "false", nil].contains(admin) else {
            throw DecodingError.dataCorruptedError(
                forKey: .admin, in: container, debugDescription: "neither true nor false")
        }
    }

    var isAdmin: Bool? { admin.map { $0 == "true" } }
}
