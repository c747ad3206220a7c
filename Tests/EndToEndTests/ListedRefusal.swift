import Foundation
import JSON

/// An entry of `waggle refused list`.
struct ListedRefusal: Decodable, Hashable, Sendable {
    struct Reason: Decodable, Hashable, Sendable {
        let code: String
        let message: String
        let field: String?
    }

    struct Contents: Decodable, Hashable, Sendable {
        let sha256: String
        let size: Int
    }

    let number: Int
    let login: String
    let deviceIdentifier: String
    let model: String
    let guid: String
    let causes: [Reason]
    /// JSON: what the client sent.
    let content: String
    let contents: Contents?

    /// The refused values.
    var fields: [String: JSONValue] {
        get throws {
            guard case .object(let content) = try parseJSON(Array(content.utf8)),
                case .object(let fields)? = content["fields"]
            else { return [:] }
            return fields
        }
    }

    var fieldNames: [String] { causes.compactMap(\.field) }
}

extension Site {
    /// The bytes of an entry.
    func saved(_ refusal: ListedRefusal) async throws -> [UInt8] {
        let name = "saved-\(fresh())"
        let saved = try await waggle("refused", "save", "\(refusal.number)", folder.path(name))
        guard saved.exitCode == 0 else { throw Unexpected(saved.errors) }
        return Array(try folder.bytes(of: name))
    }

    func refusals() async throws -> [ListedRefusal] {
        let listed = try await waggle("refused", "list", "--format", "json")
        guard listed.exitCode == 0 else { throw Unexpected(listed.errors) }
        return try listed.output.split(separator: "\n").map {
            try JSONDecoder().decode(ListedRefusal.self, from: Data($0.utf8))
        }
    }
}
