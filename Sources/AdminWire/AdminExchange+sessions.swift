import Administration
import DefinitionModel
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
        try checkWait(
            desk.failures.withLockedValue {
                $0.waitSeconds(name: name, address: address, isKnown: true, at: now)
            })
        let person = try await allOperators().first { $0.name.hasSameBytes(as: name) }
        let isKnown = person.map(isKnownBrowser(of:)) ?? false
        try checkWait(
            desk.failures.withLockedValue {
                $0.begin(name: name, address: address, isKnown: isKnown, at: now)
            })
        let isRight: Bool
        do {
            isRight = try await host.passwords.verify(
                body.text("password"), hash: person?.passwordHash, ofOperator: name,
                from: address, isOfKnownBrowser: isKnown)
            if !isRight, let person { try await logFailure(of: person) }
        } catch {
            desk.failures.withLockedValue {
                $0.withdraw(name: name, address: address, isKnown: isKnown)
            }
            throw error
        }
        // A wrong name and a wrong password take the same time.
        guard isRight, let person else { throw SyncError.signIn(.wrongCredentials) }
        desk.failures.withLockedValue {
            $0.succeed(name: name, address: address, isKnown: isKnown)
        }
        desk.loggedFailures.withLockedValue { $0.end(name) }
        return person
    }

    private func checkWait(_ seconds: Int64) throws {
        guard seconds == 0 else {
            throw SyncError.signIn(.tooManyAttempts(retryAfterSeconds: seconds))
        }
    }

    /// Whether the operator has signed in with this browser before, as a session or the cookie
    /// tells.
    private func isKnownBrowser(of person: Operator) -> Bool {
        if let caller, case .session = caller.proof, caller.name == person.name { return true }
        let cookie = request.cookie(named: Self.browserCookieName(request, desk))
        return cookie.map { BrowserMark.isValid($0, of: person) } ?? false
    }

    /// Names that no operator has are not logged: strangers would fill the log, and some people
    /// type a password there. Neither is each failure of an attack.
    private func logFailure(of person: Operator) async throws {
        guard desk.loggedFailures.withLockedValue({ $0.isDue(person.name, at: now) }) else {
            return
        }
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
        var response = Response.json(caller.json)
        if case .session = caller.proof { response.headers[.setCookie] = try await mark() }
        return response
    }

    /// The cookie by which a browser is known when its session has ended; nil if it has one.
    private func mark() async throws -> String? {
        guard let caller,
            let person = try await allOperators().first(where: { $0.name == caller.name })
        else { return nil }
        let name = Self.browserCookieName(request, desk)
        let present = request.cookie(named: name)
        guard !(present.map { BrowserMark.isValid($0, of: person) } ?? false) else { return nil }
        return "\(name)=\(BrowserMark.make(of: person)); Path=/; HttpOnly; SameSite=Strict"
            + "; Max-Age=\(BrowserMark.keptSeconds)"
            + (Self.isSecure(request, desk) ? "; Secure" : "")
    }

    func confirm() async throws -> Response {
        guard let caller, case .session(let hash, _) = caller.proof else {
            throw HTTPFailure(AdminRefusal.sessionNeeded)
        }
        _ = try await verifiedOperator(caller.name)
        try await log(target: caller.name)
        try await storing { () async throws(StoreError) in
            try await desk.store.renewOperatorSession(tokenHash: hash, at: now, confirmed: true)
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
