import Hummingbird
import OpenIDConnect
import Secrets
import SyncEngine
import SyncProtocol
import SyncServer
import UserAccounts

/// Signing in with a provider.
extension Routes {
    /// Sends the browser to the provider, with a cookie by which it is known when it returns.
    @Sendable func beginBrowserSignIn(_ exchange: Exchange) async throws -> Response {
        let query = try URLQuery(
            exchange.request, names: ["provider", "redirect", "challenge", "state"])
        guard let challenge = query["challenge"], BrowserCookie.isSecret(challenge) else {
            throw HTTPFailure.parameterIllegal(
                "challenge", "is no SHA-256 in URL-safe Base64: 43 characters")
        }
        if let state = query["state"], state.utf8.count > SignInProviders.maxStateBytes {
            throw HTTPFailure.parameterIllegal(
                "state", "is longer than \(SignInProviders.maxStateBytes) bytes")
        }
        let browser = cookie.secret(of: exchange.request) ?? BearerToken.make()
        let signIn = BrowserSignIn(
            provider: query["provider"] ?? "", redirect: query["redirect"] ?? "",
            challenge: challenge, state: query["state"], browser: browser)
        let (address, refusal) = try await refusing(exchange) {
            try await providers.begin(
                signIn, in: exchange.environment.name, of: exchange.engine, at: exchange.now)
        }
        if let refusal { note(refusal, exchange) }
        return cookie.redirect(to: address, with: browser, seconds: ProviderLimits.signInSeconds)
    }

    /// Takes the browser back from the provider, and sends it to the app. Providers may add
    /// parameters of their own.
    @Sendable func finishBrowserSignIn(_ exchange: Exchange) async throws -> Response {
        let request = exchange.request
        let answer: ProviderAnswer
        do {
            answer = ProviderAnswer(
                code: try request.queryValue("code"), state: try request.queryValue("state"),
                error: try request.queryValue("error"), issuer: try request.queryValue("iss"))
        } catch {
            throw HTTPFailure(.stateUnknown)
        }
        let seconds = browserReturns.wait(of: exchange.context.clientAddress, at: exchange.now)
        guard seconds == 0 else { throw HTTPFailure.tooManySignIns(seconds) }
        let name = try exchange.parameter("provider")
        let (address, refusal) = try await refusing(exchange) {
            try await providers.finish(
                answer, of: name, browser: cookie.secret(of: request),
                in: exchange.environment.name, to: exchange.environment.accounts,
                at: exchange.now)
        }
        if let refusal { note(refusal, exchange) }
        return .privateRedirect(to: address)
    }

    /// The providers that the environment has, for an app's choice of sign-ins.
    @Sendable func listProviders(_ exchange: Exchange) async throws -> Response {
        let listed = providers.listed(in: exchange.environment.name)
        return try .json(
            ProvidersResponse(
                providers: listed.map {
                    ProvidersResponse.ProviderMessage(name: $0.name, browser: $0.takesBrowsers)
                }))
    }

    /// Opens a session by an ID token.
    func signIn(
        idToken: String, nonce: String?, of provider: String, on device: SigningDevice,
        _ exchange: Exchange
    ) async throws -> (session: SignedIn, token: NewToken) {
        try await refusing(exchange) {
            try await providers.signIn(
                idToken: idToken, nonce: nonce, of: provider, in: exchange.environment.name,
                on: device, from: exchange.context.clientAddress,
                to: exchange.environment.accounts, at: exchange.now)
        }
    }

    /// Opens a session by the code of a sign-in in a browser.
    func signIn(
        code: String, verifier: String, on device: SigningDevice, _ exchange: Exchange
    ) async throws -> (session: SignedIn, token: NewToken) {
        try exchange.countSignInCode()
        return try await refusing(exchange) {
            try await providers.signIn(
                code: code, verifier: verifier, on: device,
                from: exchange.context.clientAddress, to: exchange.environment.accounts,
                at: exchange.now)
        }
    }

    private var cookie: BrowserCookie { BrowserCookie(isSecure: providers.isSecure) }

    private func refusing<Value>(
        _ exchange: Exchange, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as ProviderRefusal {
            note(refusal, exchange)
            throw HTTPFailure(refusal)
        }
    }

    private func note(_ refusal: ProviderRefusal, _ exchange: Exchange) {
        exchange.note(refusedSignIn: refusal.code.rawValue, cause: refusal.loggedSentence)
    }
}
