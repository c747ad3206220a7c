import DefinitionModel
import JSON

/// A provider of OpenID Connect with which users sign in, as the operator describes it.
package struct IdentityProvider: Hashable, Sendable {
    /// Part of addresses: 1 to 32 letters, digits, '-' and '_'.
    package let name: String
    /// The environments that it is for; nil for all.
    package let environments: [String]?
    /// The exact value of `iss` in its tokens, and the start of the address of its description.
    package let issuer: String
    /// The server's own identifier at the provider.
    package let clientID: String
    /// Identifiers of apps at the provider, whose ID tokens are accepted too.
    package let otherClientIDs: [String]
    /// The file with the secret of the client; nil for a client without one.
    package let clientSecretFile: String?
    package let scopes: [String]
    package let claims: IdentityClaims
    /// Whether a login that no user has becomes a new user.
    package let makesUsers: Bool
    /// The addresses to which browsers return after a sign-in. Empty if only ID tokens of apps are
    /// accepted.
    package let redirects: [String]

    /// Whether it is for an environment.
    func serves(_ environment: String) -> Bool {
        environments?.contains { $0.hasSameBytes(as: environment) } ?? true
    }

    /// Whether browsers return to an address: exactly one of the redirects.
    func returns(to address: String) -> Bool {
        redirects.contains { $0.hasSameBytes(as: address) }
    }

    /// The clients whose ID tokens are accepted.
    var audiences: Set<String> { Set([clientID] + otherClientIDs) }
}

/// The claims of an ID token that make login, group and mail address of a user.
package struct IdentityClaims: Hashable, Sendable {
    package let login: String
    /// A text or a list of texts; nil if no claim decides on the group.
    package let group: String?
    /// The group of the definition by value of the claim.
    package let groups: [String: String]
    /// The group of those for whom no claim decides; nil refuses them.
    package let usualGroup: String?
    /// Whether a mail address counts as verified where the token does not say it.
    package let verifiesMail: Bool

    package init(
        login: String = "email", group: String? = nil, groups: [String: String] = [:],
        usualGroup: String? = nil, verifiesMail: Bool = false
    ) {
        self.verifiesMail = verifiesMail
        self.login = login
        self.group = group
        self.groups = groups
        self.usualGroup = usualGroup
    }
}

extension IdentityProvider: Decodable {
    private enum CodingKeys: String, CodingKey, CaseIterable {
        case name, environments, issuer, clientId, otherClientIds, clientSecretFile, scopes
        case loginClaim, groupClaim, groups, group, verifiedMail, newUsers, redirects
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(keyedBy: CodingKeys.self)
        func texts(_ key: CodingKeys) throws -> [String]? {
            try container.decodeIfPresent([String].self, forKey: key)
        }
        name = try container.decode(String.self, forKey: .name)
        environments = try texts(.environments)
        issuer = try container.decode(String.self, forKey: .issuer)
        clientID = try container.decode(String.self, forKey: .clientId)
        otherClientIDs = try texts(.otherClientIds) ?? []
        clientSecretFile = try container.decodeIfPresent(String.self, forKey: .clientSecretFile)
        scopes = try texts(.scopes) ?? ["openid", "email"]
        claims = IdentityClaims(
            login: try container.decodeIfPresent(String.self, forKey: .loginClaim) ?? "email",
            group: try container.decodeIfPresent(String.self, forKey: .groupClaim),
            groups: try container.decodeIfPresent([String: String].self, forKey: .groups) ?? [:],
            usualGroup: try container.decodeIfPresent(String.self, forKey: .group),
            verifiesMail: try container.decodeIfPresent(Bool.self, forKey: .verifiedMail) ?? false)
        makesUsers = try container.decodeIfPresent(Bool.self, forKey: .newUsers) ?? false
        redirects = try texts(.redirects) ?? []
    }
}

extension IdentityProvider {
    /// The fault of the description, for people; nil if there is none.
    package var fault: String? {
        guard name.wholeMatch(of: /[A-Za-z0-9_\-]{1,32}/) != nil else {
            return "'\(name)' is not a name: use 1 to 32 letters, digits, '-' and '_'"
        }
        guard let address = ProviderAddress(issuer), address.query == nil else {
            return "the issuer '\(issuer)' is not an https address without a query"
        }
        guard !clientID.isEmpty else { return "the clientId is empty" }
        guard scopes.contains("openid") else { return "the scopes lack 'openid'" }
        guard scopes.allSatisfy({ $0.wholeMatch(of: /[!#-\[\]-~]+/) != nil }) else {
            return "a scope is not a word"
        }
        if let redirect = redirects.first(where: { !isAllowedRedirect($0) }) {
            return "the redirect '\(redirect)' is no https address, nor one of an app"
        }
        return nil
    }
}

/// Whether a browser may be sent there after a sign-in: a page with HTTPS or on the same machine,
/// or a scheme of an app. Schemes that browsers execute or open themselves are not.
private func isAllowedRedirect(_ text: String) -> Bool {
    if ProviderAddress(text) != nil { return true }
    guard let match = text.wholeMatch(of: /([a-z][a-z0-9+.\-]*):[!-"$-\[\]-~]+/) else {
        return false
    }
    let refused = [
        "http", "https", "javascript", "data", "vbscript", "file", "blob", "about", "ftp", "ws",
        "wss", "view-source",
    ]
    return !refused.contains(String(match.1))
}

/// The secret of a client at its provider. It has no readable description.
package struct ClientSecret: Hashable, Sendable, CustomStringConvertible {
    let text: String

    package init(_ text: String) { self.text = text }

    package var description: String { "…" }
}
