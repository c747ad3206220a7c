import HTTPTypes
import SyncServer

/// The end of a sign-in in a browser, as an app asks for it by the parameters of the address that
/// it opens.
enum BrowserSignInEnd: Hashable {
    /// The session in the fragment of an address of the server, which the app watches.
    case fragment
    /// A code at an address of the app, which opens the session with the verifier of a challenge.
    case code(redirect: String, challenge: String)

    /// The parameters of an app that gets a code. Clients name the method too.
    private static let ofCode = ["post_login_redirect_url", "code_challenge"]
    private static let known =
        ofCode + ["code_challenge_method", "session_mode", "zumo-api-version"]

    /// Parameters that apps add for the provider. They do not change the end, and are passed over,
    /// because the operator says what the provider is asked for.
    private static let ofProvider = [
        "access_type", "display", "domain_hint", "login_hint", "prompt", "resource", "scope",
    ]

    /// Throws a refusal for the person at the browser if the app waits for another end, so that
    /// nobody signs in in vain.
    init(_ parameters: URLParameters) throws(AzureRefusal) {
        let names = parameters.pairs.map { $0.name.lowercased() }
        let served = Self.known + Self.ofProvider
        if let other = names.first(where: { !served.contains($0) }) {
            throw Self.refusal(of: other)
        }
        guard parameters["session_mode"] ?? "token" == "token" else {
            throw Self.refusal(of: "session_mode")
        }
        guard parameters["code_challenge_method"] ?? "S256" == "S256" else {
            throw Self.refusal(of: "code_challenge_method")
        }
        guard let name = names.first(where: Self.ofCode.contains) else {
            self = .fragment
            return
        }
        guard let redirect = parameters["post_login_redirect_url"],
            let challenge = parameters["code_challenge"].map(Self.urlSafe),
            BrowserCookie.isSecret(challenge)
        else { throw Self.refusal(of: name) }
        self = .code(redirect: redirect, challenge: challenge)
    }

    /// The clients write a challenge in Base64 with padding.
    private static func urlSafe(_ challenge: String) -> String {
        String(challenge.prefix { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 })
    }

    private static func refusal(of name: String) -> AzureRefusal {
        AzureRefusal(
            .badRequest,
            "This server cannot sign you in as the app asks, by '\(name.prefix(40))'. Sign in in "
                + "the app itself, or ask the operator of the server.")
    }
}
