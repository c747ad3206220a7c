import SyncEngine

extension MessageShape {
    static let erased = MessageShape.object([MessageMember("records", .number(12))])

    static let erasure = MessageShape.object([
        MessageMember("login", .text("cleo")), MessageMember("at", .number(1_800_000_000_000)),
        MessageMember("author", .text("ann")),
    ])

    private static let accountCodeMembers = [
        MessageMember("name", .text("9f86d081884c7d65")),
        MessageMember("group", .optional(.text("users"))),
        MessageMember("login", .optional(.text("cleo"))),
        MessageMember("usesLeft", .number(1)), MessageMember("author", .text("ann")),
        MessageMember("createdAt", .number(1_800_000_000_000)),
        MessageMember("expiresAt", .number(1_800_604_800_000)),
    ]
    /// An invitation has a group, a reset of a password a login.
    static let accountCode = MessageShape.object(accountCodeMembers)
    static let newAccountCode = MessageShape.object(
        accountCodeMembers + [
            MessageMember("code", .text("secret"), isRequired: false),
            MessageMember(
                "link", .text("https://app.example/invitation?code=secret"), isRequired: false),
        ])

    static let relations = MessageShape.object([
        MessageMember(
            "outgoing",
            .list(
                .object([
                    MessageMember("field", .text("folder")),
                    MessageMember("model", .text("folder")), MessageMember("guid", .text("guid")),
                ]))),
        MessageMember(
            "incoming",
            .list(
                .object([
                    MessageMember("model", .text("note")), MessageMember("field", .text("folder")),
                    MessageMember("records", .list(.document)), MessageMember("more", .flag),
                ]))),
    ])

    static let counts = MessageShape.object([
        MessageMember("sequence", .number(12)), MessageMember("users", .number(3)),
        MessageMember("openConflicts", .number(1)),
        MessageMember(
            "models",
            .list(
                .object([
                    MessageMember("model", .text("note")), MessageMember("records", .number(7)),
                    MessageMember("isLeast", .flag),
                ]))),
    ])

    static let userSession = MessageShape.object([
        MessageMember("device", .text("device identifier")),
        MessageMember("deviceCategory", .text("mobile")),
        MessageMember("expiresAt", .number(1_800_000_000_000)),
        MessageMember("lastSeen", .optional(.number(1_799_971_200_000))),
    ])

    static let signedInDevice = MessageShape.object([
        MessageMember("login", .text("cleo")),
        MessageMember("device", .text("device identifier")),
        MessageMember("deviceCategory", .text("mobile")),
        MessageMember("expiresAt", .number(1_800_000_000_000)),
        MessageMember("lastSeen", .optional(.number(1_799_971_200_000))),
    ])

    static let pushTokens = MessageShape.object([
        MessageMember(
            "tokens",
            .list(
                .object([
                    MessageMember("login", .text("cleo")),
                    MessageMember("device", .text("device identifier")),
                    MessageMember("deviceCategory", .text("mobile")),
                    MessageMember("type", .text("apns")),
                    MessageMember("at", .number(1_800_000_000_000)),
                    MessageMember("reached", .flag),
                ]))),
        MessageMember("cursor", .optional(.text("cursor"))),
    ])

    static let file = MessageShape.object([
        MessageMember("guid", .text("guid")), MessageMember("login", .text("cleo")),
        MessageMember("at", .number(1_800_000_000_000)), MessageMember("named", .flag),
        MessageMember("size", .optional(.number(1024))),
        MessageMember("sha256", .optional(.text("hexadecimal digits"))),
        MessageMember("complete", .flag),
    ])

    static let notification = MessageShape.object([
        MessageMember("number", .number(5)), MessageMember("id", .text("news-1")),
        MessageMember("sender", .text("cleo")), MessageMember("at", .number(1_800_000_000_000)),
        MessageMember("deviceCategory", .optional(.text("mobile"))),
        MessageMember("group", .optional(.text("users"))),
        MessageMember("users", .optional(.list(.text("cleo")))),
        MessageMember("notification", .document),
    ])

    static let sentNotification = MessageShape.object([
        MessageMember("id", .text("news-1")), MessageMember("repeated", .flag),
        MessageMember("unreachable", .optional(.document)),
    ])

    static let imported = MessageShape.object([
        MessageMember("name", .text("spring")),
        MessageMember("dryRun", .flag), MessageMember("created", .number(3)),
        MessageMember("updated", .number(2)), MessageMember("deleted", .number(0)),
        MessageMember("unchanged", .number(1)), MessageMember("repeated", .number(0)),
        MessageMember("refused", .number(1)),
        MessageMember(
            "leftOut",
            .object([
                MessageMember("accessLists", .number(0)), MessageMember("files", .number(0)),
                MessageMember("relations", .number(0)),
            ])),
        MessageMember(
            "problems",
            .list(
                .object([
                    MessageMember("line", .number(12)),
                    MessageMember("column", .optional(.number(3))),
                    MessageMember("field", .optional(.text("score"))),
                    MessageMember("code", .text("tooLarge")),
                    MessageMember("message", .text("'score' is too large")),
                ]))),
    ])

    private static let seenVersionMembers = [
        MessageMember("wire", .word(["waggle", "mobeelizer", "azure", "parse"])),
        MessageMember("fingerprint", .optional(.text("fingerprint"))),
        MessageMember("version", .optional(.number(3))), MessageMember("devices", .number(12)),
        MessageMember("lastSeen", .number(1_800_000_000_000)),
    ]
    /// Without fingerprint and version for clients that name none.
    static let seenVersion = MessageShape.object(seenVersionMembers)
    static let prospect = MessageShape.object(
        seenVersionMembers + [
            MessageMember(
                "effect", .word(ClientProspect.Effect.allCases.map(\.rawValue))),
            MessageMember("subjects", .list(.text("note.title"))),
        ])

    /// One of `value`, `from` and `default` says which value records get.
    static let fillRule = MessageShape.object([
        MessageMember("model", .text("note")), MessageMember("field", .text("title")),
        MessageMember("value", .anything, isRequired: false),
        MessageMember("from", .text("name"), isRequired: false),
        MessageMember("default", .flag, isRequired: false),
    ])

    static let fill = MessageShape.object([
        MessageMember("rules", .list(.fillRule)), MessageMember("position", .number(1200)),
        MessageMember("filled", .number(800)), MessageMember("unfilled", .number(0)),
        MessageMember("done", .flag),
    ])

    static let filledField = MessageShape.object([
        MessageMember("model", .text("note")), MessageMember("field", .text("title")),
        MessageMember("records", .number(800)),
    ])

    static let modelConflicts = MessageShape.object([
        MessageMember("model", .text("note")), MessageMember("conflicts", .number(3)),
    ])

    static let risk = MessageShape.object([
        MessageMember("name", .text("fieldRemoved:note.title")),
        MessageMember("messages", .list(.text("the field 'title' is gone"))),
        MessageMember("records", .number(12)), MessageMember("accepted", .flag),
        MessageMember("examples", .list(.text("guid"))),
    ])
}
