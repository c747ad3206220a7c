import HTTPTypes
package import SyncEngine

extension HTTPFailure {
    /// Maps every error of the engine to a status.
    package init(_ error: SyncError) {
        switch error {
        case .signIn(let error): self.init(error)
        case .definitionChanged:
            self = HTTPFailure(
                .serviceUnavailable, "definitionChanged",
                "other definitions were deployed while this was being answered",
                help: "nothing was decided; send the same again"
            ).with(.retryAfter, "1").logging("one deployment came after the other")
        case .cursorUnreadable:
            self.init(
                .badRequest, "cursorUnreadable", "the cursor was not issued by this environment",
                help: "send it exactly as it was received, or none to start over")
        case .cursorForeign:
            self.init(
                .conflict, "cursorForeign", "the cursor is not from the data of this server",
                help: "start over without a cursor and keep the unsent changes")
        case .tooManyChanges(let count, let max):
            self = .tooMany("changes", code: "tooManyChanges", count: count, max: max)
        case .tooManyAcknowledged(let count, let max):
            self = .tooMany(
                "acknowledged changes", code: "tooManyAcknowledged", count: count, max: max)
        case .tooMuchToRead: self = .tooMuchToRead()
        case .tooMuchToMatch: self = .tooMuchToMatch()
        case .tooManyUnacknowledged(let max, let maxBytes):
            self = .tooManyUnacknowledged(max: max, maxBytes: maxBytes)
        case .tooManyHiddenClashes(let seconds): self = .tooManyHiddenClashes(seconds)
        case .limitOutOfRange(let given, let max): self = .limitOutOfRange(given, max: max)
        case .find(let error): self.init(error)
        case .modelMissing: self = .modelMissing()
        case .tooManyResolutions(let count, let max):
            self = .tooMany("records", code: "tooManyResolutions", count: count, max: max)
        case .adminOnly: self = .adminOnly()
        case .ownerMissing: self = .ownerMissing()
        case .recordUnknown: self = .recordUnknown()
        case .account(let error): self.init(error)
        case .file(let refusal): self.init(refusal)
        case .ticket(let refusal): self.init(refusal)
        case .notification(let refusal): self.init(refusal)
        case .store(let error): self.init(error)
        }
    }

    private static func limitOutOfRange(_ given: Int, max: Int) -> HTTPFailure {
        HTTPFailure(
            .badRequest, "limitOutOfRange", "the limit \(given) is out of range",
            help: "ask for 1 to \(max) records", details: ["max": "\(max)"])
    }

