import DefinitionModel
import Secrets
package import SyncEngine
package import UserAccounts

/// The request of an app for a sign-in in a browser.
package struct BrowserSignIn: Hashable, Sendable {
    package let provider: String
    package let redirect: String
    /// By S256 of the verifier with which the app opens the session.
    package let challenge: String
    package let state: String?
    /// The secret of the browser's cookie.
    package let browser: String
    /// The parameter of the redirect with the code.
    package let codeName: String

    package init(
        provider: String, redirect: String, challenge: String, state: String?, browser: String,
        codeName: String = "code"
    ) {
        self.provider = provider
        self.redirect = redirect
        self.challenge = challenge
        self.state = state
        self.browser = browser
        self.codeName = codeName
    }
}

extension BrowserSignIn {
    /// The sign-in of an app without a verifier, whose session is opened in the browser in which it
    /// began. See `SignInProviders.signIn(code:inBrowser:ofCategory:from:to:at:)`.
    package init(provider: String, redirect: String, endingInBrowser secret: String) {
        self.init(
            provider: provider, redirect: redirect,
            challenge: OpenIDConnect.challenge(of: verifier(ofBrowser: secret)), state: nil,
            browser: secret)
    }
}

/// The parameters with which a provider sends a browser back.
package struct ProviderAnswer: Hashable, Sendable {
    package let code: String?
    package let state: String?
    package let error: String?
    package let issuer: String?

    package init(code: String?, state: String?, error: String?, issuer: String?) {
        self.code = code
        self.state = state
        self.error = error
        self.issuer = issuer
    }
}

extension SignInProviders {
    package static let maxStateBytes = 512

    /// Checks the request, and returns the address of the provider to which the browser goes.
    /// Throws `providerUnknown` and `redirectUnknown` before anything is sent to the redirect.
    ///
    /// The provider must answer, otherwise the address is the redirect with an error.
    package func begin(
        _ signIn: BrowserSignIn, in environment: String, of engine: Engine, at now: Instant
    ) async throws(ProviderRefusal) -> (address: String, refusal: ProviderRefusal?) {
        let client = try client(signIn.provider, in: environment)
        let callback = try callback(of: client.provider, in: environment)
        guard client.provider.returns(to: signIn.redirect) else {
            throw .redirectUnknown(signIn.redirect)
        }
        let pending = PendingSignIn(
            environment: engine.environment.number, provider: signIn.provider,
            redirect: signIn.redirect, challenge: signIn.challenge, state: signIn.state,
            nonce: BearerToken.make(), verifier: BearerToken.make(),
            browser: browserHash(signIn.browser), codeName: signIn.codeName,
            expiresAt: now.adding(seconds: ProviderLimits.signInSeconds).milliseconds)
        do throws(ProviderUnavailable) {
            let description = try await client.description(at: now)
            guard let state = pending.sealed(by: engine.seal) else {
                throw ProviderUnavailable("its state cannot be sealed")
            }
            return (
                adding(
                    [
                        ("response_type", "code"), ("client_id", client.provider.clientID),
                        ("redirect_uri", callback),
                        ("scope", client.provider.scopes.joined(separator: " ")),
                        ("state", state), ("nonce", pending.nonce),
                        ("code_challenge", OpenIDConnect.challenge(of: pending.verifier)),
                        ("code_challenge_method", "S256"),
                    ], to: description.authorizationAddress), nil
            )
        } catch {
            let refusal = ProviderRefusal.unavailable(error.reason)
            return (pending.address(refusing: refusal), refusal)
        }
    }

