import DefinitionModel
import JSON

extension NativeOperation {
    /// The operations of the wire, with those on the records of each model.
    static func all(of definition: Definition) -> [NativeOperation] {
        accounts + providers + syncing + filing + notifying + definition.models.flatMap(ofRecords)
    }

    private static let text: JSONValue = .object(["type": "string"])
    private static let page: [String: JSONValue] = ["cursor": text, "limit": .whole]

    private static let accounts: [NativeOperation] = [
        NativeOperation(
            method: .get, path: "health", id: "health", summary: "Tell whether the server answers.",
            answer: .json([
                200: object([
                    MessageMember("status", .word(["ok"])),
                    MessageMember("environment", .text("test")),
                    MessageMember("digest", .text("digest")),
                ])
            ])),
        NativeOperation(
            method: .post, path: "session", id: "signIn",
            summary: "Sign in by password, ID token, or the code of a browser; and get a token.",
            body: .object([
                "anyOf": .array([
                    proof(["login", "password"]), proof(["provider", "idToken"], ["nonce"]),
                    proof(["code", "verifier"]),
                ])
            ]),
            answer: .json([
                201: object(
                    ["token", "login", "group", "role", "digest", "instance"].map {
                        MessageMember($0, .text($0))
                    } + [MessageMember("expiresAt", .number(1_800_000_000_000))])
            ])),
        NativeOperation(
            method: .get, path: "session", id: "ownSession",
            summary: "Tell who the user of the token is now.",
            answer: .json([
                200: object(
                    ["login", "group", "role", "digest", "instance"].map {
                        MessageMember($0, .text($0))
                    })
            ])),
        NativeOperation(
            method: .delete, path: "session", id: "signOut", summary: "End the session.",
            answer: .empty),
        NativeOperation(
            method: .put, path: "session/password", id: "changePassword",
            summary: "Change one's own password, which ends all one's sessions.",
            body: object(
                ["password", "newPassword"].map { MessageMember($0, .text("a long password")) }),
            answer: .empty),
        NativeOperation(
            method: .post, path: "signUp", id: "signUp",
            summary: "Make an account by the code of an invitation.",
            body: object([
                MessageMember("code", .text("code")), MessageMember("login", .text("cleo")),
                MessageMember("password", .text("a long password")),
                MessageMember("mail", .text("cleo@example.org"), isRequired: false),
            ]), answer: .json([201: MessageShape.user.schema])),
        NativeOperation(
            method: .post, path: "passwordReset", id: "resetPassword",
            summary: "Choose a new password by the code of a reset, which ends all sessions.",
            body: object([
                MessageMember("code", .text("code")),
                MessageMember("newPassword", .text("a long password")),
            ]), answer: .empty),
        NativeOperation(
            method: .post, path: "reset-requests", id: "requestReset",
            summary: "Ask for a mail with the code of a reset.",
            body: object([MessageMember("login", .text("cleo"))]), answer: .accepted),
        NativeOperation(
            method: .get, path: "sessions", id: "sessions", summary: "List one's own sessions.",
            answer: .json([
                200: object([
                    MessageMember(
                        "sessions",
                        .list(
                            .object(
                                ["deviceIdentifier", "deviceCategory"].map {
                                    MessageMember($0, .text($0))
                                } + [
                                    MessageMember("expiresAt", .number(1_800_000_000_000)),
                                    MessageMember("current", .flag),
                                ])))
                ])
            ])),
        NativeOperation(
            method: .delete, path: "sessions/{device}", id: "endSession",
            summary: "End one's own sessions on a device.", answer: .empty),
        NativeOperation(
            method: .get, path: "users", id: "users", summary: "List the users, as an admin.",
            answer: .json([200: object([MessageMember("users", .list(.user))])])),
        NativeOperation(
            method: .post, path: "users", id: "addUser", summary: "Add a user, as an admin.",
            body: object([
                MessageMember("login", .text("cleo")), MessageMember("password", .text("secret")),
                MessageMember("group", .text("users")),
                MessageMember("mail", .text("cleo@example.org"), isRequired: false),
                MessageMember("admin", .flag, isRequired: false),
            ]), answer: .json([201: MessageShape.user.schema])),
        NativeOperation(
            method: .patch, path: "users/{login}", id: "changeUser",
            summary: "Change a user, as an admin.",
            body: object(
                ["password", "group", "mail"].map {
                    MessageMember($0, .text($0), isRequired: false)
                } + [MessageMember("admin", .flag, isRequired: false)]), answer: .empty),
        NativeOperation(
            method: .delete, path: "users/{login}", id: "removeUser",
            summary: "Remove a user, as an admin.", answer: .empty),
    ]