    private static func tooMuchToRead() -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "tooMuchToRead",
            "the changes need more stored data than one request may read",
            help: "send fewer changes at once; one change alone is never too much")
    }

    private static func tooMuchToMatch() -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, "tooMuchToMatch",
            "matching the patterns of the definition takes more steps than one request may",
            help: "send fewer changes at once; one change alone is never too much")
    }

    private static func adminOnly() -> HTTPFailure {
        HTTPFailure(
            .forbidden, "adminOnly", "only admins may do this",
            help: "ask an admin of the environment")
    }

    private static func modelMissing() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "modelMissing", "guids are named without their model",
            help: "send the member 'model' with 'guids'")
    }

    private static func ownerMissing() -> HTTPFailure {
        HTTPFailure(
            .badRequest, "ownerMissing", "a new record needs an owner",
            help: "say which user of the environment owns the new records")
    }

    private static func recordUnknown() -> HTTPFailure {
        HTTPFailure(
            .notFound, "recordUnknown", "there is no such record",
            help: "check model and guid, and sync: you may not see the record any more")
    }

    private static func tooManyUnacknowledged(max: Int, maxBytes: Int) -> HTTPFailure {
        HTTPFailure(
            .conflict, "tooManyUnacknowledged",
            "the device has too many outcomes that it has not acknowledged",
            help: "acknowledge the outcomes that the device has stored, and send the same again",
            details: ["max": "\(max)", "maxBytes": "\(maxBytes)"])
    }

    private static func tooManyHiddenClashes(_ seconds: Int64) -> HTTPFailure {
        HTTPFailure(
            .tooManyRequests, "tooManyHiddenClashes",
            "too many guids and unique values were those of records that the user may not see",
            help: "send the same again in \(seconds) s",
            details: ["retryAfterSeconds": "\(seconds)"]
        ).with(.retryAfter, "\(seconds)")
    }

    private static func tooMany(
        _ things: String, code: String, count: Int, max: Int
    ) -> HTTPFailure {
        HTTPFailure(
            .contentTooLarge, code, "\(count) \(things) are too many for one request",
            help: "send \(max) at most", details: ["count": "\(count)", "max": "\(max)"])
    }

    private init(_ error: AccountError) {
        switch error {
        case .loginIllegal(let login):
            self.init(
                .badRequest, "loginIllegal", "'\(login)' is not a valid login",
                help: "use 1 to 255 bytes without spaces, control and format characters")
        case .mailIllegal:
            self.init(
                .badRequest, "mailIllegal",
                "the mail address is too long or has a control character", help: "leave it out")
        case .exists(let login):
            self.init(
                .conflict, "userExists", "there is a user '\(login)' already",
                help: "choose another login, or change that user", details: ["login": login])
        case .unknown(let login):
            self.init(
                .notFound, "userUnknown", "there is no user '\(login)'",
                help: "look at the list of users", details: ["login": login])
        case .groupUnknown(let group, let known): self = .groupUnknown(group, known: known)
        case .codeUnknown:
            self.init(
                .forbidden, "codeUnknown", "the code is unknown, used up, revoked or expired",
                help: "ask who gave it to you for another one")
        case .tooManyCodes(let max):
            self.init(
                .conflict, "tooManyCodes", "there are too many invitations and resets",
                help: "remove some that nobody will use", details: ["max": "\(max)"])
        case .numberOutOfRange(let name, let max):
            self.init(
                .badRequest, "numberOutOfRange", "the number of \(name) is out of range",
                help: "use 1 to \(max)", details: ["max": "\(max)"])
        case .store(let error): self.init(error)
        }
    }

    private init(_ error: SignInError) {
        switch error {
        case .wrongCredentials:
            self = HTTPFailure(
                .unauthorized, "wrongCredentials", "login and password do not go together",
                help: "check both, and the environment"
            ).with(.wwwAuthenticate, "Bearer")
        case .tooManyAttempts(let seconds):
            self = HTTPFailure(
                .tooManyRequests, "tooManyAttempts", "too many attempts to sign in have failed",
                help: "try again in \(seconds) s", details: ["retryAfterSeconds": "\(seconds)"]
            ).with(.retryAfter, "\(seconds)")
        case .tokenUnknown:
            self = HTTPFailure(
                .unauthorized, "tokenUnknown", "the token is unknown, ended or expired",
                help: "sign in again"
            ).with(.wwwAuthenticate, "Bearer error=\"invalid_token\"")
        case .roleUnknown(let group, let category, let known):
            self.init(
                .forbidden, "roleUnknown",
                "group '\(group)' on device category '\(category)' is not a role of the definition",
                help: "the roles are \(known.map { "'\($0)'" }.joined(separator: ", "))",
                details: ["group": group, "deviceCategory": category])
        case .deviceIdentifierIllegal(let max):
            self.init(
                .badRequest, "deviceIdentifierIllegal", "the device identifier is not acceptable",
                help: "send 1 to \(max) visible ASCII characters", details: ["maxBytes": "\(max)"])
        }
    }

    private init(_ error: StoreError) {
        switch error {
        case .busy:
            self = HTTPFailure(
                .serviceUnavailable, "busy", "the database is busy", help: "try again in a second"
            ).with(.retryAfter, "1").logging("the database stayed locked")
        case .unavailable(let text):
            self = HTTPFailure(
                .serviceUnavailable, "databaseUnavailable", "the database cannot be reached",
                help: "try again in a second"
            ).with(.retryAfter, "1").logging(text)
        case .stopping: self = .stopping()
        case .cancelled: self = .cancelled()
        case .memoryFull(let isOwn): self.init(isOwn ? MemoryShortage.ofOwner : .ofServer)
        case .outOfSpace:
            self = HTTPFailure(
                HTTPResponse.Status(code: 507, reasonPhrase: "Insufficient Storage"), "outOfSpace",
                "the server's disk is full",
                help: "nothing was changed; inform the operator"
            ).logging("the disk is full, or a quota or a limit on the size of files is used up")
        case .unreadable(let text, _):
            self = HTTPFailure(
                .serviceUnavailable, "databaseUnusable", "the server cannot use its database",
                help: "nothing was changed; inform the operator, and send the same again "
                    + "later"
            ).logging(
                "\(text); look at the database and what waggle says of it when it is started again"
            )
        case .failed: self = .unexpected(error)
        }
    }
}
