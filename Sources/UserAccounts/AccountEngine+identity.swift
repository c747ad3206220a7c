import DefinitionModel
package import SyncEngine

/// The device on which somebody signs in.
package struct SigningDevice: Hashable, Sendable {
    package let category: String
    package let identifier: String
    /// Whether it is a browser, whose new session ends the former ones of its user.
    package let isBrowser: Bool

    package init(category: String, identifier: String) {
        self.category = category
        self.identifier = identifier
        isBrowser = false
    }

    /// A browser in which the session of an app is opened, which says nothing of its installation.
    ///
    /// - Parameter hash: That of a secret of the browser.
    package init(category: String, browserHash hash: String) {
        self.category = category
        identifier = Self.browserPrefix + hash
        isBrowser = true
    }

    private static let browserPrefix = "browser-"

    /// Whether a session of this device was opened in a browser.
    package static func isBrowser(_ identifier: String) -> Bool {
        identifier.hasPrefix(browserPrefix)
    }
}

/// Sessions of people whom a provider has identified.
extension AccountEngine {
    /// Opens a session, and makes or changes the user as the identity says.
    package func signIn(
        _ identity: ProvenIdentity, on device: SigningDevice, from address: String,
        token: NewToken, at now: Instant
    ) async throws(SyncError) -> Result<SignedIn, IdentityRefusal> {
        try engine.checkDevice(device.identifier)
        guard let login = Login.normalized(identity.login) else { return .failure(.loginIllegal) }
        let source = SignInSource(login: login, address: address, knownDevice: nil)
        let state = try await signInState(of: source, at: now)
        try engine.checkIsCurrent(state.fingerprint)
        try await engine.checkIsDeployed()
        let expiresAt = now.adding(seconds: engine.limits.sessionSeconds)
        // The user may change between the writing and the opening.
        for _ in 0..<2 {
            let user: User
            let role: Role
            switch try await linkedUser(login, identity, on: device, at: now) {
            case .success(let linked): (user, role) = linked
            case .failure(let refusal): return .failure(refusal)
            }
            if device.isBrowser {
                try await endSessions(of: login, on: device.identifier, at: now)
            }
            let session = Session(
                tokenHash: token.hash, environment: engine.environment, login: login,
                deviceCategory: device.category, deviceIdentifier: device.identifier,
                expiresAt: expiresAt, openedAt: now)
            let isOpen = try await engine.reading { () async throws(StoreError) in
                try await store.openSession(
                    session, passwordHash: user.passwordHash, from: source,
                    within: SignInLimits(engine.limits), at: now)
            }
            if isOpen {
                return .success(
                    SignedIn(expiresAt: expiresAt, login: login, group: user.group, role: role))
            }
        }
        return .failure(.loginTaken)
    }

    /// The stored user, made or changed where necessary. Throws `roleUnknown` before anything is
    /// written.
    private func linkedUser(
        _ login: String, _ identity: ProvenIdentity, on device: SigningDevice, at now: Instant
    ) async throws(SyncError) -> Result<(User, Role), IdentityRefusal> {
        let present = try await engine.reading { () async throws(StoreError) in
            try await engine.store.user(login, in: engine.environment)
        }
        if present == nil, identity.makesUser, try await ownsRecords(login) {
            return .failure(.loginTaken)
        }
        let wanted: User
        switch identity.admitted(as: login, present) {
        case .success(let user): wanted = user
        case .failure(let refusal): return .failure(refusal)
        }
        let role = try engine.role(group: wanted.group, deviceCategory: device.category)
        guard wanted != present else { return .success((wanted, role)) }
        let refusal = try await engine.reading { () async throws(StoreError) in
            try await store.changeUser(login, in: engine.environment, at: now) { present, _ in
                identity.admitted(as: login, present).map { .write($0, endingSessions: false) }
            }
        }
        if let refusal { return .failure(refusal) }
        return .success((wanted, role))
    }
}

/// Tickets of sign-ins.
extension AccountEngine {
    /// Remembers a ticket. Throws `definitionChanged` before anything is written.
    package func add(
        _ ticket: SignInTicket, keeping max: Int, at now: Instant
    ) async throws(SyncError) -> SignInTicketAddition {
        try await engine.checkIsDeployed()
        return try await engine.reading { () async throws(StoreError) in
            try await store.addSignInTicket(
                ticket, in: engine.environment, keeping: max, at: now)
        }
    }

    /// Takes a ticket, which is then gone. Nil if there is none that is valid.
    package func takeTicket(
        hash: [UInt8], at now: Instant
    ) async throws(SyncError) -> SignInTicket? {
        try await engine.checkIsDeployed()
        return try await engine.reading { () async throws(StoreError) in
            try await store.takeSignInTicket(hash: hash, in: engine.environment, at: now)
        }
    }
}
