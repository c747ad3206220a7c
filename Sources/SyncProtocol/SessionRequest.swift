import JSON

/// `POST /v1/ENVIRONMENT/session`: opens a session on a device.
package struct SessionRequest: Codable, Hashable, Sendable {
    /// Says who the person is. Passwords, tokens, codes and verifiers are secret.
    package enum Proof: Hashable, Sendable {
        case password(login: String, password: String)
        /// The ID token that an app has from a provider, and the nonce with which the app asked for
        /// it; nil if the token has none.
        case idToken(String, provider: String, nonce: String?)
        /// The code with which a browser returned to the app, and the text whose challenge the
        /// sign-in had.
        case code(String, verifier: String)
    }

    package var proof: Proof
    /// A device category of the definition, such as `mobile`. With the user's group it makes the
    /// role.
    package var deviceCategory: String
    /// Identifies this installation permanently: 1 to 128 bytes.
    package var deviceIdentifier: String

    package init(_ proof: Proof, deviceCategory: String, deviceIdentifier: String) {
        self.proof = proof
        self.deviceCategory = deviceCategory
        self.deviceIdentifier = deviceIdentifier
    }

    package init(
        login: String, password: String, deviceCategory: String, deviceIdentifier: String
    ) {
        self.init(
            .password(login: login, password: password), deviceCategory: deviceCategory,
            deviceIdentifier: deviceIdentifier)
    }
}

extension SessionRequest {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case login, password, provider, idToken, nonce, code, verifier
        case deviceCategory, deviceIdentifier
    }

    /// Any member that only one kind of proof has decides which it is.
    package init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        func refuseOthers(than keys: CodingKeys...) throws {
            _ = try decoder.strictContainer(
                keyedBy: CodingKeys.self, only: keys + [.deviceCategory, .deviceIdentifier])
        }
        func text(_ key: CodingKeys) throws -> String {
            try members.decode(String.self, forKey: key)
        }
        if [.provider, .idToken, .nonce].contains(where: members.contains) {
            try refuseOthers(than: .provider, .idToken, .nonce)
            let nonce = try members.decodeIfPresent(String.self, forKey: .nonce)
            proof = .idToken(try text(.idToken), provider: try text(.provider), nonce: nonce)
        } else if [.code, .verifier].contains(where: members.contains) {
            try refuseOthers(than: .code, .verifier)
            proof = .code(try text(.code), verifier: try text(.verifier))
        } else {
            try refuseOthers(than: .login, .password)
            proof = .password(login: try text(.login), password: try text(.password))
        }
        deviceCategory = try text(.deviceCategory)
        deviceIdentifier = try text(.deviceIdentifier)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch proof {
        case .password(let login, let password):
            try container.encode(login, forKey: .login)
            try container.encode(password, forKey: .password)
        case .idToken(let token, let provider, let nonce):
            try container.encode(token, forKey: .idToken)
            try container.encode(provider, forKey: .provider)
            try container.encodeIfPresent(nonce, forKey: .nonce)
        case .code(let code, let verifier):
            try container.encode(code, forKey: .code)
            try container.encode(verifier, forKey: .verifier)
        }
        try container.encode(deviceCategory, forKey: .deviceCategory)
        try container.encode(deviceIdentifier, forKey: .deviceIdentifier)
    }
}
