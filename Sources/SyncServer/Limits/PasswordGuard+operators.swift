import NIOPosix
import Secrets

/// Passwords of operators, who belong to no environment.
extension PasswordGuard {
    /// Compares a password with a stored hash; nil takes as long and does not match. Throws
    /// `overloaded` if too many are waiting.
    package func verify(
        _ password: String, hash: String?, ofOperator name: String, from address: String,
        isOfKnownBrowser isKnown: Bool
    ) async throws -> Bool {
        let user = "operator \(name)"
        try await queue.enter(isKnown ? .user(user) : .address(address, user: user))
        defer { queue.leave() }
        return await matches(password, hash: hash)
    }

    /// Hashes a new password for an operator or by one. Throws `passwordIllegal`, or `overloaded`
    /// if too many are waiting.
    package func newHash(of password: String, byOperator name: String) async throws -> String {
        try checkIsAcceptable(password)
        try await queue.enter(.user("operator \(name)"))
        defer { queue.leave() }
        return try await threads.runIfActive { try PasswordHash.make(of: password) }
    }
}
