import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncServer
import UserAccounts

/// Making, changing and leaving accounts, as far as the operator lets clients.
extension ParseExchange {
    static let accountKeys: Set<String> = [
        "username", "password", "email", "authData", "ACL",
    ]

    /// `POST /users`.
    func signUp() async throws -> ParseAnswer {
        try ParseOperation.checkSystemKeys(in: call.body, of: Self.userClass, id: nil)
        guard [.null, ""].contains(call.body["objectId"] ?? .null) else {
            throw ParseFailure.badKey("objectId")
        }
        guard let services = Self.services(in: call.body["authData"]) else {
            throw ParseFailure.unsupportedService
        }
        guard services.isEmpty else { return try await signUpAnonymously(services) }
        guard let group = accounts.group else {
            throw ParseFailure.forbidden("the operator makes the accounts")
        }
        guard case .string(let login)? = call.body["username"], !login.isEmpty else {
            throw ParseFailure(200, "bad or missing username")
        }
        guard case .string(let password)? = call.body["password"], !password.isEmpty else {
            throw ParseFailure(201, "password is required")
        }
        return try await register(login, password, in: group)
    }

    /// The services that a body's `authData` names. A null is the end of a service. Nil if it is no
    /// object.
    private static func services(in authData: JSONValue?) -> [String: JSONValue]? {
        guard let authData, !authData.isRemoval else { return [:] }
        guard case .object(let services) = authData else { return nil }
        return services.filter { $0.value != .null }
    }

    /// The client keeps the id, which is as good as a password. A name and a password beside it
    /// would be lost, so they are refused.
    private func signUpAnonymously(_ services: [String: JSONValue]) async throws -> ParseAnswer {
        guard let group = accounts.group, services.count == 1,
            let secret = Self.anonymousSecret(in: services)
        else { throw ParseFailure.unsupportedService }
        let login = anonymousLogin(of: secret)
        let name = call.body["username"] ?? .null
        guard [.null, "", .string(login)].contains(name),
            [.null, ""].contains(call.body["password"] ?? .null)
        else {
            throw ParseFailure(252, "an anonymous user has neither a username nor a password")
        }
        do {
            return try await register(login, secret, in: group)
        } catch let failure as ParseFailure where failure.code == 202 {
            return try await signIn(login, secret)
        }
    }

    private static func anonymousSecret(in services: [String: JSONValue]) -> String? {
        guard case .object(let anonymous)? = services["anonymous"],
            case .string(let secret)? = anonymous["id"], secret.utf8.count >= 32
        else { return nil }
        return secret
    }

    private func anonymousLogin(of secret: String) -> String {
        Self.anonymousPrefix + id(of: secret.lowercased(), in: "anonymous")
    }

    private static let anonymousPrefix = "anonymous-"

    /// Whether the login is like those of anonymous users. Others are not kept from such a name.
    func isAnonymous(_ caller: Caller) -> Bool { caller.login.hasPrefix(Self.anonymousPrefix) }

    /// The members of a body that are not what the account has already: some clients send all
    /// that they know of a user.
    func changedMembers(
        in body: [String: JSONValue], of caller: Caller
    ) async throws -> [String: JSONValue] {
        var body = body
        if body["username"] == .string(caller.login) { body["username"] = nil }
        if let given = body["email"] {
            let own = try await exchange.environment.accounts.ownUser(of: caller)?.mail ?? ""
            if given == .string(own) || own.isEmpty && given.isRemoval { body["email"] = nil }
        }
        if changesNothing(body["authData"], of: caller) { body["authData"] = nil }
        return body
    }

    /// Whether the services in a body are those that the user has: none, or for an anonymous user
    /// the id.
    private func changesNothing(_ authData: JSONValue?, of caller: Caller) -> Bool {
        guard let services = Self.services(in: authData) else { return false }
        guard services.isEmpty else {
            return services.count == 1
                && Self.anonymousSecret(in: services).map(anonymousLogin) == caller.login
        }
        return !isAnonymous(caller) || authData == .object([:])
    }

