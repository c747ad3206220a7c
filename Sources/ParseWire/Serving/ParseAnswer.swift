import HTTPTypes
import Hummingbird
import JSON
import SyncServer

/// An answer in JSON, with numbers as numbers.
struct ParseAnswer {
    var status = HTTPResponse.Status.ok
    let json: JSONValue
    var location: String?
    /// The revision of the object; nil for other answers.
    var revision: Int64?

    init(_ members: [String: JSONValue]) { json = .object(members) }

    init(_ json: JSONValue) { self.json = json }

    /// Something that was made, with the parts of its address after that of the wire.
    static func created(
        _ members: [String: JSONValue], at path: [String], of base: String
    ) -> ParseAnswer {
        created(members, at: ([base] + path.map(percentEncoded)).joined(separator: "/"))
    }

    /// Something that was made, with its address.
    static func created(_ members: [String: JSONValue], at location: String) -> ParseAnswer {
        var answer = ParseAnswer(members)
        answer.status = .created
        answer.location = location
        return answer
    }

    var response: Response {
        var writer = JSONWriter(keepingDecimals: true)
        writer.value(json)
        var response = writer.withBytes { Response.json(bytes: $0, status: status) }
        if let location { response.headers[.location] = location }
        if let revision { response.headers[.eTag] = "\"\(revision)\"" }
        return response
    }
}

extension DoneOperation {
    /// The answer with one object, or with what has changed of it.
    var answer: ParseAnswer {
        var answer = ParseAnswer(members)
        answer.revision = revision
        return answer
    }
}

extension ParseFailure {
    var response: WholeResponse {
        var response = WholeResponse.json(
            bytes: json.text.utf8, status: HTTPResponse.Status(code: status))
        if let retryAfterSeconds { response.headers[.retryAfter] = "\(retryAfterSeconds)" }
        return response
    }
}