    private static let providers: [NativeOperation] = [
        NativeOperation(
            method: .get, path: "providers", id: "providers",
            summary: "List the providers with which users sign in.",
            answer: .json([
                200: object([
                    MessageMember(
                        "providers",
                        .list(
                            .object([
                                MessageMember("name", .text("company")),
                                MessageMember("browser", .flag),
                            ])))
                ])
            ])),
        NativeOperation(
            method: .get, path: "sign-in", id: "beginSignIn",
            summary: "Send a browser to a provider, to sign in there.",
            query: ["provider": text, "redirect": text, "challenge": text, "state": text],
            answer: .redirect),
        NativeOperation(
            method: .get, path: "sign-in/{provider}", id: "finishSignIn",
            summary: "Take a browser back from a provider, and send it to the app.",
            query: ["code": text, "state": text, "error": text, "iss": text],
            answer: .redirect),
    ]

    /// The body of a sign-in on a device, by these members.
    private static func proof(_ required: [String], _ others: [String] = []) -> JSONValue {
        object(
            (required + ["deviceCategory", "deviceIdentifier"]).map {
                MessageMember($0, .text($0))
            } + others.map { MessageMember($0, .text($0), isRequired: false) })
    }

    private static let syncing: [NativeOperation] = [
        NativeOperation(
            method: .post, path: "sync", id: "sync",
            summary: "Push changes, and pull what is new since the cursor.",
            body: .object([
                "type": "object",
                "properties": .object([
                    "cursor": text, "limit": .whole, "changes": .array(of: .reference("change")),
                    "acknowledged": .array(of: text),
                ]),
            ]),
            answer: .json([
                200: .object([
                    "type": "object",
                    "required": .array([
                        "outcomes", "records", "dropped", "cursor", "more", "resync",
                    ]),
                    "properties": .object([
                        "outcomes": .array(of: .reference("outcome")),
                        "records": .array(of: .reference("record")),
                        "dropped": .array(
                            of: object([
                                MessageMember("model", .text("note")),
                                MessageMember("guid", .text("guid")),
                            ])),
                        "cursor": text, "more": .object(["type": "boolean"]),
                        "resync": .object(["type": "boolean"]),
                    ]),
                ])
            ])),
        NativeOperation(
            method: .get, path: "conflicts", id: "conflicts",
            summary: "List the records with open conflicts.",
            query: page.merging(["model": text]) { $1 },
            answer: .json([200: records(.reference("record"), ["cursor": text])])),
        NativeOperation(
            method: .post, path: "conflicts", id: "resolve",
            summary: "Resolve open conflicts by a rule.",
            body: object([
                MessageMember("id", .text("1")),
                MessageMember("model", .text("note"), isRequired: false),
                MessageMember("guids", .list(.text("guid")), isRequired: false),
                MessageMember("choose", .word(["mine", "theirs"])),
                MessageMember("fields", .document, isRequired: false),
                MessageMember("cursor", .text("cursor"), isRequired: false),
            ]),
            answer: .json([
                200: .object([
                    "type": "object", "required": .array(["outcomes"]),
                    "properties": .object([
                        "outcomes": .array(of: .reference("outcome")), "cursor": text,
                    ]),
                ])
            ])),
    ]

