import AccessPolicy
import ChangeRules
import DefinitionModel
import ForeignValues
import JSON
import RecordSearch
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Users and their sessions. The operator makes the accounts; a model `_User` has the profiles.
extension ParseExchange {
    func users(_ rest: [String]) async throws -> ParseAnswer {
        switch call.verb {
        case .get where rest.first == "me":
            let caller = try await userOfSession()
            await attachTokens(to: caller)
            return try await ownUser(for: caller).answer
        case .get: return try await user(rest.first, rest)
        case .post: return try await signUp()
        case .put:
            guard let id = rest.first else { throw ParseFailure.wrongMethod }
            return try await changeUser(id)
        case .delete:
            guard let id = rest.first else { throw ParseFailure.wrongMethod }
            guard accounts.allowsChanges else {
                throw ParseFailure.forbidden("the operator removes the accounts")
            }
            let refusal = ParseFailure(206, "Insufficient auth to delete user")
            let caller = try await userOfSession(or: refusal)
            guard try await id == userID(of: caller) else { throw refusal }
            return try await leave(id, caller)
        }
    }

    /// Throws `failure` in place of 101 if nobody is signed in.
    private func userOfSession(
        or failure: ParseFailure = .deadSession
    ) async throws -> Caller {
        guard tokenHash != nil else { throw failure }
        return try await caller()
    }

    private func user(_ id: String?, _ rest: [String]) async throws -> ParseAnswer {
        let caller = try await caller()
        if rules(ofClass: Self.userClass) != nil {
            return try await objects(of: Self.userClass, rest)
        }
        if let id, try await id != userID(of: caller) { throw ParseFailure.objectNotFound }
        let account = try await account(of: caller)
        return id == nil ? try own(account, caller) : ParseAnswer(account)
    }

    /// The only user that there is to find without profiles.
    private func own(
        _ account: [String: JSONValue], _ caller: Caller
    ) throws -> ParseAnswer {
        try found([account], ParseParameters(call.parameters)) {
            name, condition, _ throws(ParseFailure) in
            name == "$relatedTo" ? isMember(caller, byRelation: condition) : nil
        }
    }

    /// The answer to a find of objects that are no records.
    func found(
        _ objects: [[String: JSONValue]], _ parameters: ParseParameters,
        deciding special: SpecialCondition = { _, _, _ in nil }
    ) throws(ParseFailure) -> ParseAnswer {
        var found: [[String: JSONValue]] = []
        for object in objects {
            let isFound = try parameters.filter.finds(object, deciding: special)
            if isFound { found.append(object) }
        }
        let answered = try parameters.sorted(found, byAtMost: engine.limits.sortKeys)
            .dropFirst(parameters.skip).prefix(parameters.limit).map { object in
                JSONValue.object(
                    object.filter { InnerKeys.always.contains($0.key) || parameters.shows($0.key) })
            }
        var answer: [String: JSONValue] = ["results": .array(answered)]
        if parameters.counts { answer["count"] = .integer(Int64(found.count)) }
        return ParseAnswer(answer)
    }

    /// Without accounts of their own, users can only change their profile.
    private func changeUser(_ id: String) async throws -> ParseAnswer {
        let refusal = ParseFailure(206, "Cannot modify user \(id).")
        let caller = try await userOfSession(or: refusal)
        guard try await id == userID(of: caller) else { throw refusal }
        try ParseOperation.checkSystemKeys(in: call.body, of: Self.userClass, id: id)
        let body = try await changedMembers(in: call.body, of: caller)
        if accounts.allowsChanges {
            guard body["authData"] == nil else {
                throw isAnonymous(caller)
                    ? ParseFailure.forbidden("anonymous users get no name: sign up a new user")
                    : .unsupportedService
            }
            return try await changeAccount(id, body, of: caller)
        }
        let ofAccount = ["password", "email", "username", "authData"]
        if let name = ofAccount.first(where: { body[$0] != nil }) {
            throw ParseFailure.forbidden("the operator changes the '\(name)' of an account")
        }
        // Some clients save all that they know of a user.
        guard rules(ofClass: Self.userClass) != nil || !profile(in: body).isEmpty else {
            return ParseAnswer(try await account(of: caller).filter { $0.key == "updatedAt" })
        }
        return try await changeProfile(id, setting: body, of: caller).answer
    }

    func userID(of caller: Caller) async throws -> String { try await userID(of: caller.login) }

    /// The id of a user is that of the profile. A user without one has the id that the login has
    /// for good, which a profile made here gets too; an imported profile keeps its own.
    func userID(of login: String) async throws -> String {
        try await userIDs(of: [login])[login] ?? ""
    }

    func userIDs(of logins: Set<String>) async throws -> [String: String] {
        let usual = Dictionary(
            uniqueKeysWithValues: logins.map { ($0, id(of: $0, in: Self.userClass)) })
        guard let model = rules(ofClass: Self.userClass)?.model.name else { return usual }
        return try await engine.ownIDs(in: model, usually: usual)
    }

    /// The members that an account has without a profile.
    private func account(of caller: Caller) async throws -> [String: JSONValue] {
        let user = try await exchange.environment.accounts.ownUser(of: caller)
        var members = times(madeAt: user?.madeAt, changedAt: user?.changedAt)
        members["objectId"] = .string(try await userID(of: caller))
        members["username"] = .string(caller.login)
        if let mail = user?.mail, !mail.isEmpty { members["email"] = .string(mail) }
        return members
    }

