package import UserAccounts

/// A sign-in with a provider that is refused.
package enum ProviderRefusal: Error, Hashable, Sendable {
    /// No such provider is for the environment, or none to which browsers are sent.
    case providerUnknown(String)
    /// The provider does not answer as it should. The reason is for the log.
    case unavailable(String)
    /// Too many sign-ins with the provider are running.
    case overloaded
    /// The address to which the browser should return is not one of the provider's.
    case redirectUnknown(String)
    /// The browser did not begin this sign-in, or too long ago, or it has ended already.
    case stateUnknown
    /// The provider did not sign the person in, or did not take its own code.
    case codeRefused
    case idToken(IDTokenFault)
    case identity(IdentityRefusal)
    /// The code for a session is unknown, used or expired, or its verifier is wrong.
    case signInCodeUnknown
}

extension ProviderRefusal {
    /// Whether the same request may succeed a moment later.
    package var isTemporary: Bool {
        switch self {
        case .unavailable, .overloaded: true
        case .providerUnknown, .redirectUnknown, .stateUnknown, .codeRefused, .idToken,
            .identity, .signInCodeUnknown:
            false
        }
    }

    /// As responses and redirects name it.
    package var code: ProviderRefusalCode {
        switch self {
        case .providerUnknown: .providerUnknown
        case .unavailable: .providerUnavailable
        case .overloaded: .overloaded
        case .redirectUnknown: .redirectUnknown
        case .stateUnknown: .stateUnknown
        case .codeRefused: .signInRefused
        case .idToken: .idTokenRefused
        case .identity(.userUnknown), .identity(.loginIllegal): .identityUnknown
        case .identity(.loginTaken): .loginTaken
        case .identity(.groupMissing): .groupMissing
        case .signInCodeUnknown: .signInCodeUnknown
        }
    }

    /// The sentence with what is for the log alone: the reason, or the redirect that the operator
    /// may have forgotten. It has no token and no code.
    package var loggedSentence: String {
        switch self {
        case .unavailable(let reason): "\(sentence): \(reason)"
        case .redirectUnknown(let redirect):
            "\(sentence): '\(String(decoding: redirect.utf8.prefix(300), as: UTF8.self))'"
        case .providerUnknown, .overloaded, .stateUnknown, .codeRefused, .idToken, .identity,
            .signInCodeUnknown:
            sentence
        }
    }

    /// For people, in lower case.
    package var sentence: String {
        switch self {
        case .providerUnknown(let name): "the environment has no provider '\(name)' for this"
        case .unavailable: "the provider does not answer as it should"
        case .overloaded: "too many users are signing in"
        case .redirectUnknown: "the provider has no such redirect"
        case .stateUnknown: "this browser has no such sign-in, or it has ended"
        case .codeRefused: "the provider did not sign you in"
        case .idToken(let fault): "the ID token is refused: \(fault.sentence)"
        case .identity(.userUnknown): "no user of the environment has this login"
        case .identity(.loginIllegal): "what the provider says is no login"
        case .identity(.loginTaken):
            "the user with this login has a password, or signs in as somebody else"
        case .identity(.groupMissing): "the provider names no group of the environment"
        case .signInCodeUnknown: "the code is unknown, used or expired, or of another verifier"
        }
    }
}
