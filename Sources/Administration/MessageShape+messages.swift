extension MessageShape {
    static let peopleScope = MessageShape.word(AdminScope.ofPeople.map(\.rawValue))

    static let session = MessageShape.object([
        MessageMember("name", .text("ann")),
        MessageMember("scope", .word(AdminScope.allCases.map(\.rawValue))),
        MessageMember("by", .word(["session", "token"])),
        MessageMember("environment", .optional(.text("production"))),
        MessageMember("passwordUntil", .optional(.number(1_800_000_000_000))),
    ])

    static let person = MessageShape.object([
        MessageMember("name", .text("ben")), MessageMember("scope", .peopleScope),
        MessageMember("createdAt", .number(1_800_000_000_000)),
    ])

    private static let tokenMembers = [
        MessageMember("number", .number(3)), MessageMember("name", .text("ci")),
        MessageMember("scope", .word(AdminScope.allCases.map(\.rawValue))),
        MessageMember("environment", .optional(.text("production"))),
        MessageMember("author", .text("ann")),
        MessageMember("createdAt", .number(1_800_000_000_000)),
        MessageMember("expiresAt", .number(1_807_776_000_000)),
    ]
    static let token = MessageShape.object(tokenMembers)
    static let newToken = MessageShape.object(
        tokenMembers + [MessageMember("token", .text("secret"))])

    static let activity = MessageShape.object([
        MessageMember("number", .number(12)), MessageMember("at", .number(1_800_000_000_000)),
        MessageMember("actor", .text("ann")), MessageMember("origin", .text("192.0.2.1")),
        MessageMember("act", .text("deploy")),
        MessageMember("environment", .optional(.text("test"))),
        MessageMember("target", .text("4")), MessageMember("before", .text("{\"version\":3}")),
        MessageMember("after", .text("{\"version\":4}")),
    ])

    static let environment = MessageShape.object([
        MessageMember("name", .text("test")), MessageMember("vendor", .text("example")),
        MessageMember("application", .text("notes")), MessageMember("digest", .text("digest")),
        MessageMember("fingerprint", .text("fingerprint")),
        MessageMember("deployment", .number(7)), MessageMember("sequence", .number(12)),
        MessageMember("version", .number(4)), MessageMember("locked", .flag),
    ])

    static let deployment = MessageShape.object([
        MessageMember("number", .number(7)), MessageMember("version", .number(4)),
        MessageMember("fingerprint", .text("fingerprint")), MessageMember("author", .text("ann")),
        MessageMember("deployedAt", .number(1_800_000_000_000)),
        MessageMember("fill", .optional(.fill)),
    ])

    static let deployed = MessageShape.object([
        MessageMember("deployed", .flag), MessageMember("environment", .text("test")),
        MessageMember("fingerprint", .text("fingerprint")),
        MessageMember("renamedRecords", .number(0)),
        MessageMember("refusal", .optional(.text("environmentLocked"))),
        MessageMember("repeatedValues", .list(.filledField)),
        MessageMember("differences", .optional(.document)),
        MessageMember("risks", .list(.risk)), MessageMember("fills", .list(.filledField)),
        MessageMember("clients", .list(.prospect)),
        MessageMember("openConflicts", .list(.modelConflicts)),
    ])

    static let version = MessageShape.object([
        MessageMember("number", .number(4)),
        MessageMember("vendor", .optional(.text("example"))),
        MessageMember("application", .optional(.text("notes"))),
        MessageMember("digest", .text("digest")),
        MessageMember("fingerprint", .text("fingerprint")), MessageMember("tag", .text("spring")),
        MessageMember("note", .text("with photos")), MessageMember("author", .text("ann")),
        MessageMember("addedAt", .number(1_800_000_000_000)),
        MessageMember("size", .number(1024)),
    ])

    static let user = MessageShape.object([
        MessageMember("login", .text("cleo")), MessageMember("group", .text("users")),
        MessageMember("mail", .text("cleo@example.org")), MessageMember("admin", .flag),
    ])

    /// As operators see them: whether they have a password, the provider with which they sign in
    /// otherwise, if any, and the beginning of the day on which they were last seen.
    static let listedUser = MessageShape.object([
        MessageMember("login", .text("cleo")), MessageMember("group", .text("users")),
        MessageMember("mail", .text("cleo@example.org")), MessageMember("admin", .flag),
        MessageMember("hasPassword", .flag),
        MessageMember("provider", .text("company"), isRequired: false),
        MessageMember("lastSeen", .optional(.number(1_800_057_600_000))),
    ])

    /// A version by number or tag, or a definition.
    static let definition = MessageShape.object([
        MessageMember("version", .text("4"), isRequired: false),
        MessageMember("xml", .text("<application …>"), isRequired: false),
    ])

    package static let error = MessageShape.object([
        MessageMember("code", .text("scopeTooNarrow")),
        MessageMember("message", .text("the scope 'viewer' does not allow this")),
        MessageMember("help", .text("ask a designer")), MessageMember("details", .document),
    ])

    /// A page of a list; `next` is the parameter `before` or `after` of the next page.
    package static func page(of entry: MessageShape) -> MessageShape {
        .object([
            MessageMember("entries", .list(entry)),
            MessageMember("next", .optional(.text("12"))),
        ])
    }
}
