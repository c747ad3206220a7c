/// The reason why a sign-in with a provider was refused. The raw value is the code of the server.
public enum SignInRefusal: String, Hashable, Sendable, CaseIterable {
    /// The environment has no such provider, or it sends no browsers to it.
    case providerUnknown
    /// The provider does not return browsers to this address.
    case redirectUnknown
    /// This device did not begin the sign-in, has begun another one since, or has ended it already;
    /// or the browser did not begin it. Begin again.
    case stateUnknown
    /// The provider did not sign the person in. Begin again.
    case signInRefused
    /// The ID token does not pass a check of the server, such as that of its nonce.
    case idTokenRefused
    /// The code of the browser was used already, or is older than two minutes. Begin again.
    case signInCodeUnknown
    /// Nobody has the login, and the provider makes no new users.
    case identityUnknown
    /// The provider names no group of the definition.
    case groupMissing
    /// The login is that of somebody with a password, or of another person.
    case loginTaken
    /// The provider does not answer as it should. Try again later.
    case providerUnavailable
}

extension SignInRefusal: CustomStringConvertible {
    /// A message for people.
    public var description: String {
        switch self {
        case .providerUnknown: "there is no such provider"
        case .redirectUnknown: "the provider does not return to this app"
        case .stateUnknown: "this sign-in has not begun here, or has ended"
        case .signInRefused: "the provider did not sign you in"
        case .idTokenRefused: "the server does not accept the provider's token"
        case .signInCodeUnknown: "the sign-in took too long, or has ended already"
        case .identityUnknown: "nobody is known by this login"
        case .groupMissing: "the provider names no group for you"
        case .loginTaken: "somebody else has this login"
        case .providerUnavailable: "the provider does not answer as it should"
        }
    }

    /// Whether the same sign-in may succeed later without anybody doing anything.
    var isTemporary: Bool {
        switch self {
        case .providerUnavailable: true
        case .providerUnknown, .redirectUnknown, .stateUnknown, .signInRefused, .idTokenRefused,
            .signInCodeUnknown, .identityUnknown, .groupMissing, .loginTaken:
            false
        }
    }
}
