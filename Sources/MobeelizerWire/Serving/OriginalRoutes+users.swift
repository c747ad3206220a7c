import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import SyncEngine
import SyncServer
import UserAccounts

/// User administration. The engine refuses callers who are not admins.
extension OriginalRoutes {
    @Sendable func groups(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        return try .json(exchange.engine.rules.definition.groups.map { GroupMessage(name: $0) })
    }

    @Sendable func users(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let users = try await exchange.environment.accounts.users(for: client.caller)
        return try .json(users.map { OriginalUser($0) })
    }

    @Sendable func user(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let login = try parameter("login", of: exchange.request)
        let users = try await exchange.environment.accounts.users(for: client.caller)
        guard let user = users.first(where: { $0.login == login }) else {
            throw SyncError.account(.unknown(login))
        }
        return try .json(OriginalUser(user))
    }

    @Sendable func createUser(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let user = try await readUser(exchange)
        guard let password = user.password, let group = user.group else {
            throw WireRefusal.userIncomplete(user.password == nil ? "password" : "group")
        }
        let hash = try await exchange.host.passwords.newHash(of: password, for: client.caller)
        _ = try await exchange.environment.accounts.addUser(
            NewUser(
                login: user.login, group: group, mail: user.mail ?? "",
                isAdmin: user.isAdmin ?? false, passwordHash: hash),
            by: client.caller, at: exchange.now)
        return .text("")
    }

    @Sendable func updateUser(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        let user = try await readUser(exchange)
        var hash: String?
        if let password = user.password {
            hash = try await exchange.host.passwords.newHash(of: password, for: client.caller)
        }
        try await exchange.environment.accounts.changeUser(
            user.login,
            UserEdit(
                group: user.group, mail: user.mail, isAdmin: user.isAdmin, passwordHash: hash),
            by: client.caller, at: exchange.now)
        return .text("")
    }

    @Sendable func deleteUser(
        _ exchange: Exchange, _ client: SignedInClient
    ) async throws -> Response {
        try await exchange.environment.accounts.removeUser(
            try parameter("login", of: exchange.request), by: client.caller)
        return .text("")
    }

    private func readUser(_ exchange: Exchange) async throws -> OriginalUser {
        let bytes = try await exchange.wholeBody(upTo: Self.maxUserBytes)
        do {
            return try decodeMessage(OriginalUser.self, from: bytes)
        } catch is DecodingError {
            throw WireRefusal.userIllegible
        }
    }

    private static let maxUserBytes = 8 << 10
}

private struct GroupMessage: Encodable {
    let name: String
}
