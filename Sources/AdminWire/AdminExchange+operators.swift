import Administration
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer

/// Operators, tokens and the activity log.
extension AdminExchange {
    func listOperators() async throws -> Response {
        .json(.array(try await allOperators().map(\.json)))
    }

    func allOperators() async throws(SyncError) -> [Operator] {
        try await storing { () async throws(StoreError) in try await desk.store.operators() }
    }

    func addOperator() async throws -> Response {
        let hash = try await host.passwords.newHash(of: body.text("password"), byOperator: actor)
        let added = Operator(
            name: body.text("name"), scope: scope ?? .viewer, passwordHash: hash, createdAt: now)
        try await log(target: added.name, after: added.json)
        try await administering { operators throws(OperatorError) in
            try await operators.add(added, at: now)
        }
        return .json(added.json, status: .created)
    }

    func changeOperator() async throws -> Response {
        let name = try context.pathPart("name")
        var hash: String?
        if let password = body.optionalText("password") {
            hash = try await host.passwords.newHash(of: password, byOperator: actor)
        }
        try await log(
            target: name, before: try await stored(name)?.json,
            after: .object([
                "password": .boolean(hash != nil),
                "scope": .init(text: body.optionalText("scope")),
            ]))
        let newHash = hash
        try await administering { operators throws(OperatorError) in
            try await operators.edit(name, scope: scope, passwordHash: newHash, at: now)
        }
        return Response(status: .noContent)
    }

    func removeOperator() async throws -> Response {
        let name = try context.pathPart("name")
        try await log(target: name, before: try await stored(name)?.json)
        try await administering { operators throws(OperatorError) in
            try await operators.remove(name, at: now)
        }
        return Response(status: .noContent)
    }

    private func stored(_ name: String) async throws(SyncError) -> Operator? {
        try await allOperators().first { $0.name.hasSameBytes(as: name) }
    }

    private var scope: AdminScope? {
        body.optionalText("scope").flatMap(AdminScope.init)
    }

    func listTokens() async throws -> Response {
        .json(.array(try await allTokens().map(\.json)))
    }

    private func allTokens() async throws(SyncError) -> [NumberedToken] {
        try await storing { () async throws(StoreError) in try await desk.store.tokens(at: now) }
    }

    /// A token belongs to an operator, so a token cannot make another one. The act is logged once
    /// the token has its number, and before anybody learns the secret.
    func addToken() async throws -> Response {
        let (name, days) = (body.text("name"), body.number("days") ?? 0)
        guard Operator.isLegal(name: name) else { throw HTTPFailure(.nameIllegal(name)) }
        guard (1...Int64(AdministrationLimits.longestTokenDays)).contains(days) else {
            throw HTTPFailure.daysIllegal()
        }
        let secret = BearerToken.make()
        let token = OperatorToken(
            tokenHash: BearerToken.hash(secret), name: name, scope: scope ?? .viewer,
            environment: body.optionalText("environment"), author: actor, createdAt: now,
            expiresAt: now.adding(seconds: days * 86_400))
        let number = try await storing { () async throws(StoreError) in
            try await desk.store.add(token, upTo: AdministrationLimits.tokens)
        }
        guard let number else { throw HTTPFailure(.tooMany) }
        var members = token.members
        members["number"] = .integer(number)
        try await log(target: name, after: .object(members))
        members["token"] = .string(secret)
        return .json(.object(members), status: .created)
    }

    func revokeToken() async throws -> Response {
        let text = try context.pathPart("token")
        let number = Int64(text) ?? 0
        try await log(
            target: text, before: try await allTokens().first { $0.number == number }?.json)
        let isRevoked = try await storing { () async throws(StoreError) in
            try await desk.store.revokeToken(number)
        }
        guard isRevoked else { throw HTTPFailure.tokenUnknown(text) }
        return Response(status: .noContent)
    }

    func listActivities() async throws -> Response {
        let page = try AdminPage(request)
        let last = try page.number()
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.activities(before: last, limit: page.limit)
        }
        return page.answer(found.map { ($0.json, "\($0.number)") })
    }
}
