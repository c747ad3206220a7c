import JSON

/// `POST /v1/ENVIRONMENT/reset-requests`: asks for a mail with the code of a reset.
package struct RequestedReset: Codable, Hashable, Sendable {
    package var login: String

    package init(login: String) { self.login = login }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case login
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        login = try container.decode(String.self, forKey: .login)
    }
}
