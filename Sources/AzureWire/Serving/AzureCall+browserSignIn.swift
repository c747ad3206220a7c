import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import OpenIDConnect
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Signing in in a browser, which the app opens at a page of the server. It waits until the browser
/// ends at `done`, with the session in the fragment of that address, or at an address of its own,
/// with a code for which it gets the session.
extension AzureCall {
    private var cookie: BrowserCookie { BrowserCookie(isSecure: providers.isSecure) }

    /// The parts of the path. A slash at its end adds none.
    private var path: [Substring] { exchange.request.uri.path.split(separator: "/") }

    /// Sends the browser to the provider. The operator has named the address to which it returns
    /// among the redirects of the provider.
    func beginBrowserSignIn() async throws -> Response {
        let provider = try exchange.parameter("provider")
        let secret = cookie.secret(of: exchange.request) ?? BearerToken.make()
        let signIn = try browserSignIn(with: provider, in: secret)
        let address = try await telling(provider) {
            let (address, refusal) = try await providers.begin(
                signIn, in: exchange.environment.name, of: exchange.engine, at: exchange.now)
            if let refusal { throw refusal }
            return address
        }
        return cookie.redirect(to: address, with: secret, seconds: ProviderLimits.signInSeconds)
    }

    /// A page of another site may not begin a sign-in that opens a session in the browser, which
    /// nobody there asked for. With a code, the app opens it, as on the native wire.
    private func browserSignIn(
        with provider: String, in browser: String
    ) throws -> BrowserSignIn {
        switch try BrowserSignInEnd(parameters) {
        case .code(let redirect, let challenge):
            return BrowserSignIn(
                provider: provider, redirect: redirect, challenge: challenge, state: nil,
                browser: browser, codeName: "authorization_code")
        case .fragment:
            guard exchange.request.isOfAnotherSite != true else {
                throw AzureRefusal(
                    .forbidden,
                    "A page of another site cannot sign you in here. Go back to the app, and "
                        + "sign in there.")
            }
            return BrowserSignIn(
                provider: provider,
                redirect: wholeURL(of: "/\(path.joined(separator: "/"))/callback"),
                endingInBrowser: browser)
        }
    }

    /// Opens the session, and sends the browser to the address for which the app waits. The browser
    /// is the device of the session, because it does not tell the installation.
    func endBrowserSignIn() async throws -> Response {
        let provider = try exchange.parameter("provider")
        if let code = parameters["error"] {
            throw Self.pageRefusal(ProviderRefusalCode(rawValue: code), provider)
        }
        try exchange.countSignInCode()
        let opened = try await telling(provider) {
            guard let code = parameters["code"],
                let secret = cookie.secret(of: exchange.request)
            else { throw ProviderRefusal.stateUnknown }
            return try await providers.signIn(
                code: code, inBrowser: secret, ofCategory: clients.deviceCategory,
                from: exchange.context.clientAddress, to: exchange.environment.accounts,
                at: exchange.now)
        }
        let session = JSONValue.object(
            Self.members(ofSession: opened.token.text, login: opened.session.login))
        return .privateRedirect(
            to: wholeURL(of: "/\(path.dropLast(2).joined(separator: "/"))/done")
                + "#token=\(percentEncoded(session.text))")
    }

    /// The page at which the browser ends, if the app leaves it open.
    func signedInPage() -> Response {
        let text = "You can go back to the app.\n"
        return .text(
            of: "text/plain; charset=utf-8",
            ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: - Refusals

    private func telling<Value>(
        _ provider: String, _ body: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await body()
        } catch let refusal as ProviderRefusal {
            note(refusal)
            throw Self.pageRefusal(refusal.code, provider)
        }
    }

    /// A refusal in words for the person at the browser.
    ///
    /// - Parameter code: Nil for one that no redirect has.
    private static func pageRefusal(
        _ code: ProviderRefusalCode?, _ provider: String
    ) -> AzureRefusal {
        switch code {
        case .providerUnknown, .redirectUnknown:
            AzureRefusal(
                .unauthorized,
                "This server has no page for signing in with '\(provider)'. Sign in in the app "
                    + "itself, or ask the operator of the server to let browsers sign in so.")
        case .providerUnavailable, .overloaded:
            AzureRefusal(
                .serviceUnavailable,
                "Nobody can sign in so at the moment. Go back to the app, and try again in some "
                    + "minutes.")
        case .identityUnknown, .groupMissing, .loginTaken:
            AzureRefusal(
                .unauthorized,
                "You are no user of this app, or one who signs in in another way. Ask the "
                    + "operator of the server.")
        case .stateUnknown, .signInRefused, .idTokenRefused, .signInCodeUnknown, nil:
            AzureRefusal(
                .unauthorized,
                "You are not signed in: this sign-in was cancelled, has ended, or did not begin "
                    + "in this browser. Go back to the app, and sign in again.")
        }
    }
}
