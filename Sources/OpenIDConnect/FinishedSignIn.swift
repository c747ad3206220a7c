import JSON
import UserAccounts

/// A sign-in whose person is known, until the app opens the session by its code.
struct FinishedSignIn: Hashable, Codable {
    /// The challenge of the app.
    let challenge: String
    private let provider: String
    private let person: String
    private let login: String
    private let mail: String
    private let group: String?
    private let decidesGroup: Bool
    private let makesUser: Bool

    init(_ identity: ProvenIdentity, challenge: String) {
        self.challenge = challenge
        provider = identity.provider
        person = identity.person
        login = identity.login
        mail = identity.mail
        group = identity.group
        decidesGroup = identity.decidesGroup
        makesUser = identity.makesUser
    }

    /// From the body of a ticket; nil for that of another kind.
    init?(_ body: String) {
        guard let finished = try? decodeMessage(Self.self, from: Array(body.utf8)) else {
            return nil
        }
        self = finished
    }

    /// The body of its ticket.
    var text: String? { encodedJSON(self).map { String(decoding: $0, as: UTF8.self) } }

    var identity: ProvenIdentity {
        ProvenIdentity(
            provider: provider, person: person, login: login, mail: mail, group: group,
            decidesGroup: decidesGroup, makesUser: makesUser)
    }
}
