import AccessPolicy
import DefinitionModel
import Foundation
import Hashing
import JSON
import Secrets
import SyncProtocol

extension Database {
    /// Signs a user in on the server and opens their database on this device.
    ///
    /// Where the server cannot be reached, a user who logged in on this device before is checked
    /// against the stored hash of their password, and has the role that they had then. Each user
    /// has a database of their own; it is not visible to others, and unsent changes wait in it.
    ///
    /// Throws `wrongCredentials`, `roleUnknown` if the group has no role on this device
    /// category, and `unreachable` or `busy` if the server is needed and does not answer.
    @discardableResult
    public func logIn(_ login: String, password: String) async throws(SyncFailure) -> User {
        try await opening { try await session(for: login, password: password) }
    }

    /// Ends the session. Unsent changes are kept, and are sent after the user has logged in again.
    /// Nobody can continue a session afterwards, see ``continueSession()``.
    ///
    /// Throws if the token of the session cannot be deleted from the device; nobody is logged in
    /// then either.
    public func logOut() async throws(DatabaseError) {
        let session = state.withLock { state in
            let session = state.session
            state.session = nil
            return session
        }
        do {
            let login = try session?.user.login ?? device.stayingUser()?.login
            guard let login else { return }
            let token = try session?.token ?? device.token(of: login)
            try device.forgetSession(of: login)
            guard let token else { return }
            // Without an answer the session ends on the server when it expires.
            _ = try? await wire.send(
                WireRequest(method: "DELETE", path: "v1/\(environment)/session", token: token))
        } catch {
            throw DatabaseError(error)
        }
    }

    var environment: String { settings.mode.environment }

    /// Makes a session that of the database.
    func opening(
        _ session: () async throws -> LocalSession
    ) async throws(SyncFailure) -> User {
        do {
            let session = try await session()
            state.withLock { $0.session = session }
            return session.user
        } catch {
            throw SyncFailure(ofSignIn: error)
        }
    }

    private func session(for login: String, password: String) async throws -> LocalSession {
        if case .development(let group) = settings.mode {
            return try open(
                DeviceFile.KnownUser(login: login, group: group, instance: "development"),
                token: nil)
        }
        let request = try request(for: .password(login: login, password: password))
        let answer: WireAnswer
        do {
            answer = try await wire.send(request)
        } catch {
            return try offline(login, password: password, SyncFailure(error))
        }
        guard answer.status == 201 else {
            let failure = SyncFailure(answer)
            guard answer.status >= 500, failure.isTemporary else { throw failure }
            return try offline(login, password: password, failure)
        }
        return try keep(answer, as: login, passwordHash: try PasswordHash.make(of: password))
    }

    /// The request for a session on this device.
    func request(for proof: SessionRequest.Proof) throws -> WireRequest {
        let message = SessionRequest(
            proof, deviceCategory: settings.deviceCategory,
            deviceIdentifier: try device.deviceIdentifier())
        return WireRequest(
            method: "POST", path: "v1/\(environment)/session",
            body: Array(try StoredJSON.encode(message).utf8))
    }

    /// Stores the user and the token of a new session, and opens it. `passwordHash` is nil after a
    /// sign-in with a provider, and `typed` the login where the user has typed one.
    func keep(
        _ answer: WireAnswer, as typed: String? = nil, passwordHash: String?
    ) throws -> LocalSession {
        let response = try decodeMessage(SessionResponse.self, from: answer.body)
        let user = DeviceFile.KnownUser(
            login: response.login, group: response.group, instance: response.instance,
            passwordHash: passwordHash)
        try device.store(token: response.token, of: response.login)
        try device.remember(user, as: typed ?? response.login)
        return try open(user, token: response.token)
    }

    /// Opens the session that the last login on this device had, with its token.
    private func offline(
        _ login: String, password: String, _ failure: SyncFailure
    ) throws -> LocalSession {
        guard let known = try device.known(login), let hash = known.passwordHash else {
            throw failure
        }
        guard PasswordHash.matches(password, hash: hash) else {
            throw SyncFailure.wrongCredentials
        }
        try device.endOtherStay()
        return try open(known, token: try device.token(of: known.login), isOffline: true)
    }

    func open(
        _ known: DeviceFile.KnownUser, token: String?, isOffline: Bool = false
    ) throws -> LocalSession {
        let (login, group) = (known.login, known.group)
        let role = Role(group: group, deviceCategory: settings.deviceCategory)
        guard definition.definition.roles.contains(role) else {
            throw SyncFailure.roleUnknown(
                "the definition has no role '\(role.name)', which '\(login)' has on this device")
        }
        let place = place(of: login, instance: known.instance)
        let asker = Asker(login: login, group: group, role: role)
        let rules = LocalRules(definition.definition, asker: asker)
        let store = try store(at: place.appendingPathExtension("sqlite").path)
        try store.adopt(rules)
        return LocalSession(
            user: User(login: login, group: group, role: role.name, isOffline: isOffline),
            rules: rules, store: store,
            contents: ContentsFolder(place: place.appendingPathExtension("files")),
            token: token)
    }

    private func store(at path: String) throws -> DeviceStore {
        try state.withLock { state in
            if let store = state.stores[path] { return store }
            let store = try DeviceStore(path: path, definition: definition.definition)
            state.stores[path] = store
            return store
        }
    }

    /// A file and a folder for each user of each server's data. A login can be anything, and longer
    /// than a file's name, so its digest stands for it.
    private func place(of login: String, instance: String) -> URL {
        let name = hexadecimal(SHA256.hash(Array(login.utf8)))
        return settings.folder.appending(path: "\(environment)-\(instance)-\(name)")
    }
}