    /// Ends a sign-in with the answer of the provider, and returns the address to which the browser
    /// goes: the redirect of the app with a code, or with an error.
    ///
    /// A browser that did not begin the sign-in, or too long ago, goes to the redirect with the
    /// error `stateUnknown`. Throws `stateUnknown` if nothing tells the redirect, or if the browser
    /// has ended the sign-in with a code already. One that ended with an error may be ended again,
    /// which signs nobody in: the provider takes its code once.
    package func finish(
        _ answer: ProviderAnswer, of name: String, browser: String?, in environment: String,
        to accounts: AccountEngine, at now: Instant
    ) async throws -> (address: String, refusal: ProviderRefusal?) {
        let client = try client(name, in: environment)
        guard let state = answer.state,
            let pending = PendingSignIn(state, seal: accounts.engine.seal),
            pending.environment == accounts.engine.environment.number,
            pending.provider.hasSameBytes(as: name),
            // The operator may have removed it since.
            client.provider.returns(to: pending.redirect)
        else { throw ProviderRefusal.stateUnknown }
        guard pending.browser == browser.map(browserHash), now.milliseconds < pending.expiresAt
        else { return (pending.address(refusing: .stateUnknown), .stateUnknown) }
        let used = SignInTicket(
            hash: BearerToken.hash("state " + state), body: "",
            expiresAt: Instant(milliseconds: pending.expiresAt))
        switch try await accounts.add(used, keeping: ProviderLimits.tickets, at: now) {
        case .added: break
        case .present: throw ProviderRefusal.stateUnknown
        case .full: throw ProviderRefusal.overloaded
        }
        do {
            let code = try await code(for: answer, pending, client, environment, accounts, at: now)
            return (pending.address([(pending.codeName ?? "code", code)]), nil)
        } catch let refusal as ProviderRefusal {
            // Otherwise strangers, who begin as many as they like, would fill the table.
            _ = try await accounts.takeTicket(hash: used.hash, at: now)
            return (pending.address(refusing: refusal), refusal)
        }
    }

    /// Verifies the answer, and stores the code with which the app opens the session.
    private func code(
        for answer: ProviderAnswer, _ pending: PendingSignIn, _ client: ProviderClient,
        _ environment: String, _ accounts: AccountEngine, at now: Instant
    ) async throws -> String {
        let provider = client.provider
        do throws(ProviderUnavailable) {
            // An answer of another provider must not get this one's code, or the reverse.
            let namesIssuer = try await client.description(at: now).namesIssuer
            guard answer.issuer.map({ $0 == provider.issuer }) ?? !namesIssuer else {
                throw ProviderUnavailable("its answer names another issuer, or none")
            }
        } catch {
            throw ProviderRefusal.unavailable(error.reason)
        }
        guard answer.error == nil, let given = answer.code else {
            throw ProviderRefusal.codeRefused
        }
        let token = try await client.idToken(
            code: given, verifier: pending.verifier,
            redirect: try callback(of: provider, in: environment), at: now)
        let proof = try await client.proof(of: token, nonce: pending.nonce, at: now)
        let code = BearerToken.make()
        let finished = FinishedSignIn(proof.identity, challenge: pending.challenge)
        let ticket = SignInTicket(
            hash: codeHash(code), body: finished.text ?? "",
            expiresAt: now.adding(seconds: ProviderLimits.codeSeconds))
        guard try await accounts.add(ticket, keeping: ProviderLimits.tickets, at: now) == .added
        else { throw ProviderRefusal.overloaded }
        return code
    }
}

extension SignInProviders {
    /// Opens a session by the code with which a browser returned, for an app without a verifier.
    /// The session ends the former one that was opened so in this browser: pages that send it to
    /// a sign-in again and again shall not end the user's other sessions.
    ///
    /// - Parameter secret: The secret of the browser's cookie, which no page and no app can read.
    package func signIn(
        code: String, inBrowser secret: String, ofCategory category: String,
        from address: String, to accounts: AccountEngine, at now: Instant
    ) async throws -> (session: SignedIn, token: NewToken) {
        try await signIn(
            code: code, verifier: verifier(ofBrowser: secret),
            on: SigningDevice(category: category, browserHash: browserHash(secret)),
            from: address, to: accounts, at: now)
    }
}

extension PendingSignIn {
    /// The redirect of the app, with its state.
    fileprivate func address(_ members: [(name: String, value: String)]) -> String {
        adding(members + (state.map { [("state", $0)] } ?? []), to: redirect)
    }

    fileprivate func address(refusing refusal: ProviderRefusal) -> String {
        address([("error", refusal.code.rawValue)])
    }
}

/// An address with further parameters. It has no fragment.
private func adding(_ members: [(name: String, value: String)], to address: String) -> String {
    address + (address.contains("?") ? "&" : "?") + formEncoded(members)
}

private func browserHash(_ secret: String) -> String {
    URLSafeBase64.text(of: BearerToken.hash("browser " + secret))
}

/// The verifier that stands for the browser in which a sign-in began.
private func verifier(ofBrowser secret: String) -> String {
    URLSafeBase64.text(of: BearerToken.hash("verifier " + secret))
}
