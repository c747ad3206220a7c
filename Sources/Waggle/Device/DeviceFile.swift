import Foundation
import Secrets

/// The file that identifies a device and remembers its users, as seen by one environment. Only its
/// owner may read it. Tokens are in another file.
struct DeviceFile: Sendable {
    private struct Contents: Codable, Sendable {
        /// Names this installation to the server.
        var deviceIdentifier: String
        /// The users by environment and by the login that was typed. One environment does not
        /// vouch for the users of another.
        var users: [String: [String: KnownUser]] = [:]
    }

    struct KnownUser: Codable, Sendable {
        var login: String
        var group: String
        /// Identifies the server's data; another instance needs another database.
        var instance: String
        /// For logins without the server. The password itself is not stored.
        var passwordHash: String
    }

    private let place: URL
    private let tokensPlace: URL
    private let environment: String
    /// Held from reading to writing, by every database of this process.
    private static let turn = LockedValue(())

    init(folder: URL, environment: String) {
        self.environment = environment
        place = folder.appending(path: "device.json")
        tokensPlace = folder.appending(path: "tokens.json")
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

    func remember(_ user: KnownUser, as login: String) throws {
        try Self.turn.withLock { _ in
            var contents =
                try read(Contents.self, at: place) ?? Contents(deviceIdentifier: freshGuid())
            contents.users[environment, default: [:]][login] = user
            try write(contents, at: place)
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