    private static let filing: [NativeOperation] = {
        let state = object([
            MessageMember("guid", .text("guid")), MessageMember("complete", .flag),
            MessageMember("received", .number(1024)),
            MessageMember("size", .number(1024), isRequired: false),
        ])
        return [
            NativeOperation(
                method: .get, path: "files/{guid}", id: "download",
                summary: "Return the contents of a file.", headers: HeaderParameter.ofDownload,
                answer: .bytes),
            NativeOperation(
                method: .put, path: "files/{guid}", id: "upload",
                summary: "Send the contents of a file, or a part.",
                headers: HeaderParameter.ofUpload, sendsContents: true,
                answer: .json([200: state, 201: state, 202: state])),
            NativeOperation(
                method: .get, path: "files/{guid}/upload", id: "uploadState",
                summary: "Tell how much of a file has arrived.", answer: .json([200: state])),
        ]
    }()

    private static let notifying: [NativeOperation] = {
        let sent = object([
            MessageMember("id", .text("1")),
            MessageMember("unreachable", .document, isRequired: false),
        ])
        return [
            NativeOperation(
                method: .get, path: "pushTokens", id: "pushTokens",
                summary: "List the push tokens, as an admin.", query: page,
                answer: .json([200: .object(["type": "object", "required": .array(["tokens"])])])),
            NativeOperation(
                method: .put, path: "pushTokens/{type}", id: "registerPushToken",
                summary: "Store the push token of the device.",
                body: object([MessageMember("token", .text("token"))]),
                answer: .json([
                    200: object([
                        MessageMember("type", .text("apns")), MessageMember("reached", .flag),
                    ])
                ])),
            NativeOperation(
                method: .delete, path: "pushTokens/{type}", id: "removePushToken",
                summary: "Delete the push token of the device.", answer: .empty),
            NativeOperation(
                method: .post, path: "notifications", id: "send",
                summary: "Send a notification to users.",
                body: object([
                    MessageMember("id", .text("1"), isRequired: false),
                    MessageMember("deviceCategory", .text("mobile"), isRequired: false),
                    MessageMember("group", .text("users"), isRequired: false),
                    MessageMember("users", .list(.text("cleo")), isRequired: false),
                    MessageMember("notification", .document),
                ]), answer: .json([200: sent, 201: sent])),
            NativeOperation(
                method: .get, path: "live", id: "live",
                summary: "Listen to notifications as Server-Sent Events.", answer: .events),
        ]
    }()

    private static func ofRecords(of model: Model) -> [NativeOperation] {
        let (path, record) = ("records/\(model.name)", JSONValue.reference("record.\(model.name)"))
        return [
            NativeOperation(
                method: .get, path: path, id: "find.\(model.name)", summary: "Find records.",
                query: page.merging([
                    "filter": text, "sort": text, "fields": text,
                    "count": .object(["type": "boolean"]),
                ]) { $1 },
                answer: .json([
                    200: records(
                        record,
                        ["cursor": text, "more": .object(["type": "boolean"]), "count": .whole])
                ])),
            NativeOperation(
                method: .get, path: "\(path)/{guid}", id: "record.\(model.name)",
                summary: "Return a record.", query: ["fields": text], answer: .json([200: record])),
            NativeOperation(
                method: .get, path: "\(path)/{guid}/history", id: "history.\(model.name)",
                summary: "Return the history of a record, latest entry first.", query: page,
                answer: .json([
                    200: .object(["type": "object", "required": .array(["entries"])])
                ])),
            NativeOperation(
                method: .patch, path: "\(path)/{guid}/ownership", id: "reassign.\(model.name)",
                summary: "Give a record to another owner or group, as an admin.",
                body: object(
                    ["owner", "group"].map { MessageMember($0, .text($0), isRequired: false) }),
                answer: .json([
                    200: object(
                        ["model", "guid", "owner", "group"].map { MessageMember($0, .text($0)) }
                            + [MessageMember("revision", .number(2))])
                ])),
        ]
    }

    private static func records(
        _ record: JSONValue, _ others: [String: JSONValue]
    ) -> JSONValue {
        .object([
            "type": "object", "required": .array(["records"]),
            "properties": .object(others.merging(["records": .array(of: record)]) { $1 }),
        ])
    }

    private static func object(_ members: [MessageMember]) -> JSONValue {
        MessageShape.object(members).schema
    }
}