    private func register(
        _ login: String, _ password: String, in group: String
    ) async throws -> ParseAnswer {
        let mail = try mail(in: call.body) ?? ""
        guard Login.normalizedOfNewUser(login) != nil else {
            throw ParseFailure(142, "a username has no spaces")
        }
        let profile = profile(in: call.body)
        guard profile.isEmpty || rules(ofClass: Self.userClass) != nil else {
            throw ParseFailure.unknownField(of: Self.userClass)
        }
        try checkAccessList(
            call.body["ACL"], of: Self.userClass,
            owner: ListedOwner(id: id(of: login, in: Self.userClass), group: group))
        try spend(allowances.signUps, of: exchange.context.clientAddress)
        let hash = try await exchange.host.passwords.newHash(
            of: password, forNewUser: login, from: exchange.context.clientAddress)
        try await checkIsCurrent()
        let accounts = exchange.environment.accounts
        let user = NewUser(login: login, group: group, mail: mail, passwordHash: hash)
        if let refusal = try await accounts.register(user, at: exchange.now) {
            guard refusal == .loginTaken, let made = try await repeated(login, password) else {
                throw ParseFailure(refusal)
            }
            do {
                try await makeProfile(of: made.caller, setting: profile)
            } catch is ParseFailure {
                // The first request has made it.
            }
            return try await signedUp(made.caller, made.token)
        }
        let caller: Caller
        let token: String
        do {
            (caller, token) = try await opened(login, knowing: hash)
            try await makeProfile(of: caller, setting: profile)
        } catch {
            try await accounts.unregister(user)
            throw error
        }
        return try await signedUp(caller, token)
    }

    private func signedUp(_ caller: Caller, _ token: String) async throws -> ParseAnswer {
        await attachTokens(to: caller)
        let made = try await inSession(of: caller, token: token).ownUser(for: caller)
        let told = keysOfNewUser(caller)
        return .created(
            made.members.filter { told.contains($0.key) },
            at: ["users", try await userID(of: caller)], of: base)
    }

    /// The keys of a new user that the client cannot know: besides ids and times a name that the
    /// server has made, defaults, and the results of operators.
    private func keysOfNewUser(_ caller: Caller) -> Set<String> {
        var keys: Set = ["objectId", "createdAt", "sessionToken"]
        if call.body["username"] != .string(caller.login) { keys.insert("username") }
        for field in rules(ofClass: Self.userClass)?.model.fields ?? [] {
            let name = field.foreignName
            let leadsInto = call.body.keys.contains { $0.hasPrefix("\(name).") }
            let given = call.body[name]
            if leadsInto || given?.isOperator ?? (field.defaultValue != nil) { keys.insert(name) }
        }
        return keys
    }

    /// Opens a session for a repeated sign-up, in the account that the first has made. Nil for a
    /// request that cannot be repeated, and if the password is another one.
    private func repeated(
        _ login: String, _ password: String
    ) async throws -> (caller: Caller, token: String)? {
        guard repeatKey != nil else { return nil }
        do {
            return try await opened(login, password)
        } catch SyncError.signIn(.wrongCredentials) {
            return nil
        }
    }

    /// Throws 100, with the time to wait, if the address or user has tried too often.
    private func spend(_ allowance: RequestAllowance, of name: String) throws(ParseFailure) {
        let seconds = allowance.wait(
            of: "\(exchange.environment.name) \(name)", at: exchange.now)
        guard seconds == 0 else {
            throw .passing(
                "too many accounts or mail addresses were tried", status: 429,
                retryAfterSeconds: Int(seconds))
        }
    }

    /// Throws `definitionChanged`, after which the request is answered again, if another definition
    /// was deployed or an epoch began. Found later, the repeated request would meet the user that
    /// it has added itself.
    private func checkIsCurrent() async throws(SyncError) {
        let engine = exchange.engine
        let state = try await engine.reading { () async throws(StoreError) in
            try await engine.store.environment(named: exchange.environment.name)
        }
        guard let state, engine.isCurrent(state.fingerprint),
            state.epochs.current == engine.epochs.current
        else { throw .definitionChanged }
    }

    /// The members of a body that are columns of the profile.
    func profile(in body: [String: JSONValue]) -> [String: JSONValue] {
        body.filter {
            !Self.accountKeys.contains($0.key)
                && !ParseOperation.isSystemKey($0.key, of: Self.userClass)
        }
    }

    /// The mail address that a body sets, empty to remove it. Nil if the body says nothing of it.
    private func mail(in body: [String: JSONValue]) throws(ParseFailure) -> String? {
        guard let given = body["email"] else { return nil }
        if given.isRemoval { return "" }
        guard case .string(let text) = given else {
            throw ParseFailure(111, "schema mismatch for \(Self.userClass).email; expected String")
        }
        return try legalMail(text)
    }

