/// The limits of what is asked of a provider.
package enum ProviderLimits {
    /// The size of a description, of keys, and of an answer to a code.
    package static let answerBytes = 256 << 10
    package static let callSeconds = 10
    static let idleSeconds = 5
    /// Calls of one provider at the same time.
    static let calls = 8
    /// Codes of one provider that are exchanged at the same time, or wait for it.
    package static let exchanges = 64
    /// Description and keys are used for this long without asking again.
    package static let freshSeconds: Int64 = 3600
    /// They are used for this long while the provider does not answer.
    package static let staleSeconds: Int64 = 86_400
    /// The pause after a request that failed.
    static let pauseSeconds: Int64 = 5
    /// Further requests for keys in one minute, because of tokens that name unknown ones.
    package static let extraRequestsPerMinute = 6
    /// From the start of a sign-in in a browser until its end.
    package static let signInSeconds: Int64 = 600
    /// From the end of a sign-in in a browser until the app opens the session.
    package static let codeSeconds: Int64 = 120
    /// Browsers that one address may send back from providers in ten minutes.
    package static let returnsOfAddress = 600
    /// Sign-ins and ID tokens of an environment that are remembered, so that none is used twice.
    package static let tickets = 100_000
}
