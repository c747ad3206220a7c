package import SyncEngine
package import UserAccounts

extension SignInSource {
    package static func test(_ login: String, from origin: UInt8 = 1) -> SignInSource {
        SignInSource(login: login, origin: [origin])
    }
}

extension AccountStore {
    /// A sign-in of a user with few devices.
    package func openSession(
        _ session: Session, passwordHash: String, at now: Instant
    ) async throws(StoreError) -> Bool {
        try await openSession(
            session, passwordHash: passwordHash, from: .test(session.login),
            within: SignInLimits(sessions: 100, devices: 100), at: now)
    }
}
