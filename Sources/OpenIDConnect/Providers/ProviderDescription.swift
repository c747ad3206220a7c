import JSON

/// The addresses of a provider, as it describes itself (OpenID Connect Discovery 1.0).
struct ProviderDescription: Hashable, Sendable {
    let authorizationAddress: String
    let tokenAddress: String
    let keysAddress: String
    /// Whether each answer to a browser names its issuer (RFC 9207).
    let namesIssuer: Bool
    /// Whether the secret is sent in the body; otherwise in the header.
    let takesSecretInBody: Bool

    /// Throws the fault of the description, for the log.
    init(_ bytes: [UInt8], of provider: IdentityProvider) throws(ProviderUnavailable) {
        guard let json = try? parseJSON(bytes), case .object(let members) = json else {
            throw ProviderUnavailable("its description is not a JSON object")
        }
        guard members["issuer"] == .string(provider.issuer) else {
            throw ProviderUnavailable("its description names another issuer")
        }
        func address(_ name: String) throws(ProviderUnavailable) -> String {
            guard case .string(let text)? = members[name], let address = ProviderAddress(text),
                address.isSecure || ProviderAddress(provider.issuer)?.isSecure == false
            else { throw ProviderUnavailable("its description has no usable \(name)") }
            return text
        }
        authorizationAddress = try address("authorization_endpoint")
        tokenAddress = try address("token_endpoint")
        keysAddress = try address("jwks_uri")
        if let methods = members["code_challenge_methods_supported"]?.texts {
            guard methods.contains("S256") else {
                throw ProviderUnavailable("it does not take a code challenge by S256")
            }
        }
        namesIssuer = members["authorization_response_iss_parameter_supported"] == .boolean(true)
        let ways = members["token_endpoint_auth_methods_supported"]?.texts
        takesSecretInBody = ways.map { !$0.contains("client_secret_basic") } ?? false
    }
}

extension JSONValue {
    /// The texts of a list of texts, or a single text; nil for any other value.
    var texts: [String]? {
        switch self {
        case .string(let text): return [text]
        case .array(let values):
            let texts = values.compactMap { value -> String? in
                guard case .string(let text) = value else { return nil }
                return text
            }
            return texts.count == values.count ? texts : nil
        case .null, .boolean, .integer, .decimal, .object, .unrepresentable: return nil
        }
    }
}

/// The provider does not answer, or not as OpenID Connect says.
struct ProviderUnavailable: Error, Hashable {
    /// For the log. It has no secret.
    let reason: String

    init(_ reason: String) { self.reason = reason }
}
