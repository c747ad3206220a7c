import Foundation
import JSON
import SyncProtocol
import Testing

/// An error in a request is reported with its position.
@Suite struct StrictnessTests {
    @Test(arguments: RequestShape.all)
    func shapeItselfIsTaken(shape: RequestShape) throws {
        #expect(try mistake(in: shape, shape.members) == nil)
    }

    @Test(
        arguments: RequestShape.all,
        ["extra", "", " guid", "Login", "limit2", "fields ", "chang\u{E9}s", "🐝"])
    func unknownMemberIsNamedAndKnownOnesToo(shape: RequestShape, name: String) throws {
        for value in [JSONValue.null, .string("x"), .object([:])] {
            let members = shape.members.merging([name: value]) { $1 }
            let found = try #require(try mistake(in: shape, members))
            #expect(found.kind == "dataCorrupted")
            #expect(found.path == shape.path(of: name))
            #expect(found.text == "no such member here; the members are \(shape.names)")
        }
    }

    /// The first member by name is reported, so that messages are deterministic.
    @Test(arguments: RequestShape.all)
    func firstUnknownMemberIsNamed(shape: RequestShape) throws {
        let members = ["zz", "aa", "mm"].reduce(into: shape.members) { $0[$1] = .null }
        #expect(try mistake(in: shape, members)?.path == shape.path(of: "aa"))
    }

    @Test(arguments: RequestShape.all)
    func missingMemberIsNamed(shape: RequestShape) throws {
        for name in shape.members.keys {
            let members = shape.members.filter { $0.key != name }
            let found = try mistake(in: shape, members)
            #expect(found?.kind == (shape.isOptional(name) ? nil : "keyNotFound"))
            #expect(found?.path == (shape.isOptional(name) ? nil : shape.path(of: name)))
        }
    }

    @Test(arguments: RequestShape.all)
    func memberThatIsNullIsAsOneThatIsMissing(shape: RequestShape) throws {
        for name in shape.members.keys {
            let found = try mistake(in: shape, shape.members.merging([name: .null]) { $1 })
            #expect(found?.kind == (shape.isOptional(name) ? nil : "valueNotFound"))
            #expect(found?.path == (shape.isOptional(name) ? nil : shape.path(of: name)))
        }
    }

    /// Every other kind of JSON value in place of each member.
    @Test(arguments: RequestShape.all)
    func memberOfAnotherTypeIsNamed(shape: RequestShape) throws {
        let others: [JSONValue] = [
            .boolean(true), .integer(1), .string("x"), .array([]), .object([:]),
        ]
        for (name, right) in shape.members {
            for other in others where other.kind != right.kind {
                let found = try mistake(in: shape, shape.members.merging([name: other]) { $1 })
                #expect(found?.kind == "typeMismatch", "\(name): \(other)")
                #expect(found?.path == shape.path(of: name), "\(name): \(other)")
            }
        }
    }

    @Test(arguments: ["null", "true", "1", "\"x\"", "[]"])
    func bodyThatIsNoObjectIsRefused(text: String) {
        #expect(throws: DecodingError.self) { try decodeMessage(SyncRequest.self, from: text) }
        #expect(throws: DecodingError.self) { try decodeMessage(SessionRequest.self, from: text) }
    }

