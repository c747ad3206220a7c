import JSON
import SyncEngine

/// A sign-in in a browser, between its start here and the return from the provider. It travels
/// sealed in the parameter `state`, so that nothing is stored for strangers.
struct PendingSignIn: Hashable, Codable {
    /// The number of the environment.
    let environment: Int64
    let provider: String
    /// The address to which the browser returns at last.
    let redirect: String
    /// The challenge of the app, which opens the session.
    let challenge: String
    /// The state of the app, which it gets back; nil if it sent none.
    let state: String?
    let nonce: String
    /// The verifier of the challenge that the provider gets.
    let verifier: String
    /// A hash of the secret in the cookie of the browser.
    let browser: String
    /// The parameter of the redirect with the code; nil for `code`, from an earlier server.
    let codeName: String?
    /// In milliseconds.
    let expiresAt: Int64

    /// No other sealed text begins so.
    private static let mark = Array("sign-in\0".utf8)

    func sealed(by seal: CursorSeal) -> String? {
        guard let body = encodedJSON(self) else { return nil }
        return seal.seal(Self.mark + body)
    }

    /// Nil for a text that was sealed for anything else, or by another database.
    init?(_ text: String, seal: CursorSeal) {
        guard text.utf8.count <= Self.maxBytes, let bytes = seal.open(text),
            bytes.starts(with: Self.mark),
            let pending = try? decodeMessage(
                Self.self, from: Array(bytes.dropFirst(Self.mark.count)))
        else { return nil }
        self = pending
    }

    init(
        environment: Int64, provider: String, redirect: String, challenge: String,
        state: String?, nonce: String, verifier: String, browser: String, codeName: String?,
        expiresAt: Int64
    ) {
        self.environment = environment
        self.provider = provider
        self.redirect = redirect
        self.challenge = challenge
        self.state = state
        self.nonce = nonce
        self.verifier = verifier
        self.browser = browser
        self.codeName = codeName
        self.expiresAt = expiresAt
    }

    private static let maxBytes = 8 << 10
}
