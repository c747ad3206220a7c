import Administration
import HTTPTypes
import Hummingbird
import JSON
import NIOConcurrencyHelpers
import Secrets
import SyncEngine
import SyncServer

/// Signing in and out.
extension AdminExchange {
    func setUp() async throws -> Response {
        let name = body.text("name")
        // A password is hashed for nobody afterwards: that is slow by design.
        guard try await allOperators().isEmpty else { throw HTTPFailure(.setupClosed) }
        let hash = try await host.passwords.newHash(
            of: body.text("password"), byOperator: "setup \(context.clientAddress)")
        let first = Operator(
            name: name, scope: .designer, passwordHash: hash, createdAt: now)
        try await administering { operators throws(OperatorError) in
            try await operators.addFirst(
                first, setup: BearerToken.hash(body.text("token")), at: now)
        }
        try await log(target: name, after: first.json, by: name)
        return try await openSession(of: first)
    }

    func signIn() async throws -> Response {
        let person = try await verifiedOperator(body.text("name"))
        try await log(target: person.name, by: person.name)
        return try await openSession(of: person)
    }

    /// Throws `wrongCredentials` and `tooManyAttempts`.
    private func verifiedOperator(_ name: String) async throws -> Operator {
        let address = context.clientAddress
        let wait = desk.failures.withLockedValue {
            $0.begin(name: name, address: address, at: now)
        }
        guard wait == 0 else {
            throw SyncError.signIn(.tooManyAttempts(retryAfterSeconds: wait))
        }
        let person: Operator?
        do {
            person = try await operatorWithPassword(name)
        } catch {
            desk.failures.withLockedValue { $0.withdraw(name: name, address: address) }
            throw error
        }
        guard let person else { throw SyncError.signIn(.wrongCredentials) }
        desk.failures.withLockedValue { $0.succeed(name: name, address: address) }
        return person
    }

    /// Nil for a wrong name or password, which take the same time.
    private func operatorWithPassword(_ name: String) async throws -> Operator? {
        let all = try await allOperators()
        let person = all.first { $0.name.utf8.elementsEqual(name.utf8) }
        let isRight = try await host.passwords.verify(
            body.text("password"), hash: person?.passwordHash, ofOperator: name,
            from: context.clientAddress)
        if !isRight, let person { try await logFailure(of: person) }
        return isRight ? person : nil
    }

    /// Names that no operator has are not logged: strangers would fill the log, and some people
    /// type a password there.
    private func logFailure(of person: Operator) async throws {
        try await log(target: person.name, after: .object(["failed": .boolean(true)]))
    }

    private func openSession(of person: Operator) async throws -> Response {
        let token = BearerToken.make()
        let session = OperatorSession(
            tokenHash: BearerToken.hash(token), name: person.name, usedAt: now, confirmedAt: now)
        let isOpen = try await storing { () async throws(StoreError) in
            try await desk.store.open(
                session, passwordHash: person.passwordHash,
                keeping: AdministrationLimits.sessionsOfOperator)
        }
        guard isOpen else { throw SyncError.signIn(.wrongCredentials) }
        let caller = AdminCaller(OpenOperatorSession(session: session, person: person))
        var response = Response.json(caller.json, status: .created)
        response.headers[.setCookie] = cookie(token)
        return response
    }

    private func cookie(_ token: String, isEnded: Bool = false) -> String {
        Self.cookieName(request, desk) + "=\(token); Path=/; HttpOnly; SameSite=Strict"
            + (Self.isSecure(request, desk) ? "; Secure" : "") + (isEnded ? "; Max-Age=0" : "")
    }

    func showSession() async throws -> Response {
        guard let caller else { throw HTTPFailure(AdminRefusal.credentialsMissing) }
        return .json(caller.json)
    }

    func confirm() async throws -> Response {
        guard let caller, case .session(let hash, _) = caller.proof else {
            throw HTTPFailure(AdminRefusal.sessionNeeded)
        }
        _ = try await verifiedOperator(caller.name)
        try await log(target: caller.name)
        let session = OperatorSession(
            tokenHash: hash, name: caller.name, usedAt: now, confirmedAt: now)
        try await storing { () async throws(StoreError) in
            try await desk.store.update(session)
        }
        return Response(status: .noContent)
    }

    func changeOwnPassword() async throws -> Response {
        let person = try await verifiedOperator(actor)
        let hash = try await host.passwords.newHash(
            of: body.text("newPassword"), byOperator: actor)
        try await log(target: person.name)
        try await administering { operators throws(OperatorError) in
            try await operators.edit(person.name, scope: nil, passwordHash: hash, at: now)
        }
        return endedSession()
    }

    func signOut() async throws -> Response {
        guard let caller, case .session(let hash, _) = caller.proof else {
            throw HTTPFailure(AdminRefusal.sessionNeeded)
        }
        try await log(target: caller.name)
        try await storing { () async throws(StoreError) in
            try await desk.store.endOperatorSession(tokenHash: hash)
        }
        return endedSession()
    }

    private func endedSession() -> Response {
        var response = Response(status: .noContent)
        response.headers[.setCookie] = cookie("", isEnded: true)
        return response
    }

    /// Runs `body` with the operators, and converts its errors.
    func administering<Value: Sendable>(
        _ body: (OperatorDirectory) async throws(OperatorError) -> Value
    ) async throws -> Value {
        do {
            return try await body(OperatorDirectory(store: desk.store))
        } catch {
            throw HTTPFailure(error)
        }
    }
}
