import DefinitionModel
package import SyncEngine
package import UserAccounts

extension MemoryDatabase {
    package func signInState(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant
    ) throws(StoreError) -> SignInState {
        let environment = try read(environment)
        let failed = environment.failedSignIns[SourceKey(source)]
        return SignInState(
            user: environment.users[ByteKey(source.login)],
            failed: failed.flatMap { $0.isRecent(at: now) ? $0 : nil } ?? .nothing,
            fingerprint: environment.state.fingerprint)
    }

    package func addFailedSignIn(
        of source: SignInSource, in environment: EnvironmentID, at now: Instant, keeping max: Int
    ) throws(StoreError) {
        try write(in: environment) { environment in
            let key = SourceKey(source)
            environment.failedSignIns = environment.failedSignIns.filter {
                $0.value.isRecent(at: now)
            }
            environment.failedSignIns[key] = FailedSignIns(
                count: (environment.failedSignIns[key]?.count ?? 0) + 1, last: now)
            let sources = environment.failedSignIns.sorted {
                ($0.value.last ?? now, $0.key) > ($1.value.last ?? now, $1.key)
            }
            for (source, _) in sources.dropFirst(max) {
                environment.failedSignIns[source] = nil
            }
        }
    }

    package func openSession(
        _ session: Session, passwordHash: String, from source: SignInSource,
        within limits: SignInLimits, at now: Instant
    ) throws(StoreError) -> Bool {
        try write { contents throws(StoreError) in
            var environment = try contents.environment(session.environment)
            guard let user = environment.users[ByteKey(session.login)],
                ByteKey(user.passwordHash) == ByteKey(passwordHash)
            else { return false }
            environment.failedSignIns[SourceKey(source)] = nil
            contents.sessions = contents.sessions.filter { $0.value.expiresAt > now }
            for other in contents.sessions(ofUserOf: session).dropFirst(limits.sessions - 1) {
                contents.sessions[other.tokenHash] = nil
            }
            guard contents.sessions[session.tokenHash] == nil else {
                throw .failed("there is a session with this token")
            }
            contents.sessions[session.tokenHash] = session
            let others = environment.otherDevices(than: session.device)
            contents.environments[session.environment] = environment
            for other in others.dropFirst(limits.devices - 1) {
                contents.forget(other, in: session.environment)
            }
            let login = ByteKey(session.login)
            let device = ByteKey(session.deviceIdentifier)
            contents.environments[session.environment]?.devices[login, default: [:]][device] = (
                session.device, now
            )
            return true
        }
    }

    package var presumesSessions: Bool { false }

    package func presumedSession(
        tokenHash: [UInt8], in environment: EnvironmentID, at now: Instant
    ) -> OpenSession? { nil }

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

    package func sessions(
        of login: String, in environment: EnvironmentID, at now: Instant
    ) throws(StoreError) -> [Session] {
        read().sessions.values.filter {
            $0.environment == environment && ByteKey($0.login) == ByteKey(login)
                && $0.expiresAt > now
        }.sorted { left, right in
            let (one, other) = (ByteKey(left.deviceIdentifier), ByteKey(right.deviceIdentifier))
            return one == other
                ? left.tokenHash.lexicographicallyPrecedes(right.tokenHash) : one < other
        }
    }

    package func signedInDevices(
        _ query: SignedInQuery
    ) throws(StoreError) -> [SignedInDevice] {
        let open = read().sessions.values.filter {
            $0.environment == query.environment && $0.expiresAt > query.moment
        }
        let found = Dictionary(grouping: open, by: \.place).filter { place, _ in
            query.after.keys.lexicographicallyPrecedes(place.keys) && place.has(query.search)
        }
        let devices = found.map { place, sessions in
            SignedInDevice(
                place: place, expiresAt: sessions.map(\.expiresAt).max() ?? query.moment)
        }
        return Array(
            devices.sorted { $0.place.keys.lexicographicallyPrecedes($1.place.keys) }
                .prefix(query.limit))
    }
}

extension Session {
    fileprivate var place: SignedInDevice.ListPosition {
        SignedInDevice.ListPosition(
            login: login, identifier: deviceIdentifier, category: deviceCategory)
    }
}

extension SignedInDevice.ListPosition {
    fileprivate var keys: [ByteKey] { [login, identifier, category].map { ByteKey($0) } }

    fileprivate func has(_ search: String) -> Bool {
        [login, identifier].contains { text in
            lowercaseASCII(text).contains(lowercaseASCII(search))
        }
    }
}

/// The bytes of a text, with small ASCII letters.
func lowercaseASCII(_ text: String) -> [UInt8] {
    text.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
}

extension FailedSignIns {
    fileprivate func isRecent(at now: Instant) -> Bool {
        last.map { $0 >= now.adding(seconds: -Self.keptSeconds) } ?? false
    }
}

extension Contents {
    /// The one that expires last comes first.
    fileprivate func sessions(ofUserOf session: Session) -> [Session] {
        sessions.values.filter {
            $0.environment == session.environment && ByteKey($0.login) == ByteKey(session.login)
        }.sorted { left, right in
            left.expiresAt == right.expiresAt
                ? right.tokenHash.lexicographicallyPrecedes(left.tokenHash)
                : left.expiresAt > right.expiresAt
        }
    }
}