    /// The user with the profile and the token of the session.
    func ownUser(for caller: Caller) async throws -> DoneOperation {
        var members = try await account(of: caller)
        var revision: Int64?
        if let model = rules(ofClass: Self.userClass) {
            var parameters = ParseParameters()
            parameters.filter = .object(["objectId": members["objectId"] ?? .null])
            let (found, _) = try await records(parameters, of: model, for: caller)
            let profile = try await objects(of: found, parameters, model, for: caller).first
            members.merge(profile ?? [:]) { _, own in own }
            revision = found.first?.record.revision
            members["username"] = .string(caller.login)
        }
        if let shownToken { members["sessionToken"] = .string(shownToken) }
        return DoneOperation(members: members, revision: revision)
    }
}

// MARK: - Sessions

extension ParseExchange {
    func signIn() async throws -> ParseAnswer {
        let (name, password) = try credentials()
        let login = try await exchange.environment.accounts.login(namedBy: name)
        return try await signIn(login, password)
    }

    func signIn(_ login: String, _ password: String) async throws -> ParseAnswer {
        let (caller, token) = try await opened(login, password)
        let own = inSession(of: caller, token: token)
        try await own.makeProfile(for: caller)
        await own.attachTokens(to: caller)
        return try await own.ownUser(for: caller).answer
    }

    /// Leaves no session behind, so that links to files are for the session of the request.
    func verifyPassword() async throws -> ParseAnswer {
        let (name, password) = try credentials()
        let login = try await exchange.environment.accounts.login(namedBy: name)
        let (caller, token) = try await opened(login, password)
        let user = try await ownUser(for: caller)
        try await exchange.environment.accounts.signOut(tokenHash: BearerToken.hash(token))
        return ParseAnswer(user.members.filter { $0.key != "sessionToken" })
    }

    func signOut() async throws -> ParseAnswer {
        guard let tokenHash else { return ParseAnswer([:]) }
        _ = try await caller()
        try await exchange.environment.accounts.signOut(tokenHash: tokenHash)
        return ParseAnswer([:])
    }

    /// The present session; of others no token is known, so none is told.
    func sessions(_ rest: [String]) async throws -> ParseAnswer {
        let isOwn = rest.first == "me" || rest.first.map { $0 == sessionID } ?? false
        switch call.verb {
        case .get where rest.isEmpty:
            return try found([try await session()], ParseParameters(call.parameters))
        case .get where isOwn, .put where isOwn: return ParseAnswer(try await session())
        case .delete where isOwn: return try await signOut()
        case .get, .post, .put, .delete: throw ParseFailure.objectNotFound
        }
    }

    /// The id of the present session; nil if nobody is signed in.
    private var sessionID: String? {
        call.credentials.sessionToken.map { id(of: $0, in: "_Session") }
    }

    func session() async throws -> [String: JSONValue] {
        let caller = try await userOfSession()
        let token = call.credentials.sessionToken ?? ""
        let user = ParsePointer(
            className: Self.userClass, objectID: try await userID(of: caller))
        let own = try await exchange.environment.accounts.ownSessions(of: caller, at: exchange.now)
        guard let session = own.first(where: { $0.tokenHash == tokenHash }) else {
            throw ParseFailure.deadSession
        }
        await attachTokens(to: caller)
        return times(madeAt: session.openedAt).merging([
            "expiresAt": .object([
                "__type": "Date",
                "iso": .string(preciseInstant(milliseconds: session.expiresAt.milliseconds)),
            ]),
            "createdWith": .object(["action": "login", "authProvider": "password"]),
            "objectId": .string(sessionID ?? ""), "user": user.json,
            "sessionToken": .string(token.hasPrefix("r:") ? token : "r:\(token)"),
            "installationId": .string(caller.deviceIdentifier), "restricted": .boolean(false),
        ]) { $1 }
    }

    private func credentials() throws(ParseFailure) -> (login: String, password: String) {
        guard let login = member("username") ?? member("email") else {
            throw ParseFailure(200, "username/email is required.")
        }
        guard let password = member("password") else {
            throw ParseFailure(201, "password is required.")
        }
        return (login, password)
    }

    /// A member of the body, or a parameter as it is written: `1e3` is no number here.
    private func member(_ name: String) -> String? {
        let json = call.body[name] ?? call.texts[name].map { .string($0) } ?? call.parameters[name]
        guard case .string(let text)? = json, !text.isEmpty else { return nil }
        return text
    }

    func opened(
        _ login: String, _ password: String
    ) async throws -> (caller: Caller, token: String) {
        let (_, token) = try await exchange.host.passwords.signIn(
            credentials(of: login, password), to: exchange.environment.accounts,
            from: exchange.context.clientAddress)
        return try await identified(by: token)
    }

    /// Opens a session for a user whose password was hashed just now.
    func opened(
        _ login: String, knowing hash: String
    ) async throws -> (caller: Caller, token: String) {
        let (_, token) = try await exchange.host.passwords.signIn(
            credentials(of: login, ""), knowing: hash, to: exchange.environment.accounts,
            from: exchange.context.clientAddress)
        return try await identified(by: token)
    }

    private func credentials(of login: String, _ password: String) -> Credentials {
        Credentials(
            login: login, password: password, deviceCategory: clients.deviceCategory,
            deviceIdentifier: device, identifiesDevice: device != Self.commonDevice)
    }

    private func identified(by token: NewToken) async throws -> (caller: Caller, token: String) {
        let caller = try await exchange.engine.identify(tokenHash: token.hash, at: exchange.now)
        exchange.context.charge(caller.login, in: exchange.environment)
        return (caller, token.text)
    }
}
