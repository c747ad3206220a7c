import JSON

/// The action that a client asks for.
enum ParseVerb: String, Hashable, Sendable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"
}

/// A request as it arrives.
struct ReceivedCall: Sendable {
    /// In capitals.
    let method: String
    /// Percent-encoded, without the prefix of the wire: `/classes/Note`.
    let path: String
    /// Percent-encoded; empty if there is none.
    let query: String
    /// The value of a header.
    let header: @Sendable (String) -> String?
    let body: [UInt8]
}

/// A request in the one form that all manners of clients have in common.
///
/// Clients send their keys as headers, or as members of a body whose names begin with an
/// underscore. `_method` in a body makes a POST another request, with the parameters of a GET or
/// DELETE in the body.
struct ParseCall: Hashable, Sendable {
    let verb: ParseVerb
    /// The parts of the path, decoded: `classes`, `Note`.
    let path: [String]
    /// From the query string, or from the body of a GET or DELETE.
    let parameters: [String: JSONValue]
    /// The query string as texts, whatever they look like.
    let texts: [String: String]
    /// The body's own members; empty for a file.
    let body: [String: JSONValue]
    let credentials: ParseCredentials
    /// Whether the body is the contents of a file.
    let hasFileBody: Bool
}

extension ParseCall {
    /// Throws 107 for a body that is no JSON object, and 102 for a query string that cannot be
    /// read.
    init(_ received: ReceivedCall) throws(ParseFailure) {
        path = try Self.parts(of: received.path)
        hasFileBody =
            path.first == "files" && received.header("X-Parse-Application-Id") != nil
            || path.first == "files" && received.header("Authorization") != nil
        let members = hasFileBody ? [:] : try Self.members(of: received.body)
        credentials = ParseCredentials(members, header: received.header)
        var method = received.method
        if method == "POST", case .string(let word)? = members["_method"] { method = word }
        guard let verb = ParseVerb(rawValue: method) else {
            throw .badJSON("no method '\(method)'")
        }
        self.verb = verb
        let own = members.filter { !Self.envelope.contains($0.key) }
        texts = try Self.texts(of: received.query)
        // Each value is JSON if it can be read as such, else text.
        let asked = texts.mapValues { (try? parseJSON(Array($0.utf8))) ?? .string($0) }
        switch verb {
        case .get, .delete:
            parameters = asked.merging(own) { _, body in body }
            body = [:]
        case .post, .put:
            parameters = asked
            body = own
        }
    }

    /// Members of a body that are not the client's data.
    private static let envelope: Set<String> = [
        "_method", "_ApplicationId", "_JavaScriptKey", "_ClientKey", "_MasterKey",
        "_RESTAPIKey", "_WindowsKey",
        "_SessionToken", "_InstallationId", "_ClientVersion", "_RevocableSession", "_noBody",
        "_context", "_RequestId",
    ]

    /// The parts of a path, decoded. Throws 102 for a path that is no UTF-8.
    static func parts(of path: String) throws(ParseFailure) -> [String] {
        var parts: [String] = []
        for part in path.split(separator: "/") {
            guard let decoded = percentDecoded(part) else {
                throw .badQuery("the path is no UTF-8")
            }
            parts.append(decoded)
        }
        return parts
    }

    private static func members(of body: [UInt8]) throws(ParseFailure) -> [String: JSONValue] {
        guard body.contains(where: { $0 > 0x20 }) else { return [:] }
        guard let json = try? parseJSON(body) else { throw .badJSON("the body is not JSON") }
        guard case .object(let members) = json else { throw .badJSON("the body is no object") }
        return members
    }

    private static func texts(of query: String) throws(ParseFailure) -> [String: String] {
        var texts: [String: String] = [:]
        for pair in queryPairs(of: query) {
            guard let name = percentDecoded(pair.name, plusIsSpace: true),
                let text = percentDecoded(pair.value, plusIsSpace: true)
            else { throw .badQuery("the query string is no UTF-8") }
            texts[name] = text
        }
        return texts
    }
}
