import Secrets

/// The user as whom clients act that send a key. It passes by no right: the user's decide.
package struct ParseMaster: Hashable, Sendable {
    let key: String
    let login: String

    package init(key: String, login: String) {
        self.key = key
        self.login = login
    }

    func accepts(_ given: String?) -> Bool {
        // Hashes are compared, so that the time tells nothing of the key.
        given.map { BearerToken.hash($0) } == BearerToken.hash(key)
    }
}
