import DefinitionModel
package import SyncEngine
package import UserAccounts

extension MemoryDatabase {
    package func admitSignIn(
        of login: String, in environment: EnvironmentID, at now: Instant,
        waiting: @escaping @Sendable (FailedSignIns) -> Int64
    ) throws(StoreError) -> SignInAdmission {
        try write(in: environment) { environment in
            environment.forgetFailures(before: now.adding(seconds: -3600))
            let failed =
                environment.failedSignIns[ByteKey(login)] ?? FailedSignIns(count: 0, last: nil)
            let seconds = waiting(failed)
            guard seconds == 0 else { return .wait(seconds: seconds) }
            environment.failedSignIns[ByteKey(login)] = FailedSignIns(
                count: failed.count + 1, last: now)
            return .admitted(
                environment.users[ByteKey(login)], fingerprint: environment.state.fingerprint)
        }
    }

    package func openSession(
        _ session: Session, passwordHash: String, at now: Instant
    ) throws(StoreError) -> Bool {
        try write { contents throws(StoreError) in
            let environment = try contents.environment(session.environment)
            guard let user = environment.users[ByteKey(session.login)],
                ByteKey(user.passwordHash) == ByteKey(passwordHash)
            else { return false }
            contents.environments[environment.id]?.failedSignIns[ByteKey(session.login)] = nil
            contents.sessions = contents.sessions.filter { $0.value.expiresAt > now }
            guard contents.sessions[session.tokenHash] == nil else {
                throw .failed("there is a session with this token")
            }
            contents.sessions[session.tokenHash] = session
            return true
        }
    }

    package func session(
        tokenHash: [UInt8], in id: EnvironmentID, at now: Instant
    ) throws(StoreError) -> OpenSession? {
        let contents = read()
        let environment = try contents.environment(id)
        guard let session = contents.sessions[tokenHash], session.environment == id,
            session.expiresAt > now, let user = environment.users[ByteKey(session.login)]
        else { return nil }
        return OpenSession(
            session: session, group: user.group, isAdmin: user.isAdmin,
            moment: environment.moment, fingerprint: environment.state.fingerprint)
    }

    package func endSession(tokenHash: [UInt8]) throws(StoreError) {
        try write { $0.sessions[tokenHash] = nil }
    }
}

extension Environment {
    fileprivate mutating func forgetFailures(before oldest: Instant) {
        failedSignIns = failedSignIns.filter { $0.value.last.map { $0 >= oldest } ?? false }
    }
}
