package import SyncEngine
package import UserAccounts

/// Changes for tests that do not ask when a user was made or changed.
extension UserDirectory {
    @discardableResult
    package func add(
        login: String, group: String, mail: String, isAdmin: Bool, passwordHash: String
    ) async throws(AccountError) -> User {
        try await add(
            login: login, group: group, mail: mail, isAdmin: isAdmin, passwordHash: passwordHash,
            at: Instant(milliseconds: 0))
    }

    package func edit(_ login: String, _ edit: UserEdit) async throws(AccountError) {
        try await self.edit(login, edit, at: Instant(milliseconds: 0))
    }
}
