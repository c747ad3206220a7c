import JSON
import Secrets
import SyncEngine
import UserAccounts

/// A person whom an ID token has identified.
struct IdentityProof: Sendable {
    let identity: ProvenIdentity
    /// The same for every form of the token.
    let tokenName: String
    /// The moment after which the token is refused.
    let until: Instant
}

extension ProviderClient {
    /// Verifies an ID token, and maps its claims. Throws `idToken` and `unavailable`.
    nonisolated func proof(
        of text: String, nonce: String?, at now: Instant
    ) async throws(ProviderRefusal) -> IdentityProof {
        let token = try refusing { () throws(IDTokenFault) in try JSONWebToken(text) }
        let key = try await key(for: token, at: now)
        return try refusing { () throws(IDTokenFault) in
            let claims = try token.claims(signedBy: key)
            let rules = IDTokenRules(
                issuer: provider.issuer, audiences: provider.audiences, nonce: nonce)
            let (subject, until) = try rules.accepted(claims, at: now)
            return IdentityProof(
                identity: try provider.identity(of: claims, subject: subject),
                tokenName: String(decoding: token.signedBytes, as: UTF8.self), until: until)
        }
    }
}

extension IdentityProvider {
    /// The identity that the claims of a verified token describe.
    func identity(
        of claims: [String: JSONValue], subject: String
    ) throws(IDTokenFault) -> ProvenIdentity {
        guard case .string(let login)? = claims[self.claims.login] else { throw .loginMissing }
        var mail = ""
        if case .string(let text)? = claims["email"] { mail = text }
        // Some providers let people write any address, and say nothing about it.
        guard claims["email_verified"]?.isYes ?? self.claims.verifiesMail else {
            guard self.claims.login != "email" else { throw .mailUnverified }
            return proven(claims, subject, login: login, mail: "")
        }
        return proven(claims, subject, login: login, mail: isPlain(mail) ? mail : "")
    }

    private func proven(
        _ claims: [String: JSONValue], _ subject: String, login: String, mail: String
    ) -> ProvenIdentity {
        ProvenIdentity(
            provider: name,
            person: URLSafeBase64.text(of: BearerToken.hash("\(issuer)\0\(subject)")),
            login: login, mail: mail, group: group(of: claims),
            decidesGroup: self.claims.group != nil, makesUser: makesUsers)
    }

    /// The group of the first value that has one, in the order of the token.
    private func group(of claims: [String: JSONValue]) -> String? {
        let values = self.claims.group.flatMap { claims[$0]?.texts } ?? []
        return values.lazy.compactMap { self.claims.groups[$0] }.first ?? self.claims.usualGroup
    }
}

/// Whether a text has no control character.
private func isPlain(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
}

extension JSONValue {
    /// Some providers send the word.
    fileprivate var isYes: Bool { self == .boolean(true) || self == .string("true") }
}

private func refusing<Value>(
    _ body: () throws(IDTokenFault) -> Value
) throws(ProviderRefusal) -> Value {
    do {
        return try body()
    } catch {
        throw .idToken(error)
    }
}
