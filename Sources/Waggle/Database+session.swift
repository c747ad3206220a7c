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
    /// Throws `wrongCredentials`, `roleUnknown` where the group has no role on this device
    /// category, and `unreachable` or `busy` where the server is needed and does not answer.
    @discardableResult
    public func logIn(_ login: String, password: String) async throws(SyncFailure) -> User {
        do {
            let session = try await session(for: login, password: password)
            state.withLock { $0.session = session }
            return session.user
        } catch let failure as SyncFailure {
            throw failure
        } catch let error as DatabaseError {
            throw .database(error)
        } catch {
            throw .database(.failed("\(error)"))
        }
    }

    /// Ends the session. Unsent changes are kept, and are sent after the user has logged in again.
    ///
    /// Throws where the token of the session cannot be deleted from the device; nobody is logged in
    /// then either.
    public func logOut() async throws(DatabaseError) {
        let session = state.withLock { state in
            let session = state.session
            state.session = nil
            return session
        }
        guard let session, let token = session.token else { return }
        // Without an answer the session ends on the server when it expires.
        _ = try? await wire.send(
            WireRequest(method: "DELETE", path: "v1/\(environment)/session", token: token))
        do {
            try device.store(token: nil, of: session.user.login)
        } catch {
            throw DatabaseError(error)
        }
    }

    var environment: String { settings.mode.environment }

    private func session(for login: String, password: String) async throws -> LocalSession {
        if case .development(let group) = settings.mode {
            return try open(login: login, group: group, instance: "development", token: nil)
        }
        let request = SessionRequest(
            login: login, password: password, deviceCategory: settings.deviceCategory,
            deviceIdentifier: try device.deviceIdentifier())
        let answer: WireAnswer
        do {
            answer = try await wire.send(signIn(request))
        } catch let failure as WireFailure {
            return try offline(login, password: password, SyncFailure(failure))
        }
        guard answer.status == 201 else {
            let failure = SyncFailure(answer)
            guard answer.status >= 500, failure.isTemporary else { throw failure }
            return try offline(login, password: password, failure)
        }
        let response = try decodeMessage(SessionResponse.self, from: answer.body)
        try device.remember(
            DeviceFile.KnownUser(
                login: response.login, group: response.group, instance: response.instance,
                passwordHash: try PasswordHash.make(of: password)),
            as: login)
        try device.store(token: response.token, of: response.login)
        return try open(
            login: response.login, group: response.group, instance: response.instance,
            token: response.token)
    }

    private func signIn(_ request: SessionRequest) throws -> WireRequest {
        WireRequest(
            method: "POST", path: "v1/\(environment)/session",
            body: Array(try StoredJSON.encode(request).utf8))
    }

    /// Opens the session that the last login on this device had, with its token.
    private func offline(
        _ login: String, password: String, _ failure: SyncFailure
    ) throws -> LocalSession {
        guard let known = try device.known(login) else { throw failure }
        guard PasswordHash.matches(password, hash: known.passwordHash) else {
            throw SyncFailure.wrongCredentials
        }
        return try open(
            login: known.login, group: known.group, instance: known.instance,
            token: try device.token(of: known.login), isOffline: true)
    }

    private func open(
        login: String, group: String, instance: String, token: String?, isOffline: Bool = false
    ) throws -> LocalSession {
        let role = Role(group: group, deviceCategory: settings.deviceCategory)
        guard definition.definition.roles.contains(role) else {
            throw SyncFailure.roleUnknown(
                "the definition has no role '\(role.name)', which '\(login)' has on this device")
        }
        let place = place(of: login, instance: instance)
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
        let name = SHA256.hash(Array(login.utf8))
            .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        return settings.folder.appending(path: "\(environment)-\(instance)-\(name.joined())")
    }
}
