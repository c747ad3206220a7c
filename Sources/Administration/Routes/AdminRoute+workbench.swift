extension AdminRoute {
    /// Definitions that are being designed. Requests have the text; only drafts are stored.
    static let workbench: [AdminRoute] = [
        AdminRoute(
            .edit, .post, "edit", .everyScope,
            "Edit a definition, and check the result.",
            body: [
                MessageMember("xml", .text("<application …>")),
                MessageMember("edits", .list(.edit)),
            ], .json(.edited, status: 200)),
        AdminRoute(
            .showSentRights, .post, "rights", .everyScope,
            "Show the rights of all roles in a definition, as 'waggle rights --format json'.",
            body: [MessageMember("xml", .text("<application …>"))],
            .json(.document, status: 200)),
        AdminRoute(
            .explainSentRight, .post, "explain", .everyScope,
            "Say whether a role may do something by a definition, as 'waggle explain'.",
            body: [MessageMember("xml", .text("<application …>"))] + inquiry,
            .json(.document, status: 200)),
        AdminRoute(
            .drawDiagram, .post, "diagram", .everyScope,
            "Lay out a drawing of models and relations.",
            body: [MessageMember("xml", .text("<application …>"))],
            .json(.document, status: 200)),
        AdminRoute(
            .generateModels, .post, "models", .everyScope,
            "Generate the models of a definition, as 'waggle generate'.",
            body: [
                MessageMember("xml", .text("<application …>")),
                MessageMember("language", .text("swift")),
                MessageMember("prefix", .text("MMD")),
                MessageMember("classPrefix", .text("MD"), isRequired: false),
            ], .zip),
        AdminRoute(
            .makePackage, .post, "package", .everyScope,
            "Make a package with an app for a definition, as 'waggle new'.",
            body: [
                MessageMember("xml", .text("<application …>")),
                MessageMember("name", .text("Notes")), MessageMember("prefix", .text("MMD")),
                MessageMember("classPrefix", .text("MD"), isRequired: false),
                MessageMember("library", .text("https://example.org/waggle"), isRequired: false),
            ], .zip),
        AdminRoute(
            .showLibrary, .get, "library", .everyScope,
            "Return the library of packages whose request names none.",
            .json(
                .object([
                    MessageMember("library", .optional(.text("https://example.org/waggle")))
                ]), status: 200)),
        AdminRoute(
            .simulate, .post, "simulations", .designers,
            "Simulate random devices with a definition, as 'waggle simulate', and tell progress.",
            body: [
                MessageMember("xml", .text("<application …>")),
                MessageMember("devices", .number(6)), MessageMember("steps", .number(300)),
                MessageMember("histories", .number(20)), MessageMember("seed", .number(1)),
            ], .text(type: "application/jsonl")),
        AdminRoute(
            .showDiagnostic, .get, "diagnostics/:diagnostic", .everyScope,
            "Explain a kind of diagnostic, as 'waggle check --explain'.",
            .json(.diagnosticPage, status: 200)),
        AdminRoute(
            .listExamples, .get, "examples", .everyScope,
            "List the definitions with which an application can begin.",
            .json(.list(.exampleDefinition), status: 200)),
        AdminRoute(
            .showDraft, .get, "drafts/:draft", .lookers,
            "Return a draft; the entity tag is its revision.",
            .json(.draftWithText, status: 200)),
        AdminRoute(
            .writeDraft, .put, "drafts/:draft", .designers,
            "Write a draft whose entity tag is that of If-Match; without it, a new one.",
            body: [MessageMember("xml", .text("<application …>"))], .json(.draft, status: 200)),
        AdminRoute(
            .removeDraft, .delete, "drafts/:draft", .designersAgain, "Remove a draft.", .empty),
        AdminRoute(
            .followDraft, .get, "drafts/:draft/events", .lookers,
            "Stream the designers and the changes of a draft as Server-Sent Events.", .events),
        AdminRoute(
            .listDrafts, .get, "drafts", .lookers, "List the drafts, by name.",
            .json(.list(.draft), status: 200)),
    ]
}

extension AdminRoute {
    /// The right that a request asks about.
    static let inquiry = [
        MessageMember("role", .text("users-mobile")), MessageMember("model", .text("note")),
        MessageMember("field", .optional(.text("title")), isRequired: false),
        MessageMember("operation", .word(["read", "create", "update", "delete", "resolve"])),
        MessageMember("owner", .word(["self", "moved", "group", "other"])),
    ]
}

extension MessageShape {
    /// A path: steps of a name and pairs of attribute and value, which tell elements apart.
    private static let path = MessageShape.list(.list(.text("models")))

    /// The members that an edit needs depend on `do`.
    fileprivate static let edit = MessageShape.object([
        MessageMember(
            "do",
            .word(["add", "set", "write", "remove", "move", "rename", "copyRights", "removeRole"])),
        MessageMember("path", path, isRequired: false),
        MessageMember("attribute", .text("name"), isRequired: false),
        MessageMember("value", .optional(.text("note")), isRequired: false),
        MessageMember("to", .text("memo"), isRequired: false),
        MessageMember("from", .text("users-mobile"), isRequired: false),
        MessageMember("role", .text("users-mobile"), isRequired: false),
        MessageMember("down", .flag, isRequired: false),
    ])

    fileprivate static let edited = MessageShape.object([
        MessageMember("xml", .text("<application …>")),
        MessageMember("digest", .optional(.text("digest"))),
        MessageMember("fingerprint", .optional(.text("fingerprint"))),
        MessageMember("diagnostics", .list(.document)),
        MessageMember("outline", .optional(.document)),
        MessageMember("rights", .optional(.document)),
    ])

    fileprivate static let exampleDefinition = MessageShape.object([
        MessageMember("name", .text("conflicts")), MessageMember("title", .text("Conflicts")),
        MessageMember("summary", .text("two people change one record, and somebody decides")),
        MessageMember("xml", .text("<application …>")),
    ])

    fileprivate static let diagnosticPage = MessageShape.object([
        MessageMember("id", .text("defaultBreaksLimit")),
        MessageMember("severity", .word(["error", "warning", "note"])),
        MessageMember("summary", .text("A default breaks a limit of its field.")),
        MessageMember("text", .text("Change the default or the limit.")),
    ])
}
