import DefinitionModel
import Secrets
package import SyncEngine
package import UserAccounts

/// The providers with which users of a server sign in.
package final class SignInProviders: Sendable {
    private let clients: [ProviderClient]
    /// The address of the server for browsers, without a slash at the end; nil if it is not set.
    package let publicAddress: String?

    /// - Parameter publicAddress: Such as `https://sync.example`. Without it no browser is sent to
    ///   a provider.
    package init(
        _ providers: [(provider: IdentityProvider, secret: ClientSecret?)], publicAddress: String?
    ) {
        clients = providers.map { ProviderClient($0.provider, secret: $0.secret) }
        self.publicAddress = publicAddress
    }

    package static let none = SignInProviders([], publicAddress: nil)

    /// Whether an address is acceptable as that of the server: HTTPS, or HTTP on the same machine,
    /// without a path.
    package static func isAcceptable(publicAddress: String) -> Bool {
        ProviderAddress(publicAddress) != nil
            && publicAddress.wholeMatch(of: /https?:\/\/[^\/?#]+/) != nil
    }

    /// Whether browsers reach the server by HTTPS.
    package var isSecure: Bool { publicAddress?.hasPrefix("https:") ?? false }

    /// Throws `providerUnknown`.
    func client(
        _ name: String, in environment: String
    ) throws(ProviderRefusal) -> ProviderClient {
        let named = clients.first {
            $0.provider.name.hasSameBytes(as: name) && $0.provider.serves(environment)
        }
        guard let named else { throw .providerUnknown(name) }
        return named
    }

    /// The providers of an environment, and whether browsers are sent to each.
    package func listed(in environment: String) -> [(name: String, takesBrowsers: Bool)] {
        clients.map(\.provider).filter { $0.serves(environment) }.map {
            ($0.name, publicAddress != nil && !$0.redirects.isEmpty)
        }
    }

    /// The address of the server to which the provider sends the browser back. Throws
    /// `providerUnknown` if browsers are not sent to it.
    func callback(
        of provider: IdentityProvider, in environment: String
    ) throws(ProviderRefusal) -> String {
        guard let publicAddress, !provider.redirects.isEmpty else {
            throw .providerUnknown(provider.name)
        }
        return "\(publicAddress)/v1/\(environment)/sign-in/\(provider.name)"
    }
}

extension SignInProviders {
    /// Opens a session for the person of an ID token that an app has from its provider. A token is
    /// good for one device until it expires.
    ///
    /// - Parameter nonce: The nonce with which the app asked for the token; nil if it has none.
    package func signIn(
        idToken text: String, nonce: String?, of name: String, in environment: String,
        on device: SigningDevice, from address: String, to accounts: AccountEngine,
        at now: Instant
    ) async throws -> (session: SignedIn, token: NewToken) {
        let client = try client(name, in: environment)
        let proof = try await client.proof(of: text, nonce: nonce, at: now)
        let ticket = SignInTicket(
            hash: BearerToken.hash("ID token " + proof.tokenName),
            body: URLSafeBase64.text(of: BearerToken.hash(device.identifier)),
            expiresAt: proof.until)
        switch try await accounts.add(ticket, keeping: ProviderLimits.tickets, at: now) {
        case .added: break
        case .present(let body):
            guard body == ticket.body else { throw ProviderRefusal.idToken(.used) }
        case .full: throw ProviderRefusal.overloaded
        }
        return try await open(proof.identity, on: device, from: address, accounts, at: now)
    }

    /// Opens a session by the code of a sign-in in a browser.
    package func signIn(
        code: String, verifier: String, on device: SigningDevice, from address: String,
        to accounts: AccountEngine, at now: Instant
    ) async throws -> (session: SignedIn, token: NewToken) {
        let ticket = try await accounts.takeTicket(hash: codeHash(code), at: now)
        guard let ticket, let finished = FinishedSignIn(ticket.body),
            challenge(of: verifier) == finished.challenge
        else { throw ProviderRefusal.signInCodeUnknown }
        return try await open(finished.identity, on: device, from: address, accounts, at: now)
    }

    private func open(
        _ identity: ProvenIdentity, on device: SigningDevice, from address: String,
        _ accounts: AccountEngine, at now: Instant
    ) async throws -> (session: SignedIn, token: NewToken) {
        let text = BearerToken.make()
        let token = NewToken(text: text, hash: BearerToken.hash(text))
        let opened = try await accounts.signIn(
            identity, on: device, from: address, token: token, at: now)
        switch opened {
        case .success(let session): return (session, token)
        case .failure(let refusal): throw ProviderRefusal.identity(refusal)
        }
    }
}

/// The hash under which the code of a sign-in is stored.
func codeHash(_ code: String) -> [UInt8] { BearerToken.hash("code " + code) }

/// The challenge of a verifier, by S256 (RFC 7636).
func challenge(of verifier: String) -> String {
    URLSafeBase64.text(of: BearerToken.hash(verifier))
}
