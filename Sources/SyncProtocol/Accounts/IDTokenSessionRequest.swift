import JSON

/// `POST /v1/ENVIRONMENT/session` of an app that has an ID token of a provider.
package struct IDTokenSessionRequest: Codable, Hashable, Sendable {
    /// The name of the provider in the settings of the server.
    package var provider: String
    /// Secret.
    package var idToken: String
    /// The nonce with which the app asked for the token; nil if it has none.
    package var nonce: String?
    package var deviceCategory: String
    package var deviceIdentifier: String

    package init(
        provider: String, idToken: String, nonce: String? = nil, deviceCategory: String,
        deviceIdentifier: String
    ) {
        self.provider = provider
        self.idToken = idToken
        self.nonce = nonce
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case provider, idToken, nonce, deviceCategory, deviceIdentifier
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        provider = try container.decode(String.self, forKey: .provider)
        idToken = try container.decode(String.self, forKey: .idToken)
        nonce = try container.decodeIfPresent(String.self, forKey: .nonce)
        deviceCategory = try container.decode(String.self, forKey: .deviceCategory)
        deviceIdentifier = try container.decode(String.self, forKey: .deviceIdentifier)
    }
}
