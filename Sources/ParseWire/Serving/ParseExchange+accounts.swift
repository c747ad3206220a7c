import DefinitionModel
import JSON
import SyncEngine
import SyncServer
import UserAccounts

/// Making, changing and leaving accounts, as far as the operator lets clients.
extension ParseExchange {
    private static let accountKeys: Set<String> = [
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
            services.count == 1, case .object(let anonymous)? = services["anonymous"],
            case .string(let secret)? = anonymous["id"], secret.utf8.count >= 32
        else { throw ParseFailure(252, "This authentication method is unsupported.") }
        let login = "anonymous-\(id(of: secret.lowercased(), in: "anonymous"))"
        do {
            return try await register(login, secret, in: group)
        } catch let failure as ParseFailure where failure.code == 202 {
            return try await signIn(login, secret)
        }
    }

    private func register(
        _ login: String, _ password: String, in group: String
    ) async throws -> ParseAnswer {
        var mail = ""
        if case .string(let text)? = call.body["email"] { mail = try legalMail(text) }
        guard Login.normalizedOfNewUser(login) != nil else {
            throw ParseFailure(142, "a username has no spaces")
        }
        try await checkIsCurrent()
        let hash = try await exchange.host.passwords.newHash(
            of: password, forNewUser: login, from: exchange.context.clientAddress)
        let accounts = exchange.environment.accounts
        let user = NewUser(login: login, group: group, mail: mail, passwordHash: hash)
        switch try await accounts.register(user) {
        case .done: break
        case .loginTaken:
            throw ParseFailure(202, "Account already exists for this username.")
        case .mailTaken: throw Self.mailTaken
        }
        let (caller, token) = try await opened(login, password)
        do {
            try await makeProfile(for: caller, setting: profile)
        } catch {
            try await accounts.removeSelf(caller)
            throw error
        }
        let made = try await ownUser(for: caller, token: "r:\(token)")
        return .created(
            made.filter { ["objectId", "createdAt", "sessionToken"].contains($0.key) },
            at: "\(base)/users/\(userID(of: caller))")
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

    /// The members of the body that are columns of the profile.
    private var profile: [String: JSONValue] {
        call.body.filter { !Self.accountKeys.contains($0.key) }
    }

    /// `PUT /users/ID`. A new password ends all sessions; the answer has the token of a new one.
    func changeAccount(_ id: String, of caller: Caller) async throws -> ParseAnswer {
        if let name = call.body["username"], name != .string(caller.login) {
            throw ParseFailure.forbidden("a username stays: records belong to it")
        }
        if case .string(let mail)? = call.body["email"] {
            let isFree = try await exchange.environment.accounts.changeOwnMail(
                of: caller, to: try legalMail(mail))
            guard isFree else { throw Self.mailTaken }
        }
        var members: [String: JSONValue] = [
            "updatedAt": .string(preciseInstant(milliseconds: exchange.now.milliseconds))
        ]
        if !profile.isEmpty {
            let operation = ParseOperation(
                verb: .put, className: Self.userClass, objectID: id, body: profile)
            let done = try await results(of: [operation], isWhole: false, for: caller).first
            members.merge(try done?.get().members ?? [:]) { $1 }
        }
        guard case .string(let password)? = call.body["password"] else {
            return ParseAnswer(members)
        }
        let (passwords, accounts) = (exchange.host.passwords, exchange.environment.accounts)
        let former = try await accounts.passwordHash(of: caller)
        let hash = try await passwords.newOwnHash(of: password, for: caller)
        try await accounts.changeOwnPassword(of: caller, from: former, to: hash)
        members["sessionToken"] = .string("r:\(try await opened(caller.login, password).token)")
        return ParseAnswer(members)
    }

    /// `DELETE /users/ID`. The records of the user stay, but for the profile.
    func leave(_ id: String, _ caller: Caller) async throws -> ParseAnswer {
        if rules(ofClass: Self.userClass) != nil {
            let operation = ParseOperation(
                verb: .delete, className: Self.userClass, objectID: id, body: [:])
            _ = try await results(of: [operation], isWhole: false, for: caller)
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
