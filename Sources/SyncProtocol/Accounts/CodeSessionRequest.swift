import JSON

/// `POST /v1/ENVIRONMENT/session` of an app to which a browser returned with a code.
package struct CodeSessionRequest: Codable, Hashable, Sendable {
    /// Secret.
    package var code: String
    /// The text whose challenge the sign-in had.
    package var verifier: String
    package var deviceCategory: String
    package var deviceIdentifier: String

    package init(
        code: String, verifier: String, deviceCategory: String, deviceIdentifier: String
    ) {
        self.code = code
        self.verifier = verifier
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
    }

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case code, verifier, deviceCategory, deviceIdentifier
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        code = try container.decode(String.self, forKey: .code)
        verifier = try container.decode(String.self, forKey: .verifier)
        deviceCategory = try container.decode(String.self, forKey: .deviceCategory)
        deviceIdentifier = try container.decode(String.self, forKey: .deviceIdentifier)
    }
}