    /// `PUT /users/ID`. A new password ends all sessions; the answer has the token of a new one.
    ///
    /// - Parameter body: Only the members that change.
    func changeAccount(
        _ id: String, _ body: [String: JSONValue], of caller: Caller
    ) async throws -> ParseAnswer {
        guard body["username"] == nil else {
            throw ParseFailure.forbidden("a username cannot change: records belong to it")
        }
        // All that can be refused beforehand is, so that nothing is half done.
        try checkAccessList(
            body["ACL"], of: Self.userClass,
            owner: ListedOwner(id: id, group: caller.asker.group))
        let accounts = exchange.environment.accounts
        let mail = try mail(in: body)
        if let mail, !mail.isEmpty { try await checkMail(mail, of: caller) }
        let password = try await newPassword(in: body, of: caller)
        var members: [String: JSONValue] = [
            "updatedAt": .string(preciseInstant(milliseconds: exchange.now.milliseconds))
        ]
        let profile = profile(in: body)
        var revision: Int64?
        if try !profile.isEmpty || rules(ofClass: Self.userClass) != nil && ifRevision() != nil {
            let done = try await changeProfile(id, setting: profile, of: caller)
            members.merge(done.members) { $1 }
            revision = done.revision
        }
        if let mail {
            let isFree = try await accounts.changeOwnMail(
                of: caller, to: mail, at: exchange.now)
            guard isFree else { throw ParseFailure(.mailTaken) }
        }
        if let (former, hash) = password {
            try await accounts.changeOwnPassword(
                of: caller, from: former, to: hash, at: exchange.now)
            if let passwordChangeKey {
                passwordChanges.note(passwordChangeKey, of: caller.login, at: exchange.now)
            }
            let token = try await opened(caller.login, knowing: hash).token
            members["sessionToken"] = .string("r:\(token)")
        }
        return DoneOperation(members: members, revision: revision).answer
    }

    private func checkMail(_ mail: String, of caller: Caller) async throws {
        try spend(allowances.mailChanges, of: caller.login)
        let owners = try await exchange.environment.accounts.logins(withMail: mail)
        guard owners.allSatisfy({ $0.hasSameBytes(as: caller.login) }) else {
            throw ParseFailure(.mailTaken)
        }
    }

    /// Nil for a request that cannot be repeated.
    private var passwordChangeKey: String? {
        repeatKey.map { "\(exchange.environment.name) \($0)" }
    }

    /// The answer to a repeated change of a password: the first change has ended the session with
    /// which it comes. Nil for another request, and if the password is another one by now.
    func repeatedPasswordChange(at path: [String]) async throws -> ParseAnswer? {
        guard call.verb == .put, path.first == "users", path.count == 2,
            case .string(let password)? = call.body["password"],
            let login = passwordChangeKey.flatMap({
                passwordChanges.login(of: $0, at: exchange.now)
            }), let (caller, token) = try await repeated(login, password)
        else { return nil }
        await attachTokens(to: caller)
        return ParseAnswer([
            "updatedAt": .string(preciseInstant(milliseconds: exchange.now.milliseconds)),
            "sessionToken": .string("r:\(token)"),
        ])
    }

    /// The hashes of the present password and of a new one; nil if the body has none. Throws 119 if
    /// the user signs in with a provider: only an operator lets them have a password.
    private func newPassword(
        in body: [String: JSONValue], of caller: Caller
    ) async throws -> (former: String?, new: String)? {
        guard let given = body["password"], given != .null else { return nil }
        guard case .string(let password) = given else {
            throw ParseFailure(
                111, "schema mismatch for \(Self.userClass).password; expected String")
        }
        let former = try await exchange.environment.accounts.ownUser(of: caller)?.passwordHash
        guard former.flatMap(IdentityLink.init) == nil else {
            throw ParseFailure.forbidden("this user signs in with a provider, not a password")
        }
        return (
            former, try await exchange.host.passwords.newOwnHash(of: password, for: caller)
        )
    }

    /// `DELETE /users/ID`. The records of the user stay, but for the profile.
    func leave(_ id: String, _ caller: Caller) async throws -> ParseAnswer {
        if rules(ofClass: Self.userClass) != nil {
            let operation = ParseOperation(
                verb: .delete, className: Self.userClass, objectID: id, body: [:])
            let done = try await results(of: [operation], isWhole: false, for: caller).first
            // There may be no profile.
            if case .failure(let failure)? = done, failure.code != 101 { throw failure }
        }
        try await exchange.environment.accounts.removeSelf(caller)
        return ParseAnswer([:])
    }

    private func legalMail(_ text: String) throws(ParseFailure) -> String {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ !$0.isEmpty }), text.utf8.count <= 254,
            text.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
        else { throw ParseFailure(125, "Email address format is invalid.") }
        return text
    }
}

extension ParseFailure {
    static let unsupportedService = ParseFailure(
        252, "This authentication method is unsupported.")

    fileprivate init(_ refusal: RegistrationRefusal) {
        switch refusal {
        case .loginTaken: self = .usernameTaken
        case .mailTaken: self.init(203, "Account already exists for this email address.")
        case .tooManyUsers:
            self.init(119, "no more accounts: an operator can add or remove users")
        }
    }
}
