import ChangeRules
import JSON

/// A refusal in the words of Parse.
struct ParseFailure: Error, Hashable, Sendable {
    let status: Int
    /// Nil only for an app that is not known.
    let code: Int?
    let message: String
    /// Why a change was refused.
    var causes: [ParseCause] = []
    var retryAfterSeconds: Int?
    /// The object as it is, if the client has changed an earlier state of it.
    var object: [String: JSONValue]?

    init(_ code: Int, _ message: String) {
        self.init(status: Self.status(of: code), code: code, message)
    }

    init(status: Int, code: Int?, _ message: String) {
        self.status = status
        self.code = code
        self.message = message
    }

    private static func status(of code: Int) -> Int {
        switch code {
        case 101: 404
        case 1: 500
        default: 400
        }
    }

    /// Every refusal has a text `error`, without which some clients take it for a success.
    var json: JSONValue {
        var members: [String: JSONValue] = ["error": .string(message)]
        if let code { members["code"] = .integer(Int64(code)) }
        if let object { members["object"] = .object(object) }
        if !causes.isEmpty { members["causes"] = .array(causes.map(\.json)) }
        return .object(members)
    }
}

extension ParseFailure {
    static let unauthorized = ParseFailure(status: 403, code: nil, "unauthorized")
    static let objectNotFound = ParseFailure(101, "Object not found.")
    static let wrongPassword = ParseFailure(101, "Invalid username/password.")
    static let usernameTaken = ParseFailure(202, "Account already exists for this username.")
    static let deadSession = ParseFailure(209, "Invalid session token")
    static let notSignedIn = ParseFailure(
        101, "Permission denied, user needs to be authenticated.")

    static let wrongMethod = ParseFailure(107, "the method does not fit the address")

    static func badQuery(_ text: String) -> ParseFailure { ParseFailure(102, text) }
    static func badJSON(_ text: String) -> ParseFailure { ParseFailure(107, text) }
    static func badKey(_ name: String) -> ParseFailure {
        ParseFailure(105, "Invalid field name: \(name.shortenedName).")
    }

    static func forbidden(_ text: String) -> ParseFailure { ParseFailure(119, text) }

    static func unknownClass(_ name: String) -> ParseFailure {
        .forbidden("This user is not allowed to access non-existent class: \(name)")
    }

    static func unknownField(of name: String) -> ParseFailure {
        .forbidden("Permission denied for action addField on class \(name).")
    }

    static func passing(
        _ text: String, status: Int = 503, retryAfterSeconds: Int
    ) -> ParseFailure {
        var failure = ParseFailure(status: status, code: 100, text)
        failure.retryAfterSeconds = retryAfterSeconds
        return failure
    }
}
