/// Parameters of requests that read records.
extension AdminRoute {
    static let fieldList = MessageMember("fields", .text("title,score"), isRequired: false)

    static let paging = [
        MessageMember("cursor", .text("cursor"), isRequired: false),
        MessageMember("limit", .number(100), isRequired: false),
    ]

    static let finding =
        [
            MessageMember("filter", .text(#"{"eq":["title","a"]}"#), isRequired: false),
            MessageMember("sort", .text("-title"), isRequired: false), fieldList,
            MessageMember("count", .flag, isRequired: false),
        ] + paging

    /// The user as whom an operator looks.
    static let looking = [
        MessageMember("as", .text("cleo"), isRequired: false),
        MessageMember("device", .text("mobile"), isRequired: false),
    ]
}

/// Routes for what an environment contains beside its records.
extension AdminRoute {
    static let conflicts: [AdminRoute] = [
        AdminRoute(
            .resolveConflicts, .post, "environments/:environment/conflicts", .userChanges,
            "Resolve open conflicts of many records by a rule.",
            body: [
                MessageMember("id", .text("resolution-1")),
                MessageMember("model", .optional(.text("note")), isRequired: false),
                MessageMember("guids", .optional(.list(.text("guid"))), isRequired: false),
                MessageMember("choose", .word(["mine", "theirs"])),
                MessageMember("fields", .document, isRequired: false),
                MessageMember("cursor", .optional(.text("cursor")), isRequired: false),
            ], .json(.document, status: 200)),
        AdminRoute(
            .changeOwnership, .patch,
            "environments/:environment/records/:model/:guid/ownership", .userChanges,
            "Give a record to another owner or group.",
            body: [
                MessageMember("owner", .text("cleo"), isRequired: false),
                MessageMember("group", .text("users"), isRequired: false),
            ], .json(.document, status: 200)),
        AdminRoute(
            .listRelations, .get, "environments/:environment/records/:model/:guid/relations",
            .keepers, "List the records that a record names, and those that name it.",
            query: looking, .json(.relations, status: 200)),
        AdminRoute(
            .explainRecord, .post, "environments/:environment/records/:model/:guid/explain",
            .keepers,
            "Say whether a user may do something with a record, and which line decides.",
            body: [
                MessageMember("login", .text("cleo")), MessageMember("device", .text("mobile")),
                MessageMember("field", .optional(.text("title")), isRequired: false),
                MessageMember(
                    "operation", .word(["read", "create", "update", "delete", "resolve"])),
            ], .json(.document, status: 200)),
        AdminRoute(
            .showCounts, .get, "environments/:environment/counts", .lookers,
            "Count records by model, open conflicts and users.", .json(.counts, status: 200)),
        AdminRoute(
            .countConflicts, .get, "environments/:environment/conflicts/count", .keepers,
            "Count the open conflicts.",
            .json(.object([MessageMember("openConflicts", .number(1))]), status: 200)),
    ]

    static let access: [AdminRoute] = [
        AdminRoute(
            .listSessions, .get, "environments/:environment/users/:login/sessions", .keepers,
            "List the open sessions of a user, by device.",
            .json(.list(.userSession), status: 200)),
        AdminRoute(
            .endSessions, .delete, "environments/:environment/users/:login/sessions",
            .userChanges, "End all sessions of a user.", .empty),
        AdminRoute(
            .endSession, .delete, "environments/:environment/users/:login/sessions/:device",
            .userChanges, "End the sessions of a user on a device.", .empty),
        AdminRoute(
            .listDevices, .get, "environments/:environment/devices", .keepers,
            "List the devices on which users are signed in, by login.",
            query: [MessageMember("search", .text("cleo"), isRequired: false)],
            .page(.signedInDevice)),
        AdminRoute(
            .unlockUser, .post, "environments/:environment/users/:login/unlock", .userChanges,
            "Unlock a user after failed sign-ins, so that the next one need not wait.", .empty),
        AdminRoute(
            .listPushTokens, .get, "environments/:environment/pushTokens", .keepers,
            "List the devices with a push token, without the tokens.", query: paging,
            .json(.pushTokens, status: 200)),
        AdminRoute(
            .removePushToken, .delete,
            "environments/:environment/users/:login/pushTokens/:device/:type", .userChanges,
            "Delete a push token of a user's device.", .empty),
    ]

    static let codes: [AdminRoute] = [
        AdminRoute(
            .listInvitations, .get, "environments/:environment/invitations", .keepers,
            "List the valid invitations and resets of passwords, without their codes.",
            .json(.list(.accountCode), status: 200)),
        AdminRoute(
            .addInvitation, .post, "environments/:environment/invitations", .userChanges,
            "Make an invitation to a group, whose code is shown once, or mailed.",
            body: [
                MessageMember("group", .text("users")),
                MessageMember("mail", .text("cleo@example.org"), isRequired: false),
                MessageMember("uses", .number(1), isRequired: false),
                MessageMember("days", .number(7), isRequired: false),
            ], .json(.newAccountCode, status: 201)),
        AdminRoute(
            .resetPassword, .post, "environments/:environment/users/:login/reset", .userChanges,
            "Make a code with which a user chooses a new password, within a day.",
            .json(.newAccountCode, status: 201)),
        AdminRoute(
            .mailReset, .post, "environments/:environment/users/:login/mailed-reset",
            .userChanges, "Mail a user a code for a new password.",
            .json(.accountCode, status: 202)),
        AdminRoute(
            .removeCode, .delete, "environments/:environment/invitations/:invitation",
            .userChanges, "Revoke an invitation or a reset of a password.", .empty),
    ]

    static let erasures: [AdminRoute] = [
        AdminRoute(
            .eraseUser, .post, "environments/:environment/users/:login/erasure", .userChanges,
            "Erase the data of a person, as 'waggle user erase'.",
            .json(.erased, status: 200)),
        AdminRoute(
            .listErasures, .get, "environments/:environment/erasures", .keepers,
            "List the persons whose data was erased, by login.", .page(.erasure)),
    ]

    static let files: [AdminRoute] = [
        AdminRoute(
            .listFiles, .get, "environments/:environment/files", .keepers,
            "List the files, by guid.", .page(.file)),
        AdminRoute(
            .showFile, .get, "environments/:environment/files/:guid", .keepers,
            "Return the contents of a file, or show it as an image.",
            query: [MessageMember("preview", .flag, isRequired: false)], .bytes),
        AdminRoute(
            .listNotifications, .get, "environments/:environment/notifications", .keepers,
            "List the stored notifications, oldest first.", .page(.notification)),
        AdminRoute(
            .sendNotification, .post, "environments/:environment/notifications", .userChanges,
            "Send a notification to users.",
            body: [
                MessageMember("id", .optional(.text("news-1")), isRequired: false),
                MessageMember("deviceCategory", .optional(.text("mobile")), isRequired: false),
                MessageMember("group", .optional(.text("users")), isRequired: false),
                MessageMember("users", .optional(.list(.text("cleo"))), isRequired: false),
                MessageMember("notification", .document),
            ], .json(.sentNotification, status: 201)),
    ]

    private static let format = MessageMember(
        "format", .word(["jsonl", "csv"]), isRequired: false)

    static let exchange: [AdminRoute] = [
        AdminRoute(
            .exportRecords, .get, "environments/:environment/export", .keepers,
            "Export records, as 'waggle export'.",
            query: [
                format, MessageMember("model", .text("note"), isRequired: false),
                MessageMember("owner", .text("cleo"), isRequired: false),
                MessageMember("deleted", .flag, isRequired: false),
            ], .rows),
        AdminRoute(
            .exportUser, .get, "environments/:environment/users/:login/export", .keepers,
            "Export the data of a user without contents of files, as 'waggle export --user'.",
            .text(type: "application/jsonl")),
        AdminRoute(
            .importRecords, .post, "environments/:environment/import", .userChanges,
            "Import records from CSV or JSON lines, as 'waggle import', or only check them.",
            query: [
                format, MessageMember("model", .text("note"), isRequired: false),
                MessageMember("from", .word(["waggle", "azure", "parse"]), isRequired: false),
                MessageMember("owner", .text("cleo"), isRequired: false),
                MessageMember("idField", .text("title"), isRequired: false),
                MessageMember("name", .text("spring"), isRequired: false),
                MessageMember("dryRun", .flag, isRequired: false),
                MessageMember("progress", .flag, isRequired: false),
            ], .summary(.imported)),
    ]

    static let live: [AdminRoute] = [
        AdminRoute(
            .followEvents, .get, "environments/:environment/events", .lookers,
            "Stream changes and deployments as Server-Sent Events.", .events),
        AdminRoute(
            .showNativeInterface, .get, "environments/:environment/openapi.json", .everyScope,
            "Return the OpenAPI document of the native wire, with the models of the environment, "
                + "or of another version.",
            query: [MessageMember("version", .text("1"), isRequired: false)],
            .json(.document, status: 200)),
        AdminRoute(
            .showMetrics, .get, "metrics", .lookers,
            "Return the metrics of the process that answers, as the listener for metrics does.",
            .text(type: "text/plain; version=0.0.4; charset=utf-8")),
    ]
}
