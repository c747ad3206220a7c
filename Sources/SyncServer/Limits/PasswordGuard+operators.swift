import NIOPosix
import Secrets

/// Passwords of operators, who belong to no environment.
extension PasswordGuard {
    /// Compares a password with a stored hash; nil takes as long and does not match. Throws
    /// `overloaded` if too many are waiting.
    package func verify(
        _ password: String, hash: String?, ofOperator name: String, from address: String
    ) async throws -> Bool {
        try await queue.enter(.address(address, user: "operator \(name)"))
        defer { queue.leave() }
        return await matches(password, hash: hash)
    }

    /// Hashes a new password for an operator or by one. Throws `passwordIllegal`, or `overloaded`
    /// if too many are waiting.
    package func newHash(of password: String, byOperator name: String) async throws -> String {
        guard (1...PasswordHash.maxPasswordBytes).contains(password.utf8.count) else {
            throw HTTPFailure.passwordIllegal(maxBytes: PasswordHash.maxPasswordBytes)
        }
        try await queue.enter(.user("operator \(name)"))
        defer { queue.leave() }
        return try await threads.runIfActive { try PasswordHash.make(of: password) }
    }
}
