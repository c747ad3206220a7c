import Foundation

/// What a device knows of itself and of its users, in a file that only its owner may read. Tokens
/// are in another one.
struct DeviceFile: Sendable {
    struct Contents: Codable, Sendable {
        /// Names this installation to the server.
        var deviceIdentifier: String
        /// By the login that was typed.
        var users: [String: KnownUser] = [:]
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

    init(folder: URL) {
        place = folder.appending(path: "device.json")
        tokensPlace = folder.appending(path: "tokens.json")
    }

    /// A fresh one where there is none.
    func contents() throws -> Contents {
        try read(Contents.self, at: place) ?? Contents(deviceIdentifier: newGuid())
    }

    func store(_ contents: Contents) throws { try write(contents, at: place) }

    func token(of login: String) throws -> String? {
        try read([String: String].self, at: tokensPlace)?[login]
    }

    func store(token: String?, of login: String) throws {
        var tokens = try read([String: String].self, at: tokensPlace) ?? [:]
        tokens[login] = token
        try write(tokens, at: tokensPlace)
    }

    private func read<Value: Decodable>(_ type: Value.Type, at place: URL) throws -> Value? {
        guard FileManager.default.fileExists(atPath: place.path) else { return nil }
        return try JSONDecoder().decode(type, from: Data(contentsOf: place))
    }

    /// Whole or not at all, whenever the process ends.
    private func write(_ value: some Encodable, at place: URL) throws {
        let fresh = place.appendingPathExtension("new")
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try? FileManager.default.removeItem(at: fresh)
        let isMade = FileManager.default.createFile(
            atPath: fresh.path, contents: try encoder.encode(value),
            attributes: [.posixPermissions: 0o600])
        guard isMade else { throw DatabaseError.failed("'\(fresh.path)' cannot be written") }
        guard rename(fresh.path, place.path) == 0 else {
            throw DatabaseError.failed("'\(place.path)' cannot be replaced")
        }
    }
}