    @Test(arguments: [
        (#"{"changes": {}}"#, "changes"), (#"{"changes": [1]}"#, "changes[0]"),
        (#"{"changes": [null]}"#, "changes[0]"),
        (#"{"acknowledged": ["a", 1]}"#, "acknowledged[1]"),
        (#"{"acknowledged": [null]}"#, "acknowledged[0]"),
        (#"{"limit": 1.5}"#, "limit"), (#"{"limit": 1e400}"#, "limit"),
        (#"{"limit": 9223372036854775808}"#, "limit"), (#"{"cursor": "\ud800"}"#, "cursor"),
    ])
    func elementsAndNumbersHaveTheirPathToo(text: String, path: String) throws {
        let found = #expect(throws: DecodingError.self) {
            try decodeMessage(SyncRequest.self, from: text)
        }
        #expect(found.map(Mistake.init)?.path == path)
    }

    @Test(arguments: ["Create", "CREATE", "", "read", "upsert", "create "])
    func unknownActionIsNamed(action: String) throws {
        let members = RequestShape.change.members.merging(["action": .string(action)]) { $1 }
        let found = try #require(try mistake(in: .change, members))
        #expect(found.kind == "dataCorrupted")
        #expect(found.path == "changes[1].action")
        #expect(found.text == "use one of 'create', 'update', 'delete', 'resolve'")
    }

    /// An invalid value refuses its own change later, not the batch.
    @Test(arguments: [#""\ud800""#, "1e400", "[[]]", #"{"guid": 1, "more": 2}"#])
    func batchIsReadWithAnyValueOfField(value: String) throws {
        let text = """
            {"changes": [{"id": "1", "action": "update", "model": "M", "guid": "g",
              "fields": {"bad": \(value), "good": 1}}]}
            """
        let request = try decodeMessage(SyncRequest.self, from: text)
        #expect(request.changes.first?.fields["good"] == .integer(1))
        #expect(request.changes.first?.fields["bad"] != nil)
    }
}

/// A level of a request.
struct RequestShape: Sendable, CustomTestStringConvertible {
    /// Every member with a valid value.
    let members: [String: JSONValue]
    let optional: Set<String>
    /// The members as listed in a message.
    let names: String
    /// The position of the level in the request: `changes[1]`, or empty for the request itself.
    var place = ""
    let read: @Sendable (JSONValue) throws -> Void

    static let all = [session, idTokenSession, codeSession, sync, change, pushToken, notification]

    static let session = RequestShape(
        members: [
            "login": .string("anna"), "password": .string("secret"),
            "deviceCategory": .string("mobile"), "deviceIdentifier": .string("1"),
        ],
        optional: [], names: "'login', 'password', 'deviceCategory', 'deviceIdentifier'",
        read: { try readBoth(SessionRequest.self, $0) })

    static let idTokenSession = RequestShape(
        members: [
            "provider": .string("company"), "idToken": .string("t"), "nonce": .string("n"),
            "deviceCategory": .string("mobile"), "deviceIdentifier": .string("1"),
        ],
        optional: ["nonce"],
        names: "'provider', 'idToken', 'nonce', 'deviceCategory', 'deviceIdentifier'",
        read: { try readBoth(SessionRequest.self, $0) })

    static let codeSession = RequestShape(
        members: [
            "code": .string("c"), "verifier": .string("v"), "deviceCategory": .string("mobile"),
            "deviceIdentifier": .string("1"),
        ],
        optional: [], names: "'code', 'verifier', 'deviceCategory', 'deviceIdentifier'",
        read: { try readBoth(SessionRequest.self, $0) })

    static let sync = RequestShape(
        members: [
            "cursor": .string("c"), "limit": .integer(10), "changes": .array([]),
            "acknowledged": .array([.string("a")]),
        ],
        optional: ["cursor", "limit", "changes", "acknowledged"],
        names: "'cursor', 'limit', 'changes', 'acknowledged'",
        read: { try readBoth(SyncRequest.self, $0) })

    static let change = RequestShape(
        members: changeMembers,
        optional: ["base", "fields"],
        names: "'id', 'action', 'model', 'guid', 'base', 'ifStale', 'fields'", place: "changes[1]",
        read: { members in
            let good = JSONValue.object(changeMembers)
            try readBoth(SyncRequest.self, .object(["changes": .array([good, members])]))
        })

    static let pushToken = RequestShape(
        members: ["token": .string("t")], optional: [], names: "'token'",
        read: { try readBoth(PushTokenRequest.self, $0) })

    static let notification = RequestShape(
        members: [
            "id": .string("n"), "deviceCategory": .string("mobile"), "group": .string("users"),
            "users": .array([.string("anna")]), "notification": .object([:]),
        ],
        optional: ["id", "deviceCategory", "group", "users"],
        names: "'id', 'deviceCategory', 'group', 'users', 'notification'",
        read: { try readBoth(NotificationRequest.self, $0) })

    private static let changeMembers: [String: JSONValue] = [
        "id": .string("1"), "action": .string("update"), "model": .string("Note"),
        "guid": .string("g"), "base": .integer(3), "fields": .object(["x": .null]),
    ]

    func isOptional(_ name: String) -> Bool { optional.contains(name) }
    func path(of name: String) -> String { place.isEmpty ? name : "\(place).\(name)" }
    var testDescription: String { names }
}

/// Foundation's decoder and ours report the same errors, so a client's tests show the server's
/// messages.
private func readBoth<Message: Decodable>(_ type: Message.Type, _ json: JSONValue) throws {
    let bytes = try JSONEncoder().encode(json)
    let found = Result { try decodeMessage(type, from: Array(bytes)) }.mistake
    #expect(found == Result { try JSONDecoder().decode(type, from: bytes) }.mistake)
    _ = try decodeMessage(type, from: Array(bytes))
}

private func mistake(
    in shape: RequestShape, _ members: [String: JSONValue]
) throws -> Mistake? {
    Result { try shape.read(.object(members)) }.mistake
}

struct Mistake: Equatable {
    let kind: String
    let path: String
    /// For errors with a message of our own.
    let text: String?

    init(_ error: DecodingError) {
        let (kind, path, text) =
            switch error {
            case .keyNotFound(let key, let context):
                ("keyNotFound", context.codingPath + [key], String?.none)
            case .valueNotFound(_, let context): ("valueNotFound", context.codingPath, nil)
            case .typeMismatch(_, let context): ("typeMismatch", context.codingPath, nil)
            case .dataCorrupted(let context):
                ("dataCorrupted", context.codingPath, context.debugDescription)
            @unknown default: ("unknown", [], nil)
            }
        self.kind = kind
        self.text = text
        self.path = path.reduce("") { path, key in
            if let index = key.intValue { return "\(path)[\(index)]" }
            return path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
        }
    }
}

extension Result {
    var mistake: Mistake? {
        guard case .failure(let error) = self else { return nil }
        return (error as? DecodingError).map(Mistake.init)
    }
}

extension JSONValue {
    fileprivate var kind: Int {
        switch self {
        case .null: 0
        case .boolean: 1
        case .integer, .decimal, .unrepresentable: 2
        case .string: 3
        case .array: 4
        case .object: 5
        }
    }
}

func decodeMessage<Message: Decodable>(
    _ type: Message.Type, from text: String
) throws -> Message {
    try decodeMessage(type, from: Array(text.utf8))
}
