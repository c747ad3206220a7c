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
        if let authData = call.body["authData"], authData != .null {
            return try await signUpAnonymously(authData)
        }
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

    /// The client keeps the id, which is as good as a password.
    private func signUpAnonymously(_ authData: JSONValue) async throws -> ParseAnswer {
        guard let group = accounts.group, case .object(let services) = authData,
            services.count == 1, let secret = Self.anonymousSecret(in: services)
        else { throw ParseFailure(252, "This authentication method is unsupported.") }
        let login = anonymousLogin(of: secret)
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
        "anonymous-\(id(of: secret.lowercased(), in: "anonymous"))"
    }

    /// The members of a body that are not what the account has already: some clients send all
    /// that they know of a user.
    func changedMembers(
        in body: [String: JSONValue], of caller: Caller
    ) async throws -> [String: JSONValue] {
        var body = body
        if body["username"] == .string(caller.login) { body["username"] = nil }
        if case .string(let mail)? = body["email"],
            mail == (try await exchange.environment.accounts.ownMail(of: caller))
        {
            body["email"] = nil
        }
        if case .object(let services)? = body["authData"], services.count == 1,
            let secret = Self.anonymousSecret(in: services),
            anonymousLogin(of: secret) == caller.login
        {
            body["authData"] = nil
        }
        return body
    }

    private func register(
        _ login: String, _ password: String, in group: String
    ) async throws -> ParseAnswer {
        var mail = ""
        if case .string(let text)? = call.body["email"] { mail = try legalMail(text) }
        guard Login.normalizedOfNewUser(login) != nil else {
            throw ParseFailure(142, "a username has no spaces")
        }
        try spend(allowances.signUps, of: exchange.context.clientAddress)
        let hash = try await exchange.host.passwords.newHash(
            of: password, forNewUser: login, from: exchange.context.clientAddress)
        try await checkIsCurrent()
        let accounts = exchange.environment.accounts
        let user = NewUser(login: login, group: group, mail: mail, passwordHash: hash)
        switch try await accounts.register(user) {
        case nil: break
        case .loginTaken:
            throw ParseFailure(202, "Account already exists for this username.")
        case .mailTaken: throw Self.mailTaken
        case .tooManyUsers:
            throw ParseFailure.forbidden("no more accounts: an operator can add or remove users")
        }
        let caller: Caller
        let token: String
        do {
            (caller, token) = try await opened(login, knowing: hash)
            try await makeProfile(for: caller, setting: profile(in: call.body))
        } catch {
            try await accounts.unregister(user)
            throw error
        }
        await attachTokens(to: caller)
        let made = try await ownUser(for: caller, token: "r:\(token)")
        return .created(
            made.filter { ["objectId", "createdAt", "sessionToken"].contains($0.key) },
            at: "\(base)/users/\(userID(of: caller))")
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
    private func profile(in body: [String: JSONValue]) -> [String: JSONValue] {
        body.filter { !Self.accountKeys.contains($0.key) }
    }

    /// `PUT /users/ID`. A new password ends all sessions; the answer has the token of a new one.
    ///
    /// - Parameter body: Only the members that change.
    func changeAccount(
        _ id: String, _ body: [String: JSONValue], of caller: Caller
    ) async throws -> ParseAnswer {
        guard body["username"] == nil else {
            throw ParseFailure.forbidden("a username stays: records belong to it")
        }
        // All that can be refused beforehand is, so that nothing is half done.
        var mail: String?
        if case .string(let text)? = body["email"] {
            mail = try legalMail(text)
            try spend(allowances.mailChanges, of: caller.login)
        }
        let password = try await newPassword(in: body, of: caller)
        var members: [String: JSONValue] = [
            "updatedAt": .string(preciseInstant(milliseconds: exchange.now.milliseconds))
        ]
        let profile = profile(in: body)
        if !profile.isEmpty {
            let operation = ParseOperation(
                verb: .put, className: Self.userClass, objectID: id, body: profile)
            let done = try await results(of: [operation], isWhole: false, for: caller).first
            members.merge(try done?.get().members ?? [:]) { $1 }
        }
        let accounts = exchange.environment.accounts
        if let mail {
            let isFree = try await accounts.changeOwnMail(of: caller, to: mail)
            guard isFree else { throw Self.mailTaken }
        }
        if let (former, hash) = password {
            try await accounts.changeOwnPassword(of: caller, from: former, to: hash)
            let token = try await opened(caller.login, knowing: hash).token
            members["sessionToken"] = .string("r:\(token)")
        }
        return ParseAnswer(members)
    }

    /// The hashes of the present password and of a new one; nil if the body has none. Throws 119 if
    /// the user signs in with a provider: only an operator lets them have a password.
    private func newPassword(
        in body: [String: JSONValue], of caller: Caller
    ) async throws -> (former: String?, new: String)? {
        guard case .string(let password)? = body["password"] else { return nil }
        let former = try await exchange.environment.accounts.passwordHash(of: caller)
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

    private static let mailTaken = ParseFailure(
        203, "Account already exists for this email address.")
}
