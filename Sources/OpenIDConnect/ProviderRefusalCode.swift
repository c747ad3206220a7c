/// The code of a refusal, as responses and the redirects of apps have it.
package enum ProviderRefusalCode: String, Hashable, Sendable, CaseIterable {
    case providerUnknown
    case providerUnavailable
    case overloaded
    case redirectUnknown
    case stateUnknown
    case signInRefused
    case idTokenRefused
    case identityUnknown
    case loginTaken
    case groupMissing
    case signInCodeUnknown
}
