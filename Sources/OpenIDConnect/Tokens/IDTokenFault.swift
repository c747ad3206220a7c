/// The fault of an ID token.
package enum IDTokenFault: Error, Hashable, Sendable, CaseIterable {
    /// No signed token of three parts, or too long.
    case malformed
    /// Signed by another algorithm than RS256 and ES256.
    case algorithmRefused
    /// The provider has no such key.
    case keyUnknown
    case signatureWrong
    case issuerWrong
    /// For another client, or for others too.
    case audienceWrong
    /// Issued to another client.
    case partyWrong
    case expired
    /// Issued in the future, or more than a day ago.
    case timeWrong
    case nonceWrong
    case subjectMissing
    /// The claim that makes the login is missing or no text.
    case loginMissing
    /// The provider has not verified the mail address that makes the login.
    case mailUnverified
    /// Another device has used the token.
    case used

    /// For people.
    package var sentence: String {
        switch self {
        case .malformed: "it is not a signed token"
        case .algorithmRefused: "it is not signed by RS256 or ES256"
        case .keyUnknown: "its provider has no such key"
        case .signatureWrong: "its signature is wrong"
        case .issuerWrong: "it is of another issuer"
        case .audienceWrong: "it is not for this client alone"
        case .partyWrong: "it was issued to another client"
        case .expired: "it has expired"
        case .timeWrong: "its time is not acceptable"
        case .nonceWrong: "its nonce is not the expected one"
        case .subjectMissing: "it names nobody"
        case .loginMissing: "it lacks the claim for the login"
        case .mailUnverified: "its mail address is not verified"
        case .used: "another device has used it"
        }
    }
}
