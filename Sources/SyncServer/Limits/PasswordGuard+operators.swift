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
        return try await withTurn(of: isKnown ? .user(user) : .address(address, user: user)) {
            await matches(password, hash: hash)
        }
    }

    /// Hashes a new password for an operator or by one. Throws `passwordIllegal`, or `overloaded`
    /// if too many are waiting.
    package func newHash(of password: String, byOperator name: String) async throws -> String {
        try checkIsAcceptable(password)
        return try await withTurn(of: .user("operator \(name)")) { try await hash(password) }
    }
}
