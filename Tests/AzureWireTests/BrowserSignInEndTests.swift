import Testing

@testable import AzureWire

/// Apps ask for the end of a sign-in in a browser by the parameters of its address.
@Suite struct BrowserSignInEndTests {
    /// SHA-256 of the text `verifier 2`, as clients of .NET write it.
    private static let challenge = "PgNqSUZqJ+LQusKQSnEowsAdI3Cexll4ilMqvc44e/Y="

    @Test(arguments: [
        "", "session_mode=token", "zumo-api-version=2.0.0",
        "Session_Mode=token&access_type=offline&prompt=consent",
    ]) func sessionIsInFragment(query: String) throws {
        #expect(try BrowserSignInEnd(URLParameters(query: query)) == .fragment)
    }

    @Test func appGetsCode() throws {
        let text = Self.challenge.replacing("+", with: "%2B").replacing("/", with: "%2F")
        for text in [text, text.replacing("=", with: "%3D")] {
            let query =
                "post_login_redirect_url=app%3A%2F%2Feasyauth.callback%2F&code_challenge=\(text)"
                + "&code_challenge_method=S256&session_mode=token&domain_hint=x"
            let challenge = "PgNqSUZqJ-LQusKQSnEowsAdI3Cexll4ilMqvc44e_Y"
            #expect(
                try BrowserSignInEnd(URLParameters(query: query))
                    == .code(redirect: "app://easyauth.callback/", challenge: challenge))
        }
    }

    @Test(arguments: [
        ("completion_type=postMessage", "completion_type"),
        ("session_mode=token&completion_type=postMessage&completion_origin=x", "completion_type"),
        ("session_mode=cookie", "session_mode"), ("sso_end_uri=x", "sso_end_uri"),
        ("post_login_redirect_uri=app:/x", "post_login_redirect_uri"),
        ("post_login_redirect_url=app:/x", "post_login_redirect_url"),
        ("code_challenge=\(challenge)", "code_challenge"),
        ("post_login_redirect_url=app:/x&code_challenge=short", "post_login_redirect_url"),
        (
            "post_login_redirect_url=app:/x&code_challenge=x&code_challenge_method=plain",
            "code_challenge_method"
        ),
    ]) func otherEndIsRefused(query: String, name: String) throws {
        let parameters = try URLParameters(query: query)
        let refusal = #expect(throws: AzureRefusal.self) { try BrowserSignInEnd(parameters) }
        #expect(refusal?.text.contains("'\(name)'") == true)
    }
}
