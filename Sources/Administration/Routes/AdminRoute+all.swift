extension AdminRoute {
    /// The routes of all operations, each once.
    package static let all =
        sessions + operators + environments + users + records + versions
        + conflicts + access + codes + erasures + files + exchange + live + workbench

    private static let sessions: [AdminRoute] = [
        AdminRoute(
            .setUp, .post, "setup", .anyone, "Add the first operator, a designer, and sign in.",
            body: [
                MessageMember("token", .text("one-time token")),
                MessageMember("name", .text("ann")),
                MessageMember("password", .text("a long password")),
            ], .json(.session, status: 201)),
        AdminRoute(
            .signIn, .post, "session", .anyone, "Sign in, and get the cookie of a session.",
            body: [
                MessageMember("name", .text("ann")),
                MessageMember("password", .text("a long password")),
            ], .json(.session, status: 201)),
        AdminRoute(
            .confirm, .post, "session/confirmation", .sessions,
            "Confirm the password, for requests that need it again.",
            body: [MessageMember("password", .text("a long password"))], .empty),
        AdminRoute(
            .changeOwnPassword, .put, "session/password", .sessions,
            "Change the own password, which ends all own sessions.",
            body: [
                MessageMember("password", .text("a long password")),
                MessageMember("newPassword", .text("another long password")),
            ], .empty),
        AdminRoute(
            .signOut, .delete, "session", .sessions, "End the session.", .empty),
        AdminRoute(
            .showSession, .get, "session", .everyScope,
            "Show the operator who sends the request, and its scope.",
            .json(.session, status: 200)),
    ]

    private static let operators: [AdminRoute] = [
        AdminRoute(
            .addOperator, .post, "operators", .designersAgain, "Add an operator.",
            body: [
                MessageMember("name", .text("ben")),
                MessageMember("password", .text("a long password")),
                MessageMember("scope", .peopleScope),
            ], .json(.person, status: 201)),
        AdminRoute(
            .changeOperator, .patch, "operators/:name", .designersAgain,
            "Change an operator's scope or password, which ends their sessions.",
            body: [
                MessageMember("password", .text("a long password"), isRequired: false),
                MessageMember("scope", .peopleScope, isRequired: false),
            ], .empty),
        AdminRoute(
            .removeOperator, .delete, "operators/:name", .designersAgain,
            "Remove an operator with their sessions and tokens.", .empty),
        AdminRoute(
            .listTokens, .get, "tokens", .designers,
            "List the tokens of scripts, without their secrets.",
            .json(.list(.token), status: 200)),
        AdminRoute(
            .addToken, .post, "tokens", .designersInSession,
            "Make a token, whose secret is shown once.",
            body: [
                MessageMember("name", .text("ci")),
                MessageMember("scope", .word(AdminScope.allCases.map(\.rawValue))),
                MessageMember(
                    "environment", .optional(.text("production")), isRequired: false),
                MessageMember("days", .number(90)),
            ], .json(.newToken, status: 201)),
        AdminRoute(
            .revokeToken, .delete, "tokens/:token", .designersAgain, "Revoke a token.", .empty),
        AdminRoute(
            .listActivities, .get, "activity", .designers, "List what was done, newest first.",
            .page(.activity)),
        AdminRoute(
            .listOperators, .get, "operators", .designers, "List the operators.",
            .json(.list(.person), status: 200)),
    ]

    private static let environments: [AdminRoute] = [
        AdminRoute(
            .showEnvironment, .get, "environments/:environment", .everyScope,
            "Show an environment.",
            .json(.environment, status: 200)),
        AdminRoute(
            .lockEnvironment, .put, "environments/:environment/lock", .designersAgain,
            "Lock an environment against deployments, or unlock it.",
            body: [MessageMember("locked", .flag)], .empty),
        AdminRoute(
            .renameEnvironment, .patch, "environments/:environment", .designersAgain,
            "Rename an environment, as 'waggle environment rename'.",
            body: [MessageMember("name", .text("later"))], .empty),
        AdminRoute(
            .removeEnvironment, .delete, "environments/:environment", .designersAgain,
            "Remove an environment with all its data, as 'waggle environment remove'.",
            query: [MessageMember("confirm", .text("production"))], .empty),
        AdminRoute(
            .listDeployments, .get, "environments/:environment/deployments", .everyScope,
            "List the deployments of an environment, newest first.", .page(.deployment)),
        AdminRoute(
            .deploy, .post, "environments/:environment/deployments",
            .scopes([.designer, .deployer], password: .beyondTest),
            "Deploy a version or a definition, or only return what that would change.",
            body: [
                MessageMember("version", .number(1), isRequired: false),
                MessageMember("xml", .text("<application …>"), isRequired: false),
                MessageMember("expecting", .text("fingerprint"), isRequired: false),
                MessageMember("dryRun", .flag, isRequired: false),
                MessageMember(
                    "accepting", .list(.text("fieldRemoved:note.title")), isRequired: false),
                MessageMember("fill", .list(.fillRule), isRequired: false),
            ], .json(.deployed, status: 200)),
        AdminRoute(
            .listClients, .get, "environments/:environment/clients", .lookers,
            "List the versions of the clients that were seen in the last 90 days.",
            .json(.list(.seenVersion), status: 200)),
        AdminRoute(
            .showRights, .get, "environments/:environment/rights", .lookers,
            "Show the rights of all roles, as 'waggle rights --format json'.",
            .json(.document, status: 200)),
        AdminRoute(
            .explain, .post, "environments/:environment/explain", .lookers,
            "Say whether a role may do something, as 'waggle explain --format json'.",
            body: inquiry, .json(.document, status: 200)),
        AdminRoute(
            .listEnvironments, .get, "environments", .everyScope, "List the environments.",
            .json(.list(.environment), status: 200)),
    ]

    private static let users: [AdminRoute] = [
        AdminRoute(
            .addUser, .post, "environments/:environment/users", .userChanges, "Add a user.",
            body: [
                MessageMember("login", .text("cleo")),
                MessageMember("password", .text("a long password"), isRequired: false),
                MessageMember("provider", .text("company"), isRequired: false),
                MessageMember("group", .text("users")),
                MessageMember("mail", .text("cleo@example.org"), isRequired: false),
                MessageMember("admin", .flag, isRequired: false),
            ], .json(.listedUser, status: 201)),
        AdminRoute(
            .changeUser, .patch, "environments/:environment/users/:login", .userChanges,
            "Change a user; a new password or provider ends their sessions.",
            body: [
                MessageMember("password", .text("a long password"), isRequired: false),
                MessageMember("provider", .text("company"), isRequired: false),
                MessageMember("group", .text("users"), isRequired: false),
                MessageMember("mail", .text("cleo@example.org"), isRequired: false),
                MessageMember("admin", .flag, isRequired: false),
            ], .empty),
        AdminRoute(
            .removeUser, .delete, "environments/:environment/users/:login", .userChanges,
            "Remove a user and end their sessions; their records stay.", .empty),
        AdminRoute(
            .listUsers, .get, "environments/:environment/users", .keepers,
            "List the users, by login.",
            query: [MessageMember("search", .text("cleo"), isRequired: false)],
            .page(.listedUser)),
    ]

    private static let records: [AdminRoute] = [
        AdminRoute(
            .listRecords, .get, "environments/:environment/records/:model", .keepers,
            "Find records, as an operator or as a user.", query: finding + looking,
            .json(.document, status: 200)),
        AdminRoute(
            .showRecord, .get, "environments/:environment/records/:model/:guid", .keepers,
            "Show a record, as an operator or as a user.", query: [fieldList] + looking,
            .json(.document, status: 200)),
        AdminRoute(
            .showHistory, .get, "environments/:environment/records/:model/:guid/history",
            .keepers, "Show the history of a record.", query: paging + looking,
            .json(.document, status: 200)),
        AdminRoute(
            .listConflicts, .get, "environments/:environment/conflicts", .keepers,
            "List the records with open conflicts.",
            query: [MessageMember("model", .text("note"), isRequired: false)] + paging + looking,
            .json(.document, status: 200)),
        AdminRoute(
            .changeRecords, .post, "environments/:environment/changes", .userChanges,
            "Change records as an operator, within the limits of the definition.",
            body: [
                MessageMember("owner", .text("cleo"), isRequired: false),
                MessageMember("changes", .list(.document)),
            ], .json(.document, status: 200)),
    ]

    private static let versions: [AdminRoute] = [
        AdminRoute(
            .importVersion, .post, "versions", .scopes([.designer, .deployer]),
            "Add a definition as a version without deploying it.",
            body: [
                MessageMember("xml", .text("<application …>")),
                MessageMember("tag", .text("spring"), isRequired: false),
                MessageMember("note", .text("with photos"), isRequired: false),
            ], .json(.version, status: 201)),
        AdminRoute(
            .showVersion, .get, "versions/:version", .everyScope,
            "Show a version, by number or tag.",
            .json(.version, status: 200)),
        AdminRoute(
            .labelVersion, .patch, "versions/:version", .designers,
            "Change the tag or the note of a version; another tag needs the password again.",
            body: [
                MessageMember("tag", .text("spring"), isRequired: false),
                MessageMember("note", .text("with photos"), isRequired: false),
            ], .json(.version, status: 200)),
        AdminRoute(
            .showSource, .get, "versions/:version/source", .everyScope,
            "Return the application.xml of a version, byte for byte.", .xml),
        AdminRoute(
            .check, .post, "check", .everyScope,
            "Check a definition, as 'waggle check --format json'.",
            body: [MessageMember("xml", .text("<application …>"))],
            .json(.document, status: 200)),
        AdminRoute(
            .diff, .post, "diff", .everyScope,
            "Compare two definitions, as 'waggle diff --format json'.",
            body: [
                MessageMember("old", .definition), MessageMember("new", .definition),
            ], .json(.document, status: 200)),
        AdminRoute(
            .showInterface, .get, "openapi.json", .everyScope, "Return this document.",
            .json(.document, status: 200)),
        AdminRoute(
            .listVersions, .get, "versions", .everyScope, "List the versions, newest first.",
            .page(.version)),
    ]
}
