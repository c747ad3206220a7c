import DefinitionModel
import Foundation
import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer

/// What admins do with users. The engine refuses everybody else.
extension WireRoutes {
    @Sendable func groups(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        _ = try await client(of: request)
        return try .json(services.engine.rules.definition.groups.map { GroupMessage(name: $0) })
    }

    @Sendable func users(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        return try .json(
            try await services.engine.users(for: client.caller).map { OriginalUser($0) })
    }

    @Sendable func user(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        let login = try parameter("login", of: request)
        let users = try await services.engine.users(for: client.caller)
        guard let user = users.first(where: { $0.login == login }) else {
            throw SyncError.account(.unknown(login))
        }
        return try .json(OriginalUser(user))
    }

    @Sendable func createUser(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let (user, caller) = try await readUser(from: request, context)
        guard let password = user.password, let group = user.group else {
            throw WireRefusal.userIncomplete(user.password == nil ? "password" : "group")
        }
        let hash = try await services.passwords.newHash(of: password, for: caller)
        _ = try await services.engine.addUser(
            NewUser(
                login: user.login, group: group, mail: user.mail ?? "",
                isAdmin: user.isAdmin ?? false, passwordHash: hash),
            by: caller)
        return .text("")
    }

    @Sendable func updateUser(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let (user, caller) = try await readUser(from: request, context)
        var hash: String?
        if let password = user.password {
            hash = try await services.passwords.newHash(of: password, for: caller)
        }
        try await services.engine.changeUser(
            user.login,
            UserEdit(
                group: user.group, mail: user.mail, isAdmin: user.isAdmin, passwordHash: hash),
            by: caller)
        return .text("")
    }

    @Sendable func deleteUser(
        _ request: Request, _ context: ConnectionContext
    ) async throws -> Response {
        let client = try await client(of: request)
        try await services.engine.removeUser(
            try parameter("login", of: request), by: client.caller)
        return .text("")
    }

    private func readUser(
        from request: Request, _ context: ConnectionContext
    ) async throws -> (user: OriginalUser, caller: Caller) {
        let client = try await client(of: request)
        let bytes = try await services.bodies.wholeBody(
            of: request, upTo: Self.maxUserBytes, on: context)
        do {
            return (try JSONDecoder().decode(OriginalUser.self, from: Data(bytes)), client.caller)
        } catch is DecodingError {
            throw WireRefusal.userIllegible
        }
    }

    private static let maxUserBytes = 8 << 10
}

private struct GroupMessage: Encodable {
    let name: String
}
