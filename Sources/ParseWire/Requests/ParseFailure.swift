import ChangeRules
import DefinitionModel
import JSON

/// A refusal in the words of Parse.
struct ParseFailure: Error, Hashable, Sendable {
    let status: Int
    /// Nil only for an app that is not known.
    let code: Int?
    let message: String
    /// Why a change was refused, as the native wire tells it.
    var causes: [Cause] = []
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

extension ParseFailure {
    /// A refused change. The first cause chooses the code.
    ///
    /// - Parameter body: The values that the client sent.
    init(refusing causes: [Cause], of model: Model, given body: [String: JSONValue] = [:]) {
        let className = model.foreignName
        guard let first = causes.first else {
            self.init(142, "the change was refused")
            return
        }
        let text = CauseDescription(first).message
        switch first.reason {
        case .empty, .limit, .recorded: self.init(142, text)
        case .wrongType(let expected):
            let field = model.fields.first { $0.name == first.field }
            let name = field?.foreignName ?? ""
            self.init(
                111,
                "schema mismatch for \(className).\(name); expected "
                    + (field?.type.expectation(given: body[name]) ?? expected.parseName))
        case .notFound: self.init(106, text)
        case .notUnique: self.init(137, text)
        case .fileNotYours, .notGranted: self.init(119, text)
        case .unknownModel(let name): self = .unknownClass(name)
        case .unknownField: self = .unknownField(of: className)
        case .change(let fault): self.init(fault, text)
        }
        self.causes = causes
    }

    private init(_ fault: ChangeFault, _ text: String) {
        switch fault {
        case .recordUnknown, .recordDeleted: self = .objectNotFound
        case .guidTaken: self.init(137, text)
        case .illegalGuid: self.init(104, text)
        case .dependsOnRefused: self.init(106, text)
        // A tag of no revision of the object does not match its present one either.
        case .stale, .baseUnknown: self.init(status: 412, code: 142, text)
        case .tooEntangled, .tooManyRevisions, .tooMuchHistory, .recordTooLarge:
            self.init(116, text)
        case .illegalChangeID, .changeIDReused, .unexpectedFields, .baseMissing, .notConflicted,
            .resolutionStale, .tooManyConflicts, .tooManyOwnConflicts:
            self.init(142, text)
        }
    }
}

extension FieldType {
    /// The names of the types that are taken and given. Where these are the same, what more is
    /// asked of the value.
    fileprivate func expectation(given json: JSONValue?) -> String {
        let names = format?.kind == .json ? ["Object", "Array"] : [parseName]
        let taken = names.joined(separator: " or ")
        guard let given = json?.parseName else { return taken }
        return names.contains(given) ? demand : "\(taken) but got \(given)"
    }

    private var demand: String {
        switch format?.kind {
        case .json: "an Object or Array that can be kept as it is"
        case .base64: "Bytes with a base64 text"
        case .geo: "a GeoPoint with a latitude and a longitude"
        case nil: name.demand
        }
    }
}

extension FieldTypeName {
    fileprivate var demand: String {
        switch self {
        case .text, .boolean: "another \(parseName)"
        case .integer: "a whole Number of 64 bits"
        case .decimal: "a Number of fewer digits"
        case .date: "a Date such as 2026-11-21T05:58:23.176Z"
        case .belongsTo: "a Pointer to an object of its class"
        case .file: "a File that was uploaded"
        }
    }
}

extension JSONValue {
    /// The name of its type on this wire.
    fileprivate var parseName: String {
        switch self {
        case .null: "null"
        case .string: "String"
        case .integer, .decimal: "Number"
        // A number beyond all bounds, or a text with half of a pair of code units.
        case .unrepresentable: "a value that cannot be kept"
        case .boolean: "Boolean"
        case .array: "Array"
        case .object(let members):
            if case .string(let name)? = members["__type"] ?? members["__op"] {
                name
            } else {
                "Object"
            }
        }
    }
}
