import Foundation
import Secrets

/// The file that identifies a device and remembers its users, as seen by one environment. Only its
/// owner may read it. Tokens are in another file, and sign-ins with providers in a third.
struct DeviceFile: Sendable {
    private struct Contents: Codable, Sendable {
        /// Names this installation to the server.
        var deviceIdentifier: String
        /// The users by environment and by the login that was typed. One environment does not
        /// vouch for the users of another.
        var users: [String: [String: KnownUser]] = [:]
        /// The login, by environment, of the user who signed in last, if that was with a provider.
        /// Nil in files of earlier versions.
        var staying: [String: String]?

        mutating func stays(_ login: String?, in environment: String) {
            staying = staying ?? [:]
            staying?[environment] = login
        }
    }

    struct KnownUser: Codable, Sendable {
        var login: String
        var group: String
        /// Identifies the server's data; another instance needs another database.
        var instance: String
        /// For logins without the server. The password itself is not stored. Nil for a user who
        /// signed in with a provider.
        var passwordHash: String?
    }

    /// A sign-in with a provider that began on this device. Both texts are secret.
    struct BegunSignIn: Codable, Hashable, Sendable {
        let state: String
        let verifier: String
    }

    private let place: URL
    private let tokensPlace: URL
    private let signInsPlace: URL
    private let environment: String
    /// Held from reading to writing, by every database of this process.
    private static let turn = LockedValue(())

    init(folder: URL, environment: String) {
        self.environment = environment
        place = folder.appending(path: "device.json")
        tokensPlace = folder.appending(path: "tokens.json")
        signInsPlace = folder.appending(path: "sign-ins.json")
    }

    /// The identifier of this device. It never changes: the server stores outcomes under it.
    func deviceIdentifier() throws -> String {
        try Self.turn.withLock { _ in
            if let contents = try read(Contents.self, at: place) {
                return contents.deviceIdentifier
            }
            let contents = Contents(deviceIdentifier: freshGuid())
            try write(contents, at: place)
            return contents.deviceIdentifier
        }
    }

    func known(_ login: String) throws -> KnownUser? {
        try Self.turn.withLock { _ in
            try read(Contents.self, at: place)?.users[environment]?[login]
        }
    }

    /// Remembers a user who has signed in. One without a password stays signed in, see
    /// `stayingUser`, and a password of earlier counts no more.
    func remember(_ user: KnownUser, as login: String) throws {
        try Self.turn.withLock { _ in
            var contents =
                try read(Contents.self, at: place) ?? Contents(deviceIdentifier: freshGuid())
            var users = contents.users[environment] ?? [:]
            if user.passwordHash == nil { users = users.filter { $0.value.login != user.login } }
            users[login] = user
            contents.users[environment] = users
            contents.stays(user.passwordHash == nil ? login : nil, in: environment)
            try write(contents, at: place)
        }
    }

    /// The user who signed in last, if that was with a provider and nobody has logged out since.
    func stayingUser() throws -> KnownUser? {
        try Self.turn.withLock { _ in
            guard let contents = try read(Contents.self, at: place) else { return nil }
            return contents.staying?[environment].flatMap { contents.users[environment]?[$0] }
        }
    }

    /// Nobody stays signed in from now on: somebody else uses the device.
    func endOtherStay() throws {
        try Self.turn.withLock { _ in
            guard var contents = try read(Contents.self, at: place),
                contents.staying?[environment] != nil
            else { return }
            contents.stays(nil, in: environment)
            try write(contents, at: place)
        }
    }

    /// Forgets the token of the user who stays signed in, if it is this one: the server has ended
    /// the session. A new one may be stored already.
    func endStay(token: String) throws {
        guard let login = try stayingUser()?.login else { return }
        try Self.turn.withLock { _ in
            var tokens = try tokens()
            guard tokens[environment]?[login] == token else { return }
            tokens[environment]?[login] = nil
            try write(tokens, at: tokensPlace)
        }
    }

    /// Forgets the token of a user who logs out.
    func forgetSession(of login: String) throws {
        try endOtherStay()
        guard try token(of: login) != nil else { return }
        try store(token: nil, of: login)
    }

    /// The sign-in that began last.
    func begunSignIn() throws -> BegunSignIn? {
        try Self.turn.withLock { _ in
            try read([String: BegunSignIn].self, at: signInsPlace)?[environment]
        }
    }

    /// Stores the sign-in that begins, in place of an earlier one; nil when it has ended.
    func store(_ begun: BegunSignIn?) throws {
        try Self.turn.withLock { _ in
            var all = try read([String: BegunSignIn].self, at: signInsPlace) ?? [:]
            all[environment] = begun
            try write(all, at: signInsPlace)
        }
    }

    func token(of login: String) throws -> String? {
        try Self.turn.withLock { _ in try tokens()[environment]?[login] }
    }

    func store(token: String?, of login: String) throws {
        try Self.turn.withLock { _ in
            var tokens = try tokens()
            tokens[environment, default: [:]][login] = token
            try write(tokens, at: tokensPlace)
        }
    }

    private func tokens() throws -> [String: [String: String]] {
        try read([String: [String: String]].self, at: tokensPlace) ?? [:]
    }

    private func read<Value: Decodable>(_ type: Value.Type, at place: URL) throws -> Value? {
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        return try JSONDecoder().decode(type, from: Data(contentsOf: place))
    }

    /// Replaces the file atomically, even if the process is killed or the power fails.
    private func write(_ value: some Encodable, at place: URL) throws {
        let fresh = place.appendingPathExtension("new")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try? FileManager.default.removeItem(at: fresh)
        let isMade = FileManager.default.createFile(
            atPath: fresh.path, contents: try encoder.encode(value),
            attributes: [.posixPermissions: 0o600])
        guard isMade else { throw DatabaseError.failed("'\(fresh.path)' cannot be written") }
        let handle = try FileHandle(forWritingTo: fresh)
        try handle.synchronize()
        try handle.close()
        guard rename(fresh.path, place.path) == 0 else {
            throw DatabaseError.failed("'\(place.path)' cannot be replaced")
        }
    }
}
