import SyncEngine

/// A person whom a provider has identified.
package struct ProvenIdentity: Hashable, Sendable {
    /// The name of the provider in the settings.
    package let provider: String
    /// Identifies the person for good, whatever login and mail address are: a hash of issuer and
    /// subject in URL-safe Base64.
    package let person: String
    package let login: String
    package let mail: String
    /// Nil if the person has no group of the definition.
    package let group: String?
    /// Whether the group is that of a present user too.
    package let decidesGroup: Bool
    /// Whether a login that no user has becomes a new user.
    package let makesUser: Bool

    package init(
        provider: String, person: String, login: String, mail: String, group: String?,
        decidesGroup: Bool, makesUser: Bool
    ) {
        self.provider = provider
        self.person = person
        self.login = login
        self.mail = mail
        self.group = group
        self.decidesGroup = decidesGroup
        self.makesUser = makesUser
    }
}

/// Why a person whom a provider has identified does not get a session.
package enum IdentityRefusal: Error, Hashable, Sendable {
    case loginIllegal
    /// No user has the login, and the provider makes none.
    case userUnknown
    /// The user with the login has a password, or signs in as somebody else.
    case loginTaken
    case groupMissing
}

extension ProvenIdentity {
    /// The user as it is stored after the sign-in. A user who has a password, or belongs to another
    /// person, is never taken over: the operator decides that, see `IdentityLink`.
    func admitted(as login: String, _ present: User?) -> Result<User, IdentityRefusal> {
        let link = IdentityLink(provider: provider, person: person)
        guard var user = present else {
            guard makesUser else { return .failure(.userUnknown) }
            guard Login.normalizedOfNewUser(login) != nil else { return .failure(.loginIllegal) }
            guard let group else { return .failure(.groupMissing) }
            return .success(
                User(
                    login: login, group: group, mail: mail, isAdmin: false,
                    passwordHash: link.text))
        }
        guard IdentityLink(user.passwordHash)?.admits(link) ?? false else {
            return .failure(.loginTaken)
        }
        user.passwordHash = link.text
        if decidesGroup {
            guard let group else { return .failure(.groupMissing) }
            user.group = group
        }
        return .success(user)
    }
}
