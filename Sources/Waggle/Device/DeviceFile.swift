import Foundation
import Secrets
import Synchronization

/// What a device knows of itself and of its users, in a file that only its owner may read, and one
/// environment's part of that. Tokens are in another one.
struct DeviceFile: Sendable {
    private struct Contents: Codable, Sendable {
        /// Names this installation to the server.
        var deviceIdentifier: String
        /// By environment, and by the login that was typed: who is known to one server is no matter
        /// of another.
        var users: [String: [String: KnownUser]] = [:]
    }

    struct KnownUser: Codable, Sendable {
        var login: String
        var group: String
        /// Of the server's data; another one needs another database.
        var instance: String
        /// To log in without the server. The password itself is nowhere.
        var passwordHash: String
    }

    private let place: URL
    private let tokensPlace: URL
    private let environment: String
    /// Held from reading to writing, whichever database of this process does it.
    private static let turn = Mutex(())

    init(folder: URL, environment: String) {
        self.environment = environment
        place = folder.appending(path: "device.json")
        tokensPlace = folder.appending(path: "tokens.json")
    }

    /// The same for good: the server knows outcomes by it.
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

    /// Whole or not at all, whenever the process ends or the power goes.
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
