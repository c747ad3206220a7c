import HTTPTypes
import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol
import SyncServer
import UserAccounts

/// Administration. The engine refuses callers who are not admins.
extension Routes {
    @Sendable func users(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        let users = try await exchange.environment.accounts.userMessages(for: caller)
        return try .json(UsersResponse(users: users))
    }

    @Sendable func addUser(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            NewUserRequest.self, upTo: Self.maxAccountBytes)
        let hash = try await exchange.host.passwords.newHash(
            of: message.password, for: caller)
        let user = try await exchange.environment.accounts.addUser(
            message, passwordHash: hash, by: caller, at: exchange.now)
        return try .json(user, status: .created)
    }

    @Sendable func changeUser(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            UserChangeRequest.self, upTo: Self.maxAccountBytes)
        var hash: String?
        if let password = message.password {
            hash = try await exchange.host.passwords.newHash(of: password, for: caller)
        }
        try await exchange.environment.accounts.changeUser(
            try exchange.parameter("login"), message, passwordHash: hash, by: caller,
            at: exchange.now)
        return Response(status: .noContent)
    }

    @Sendable func removeUser(_ exchange: Exchange) async throws -> Response {
        let caller = try await exchange.caller()
        try await exchange.environment.accounts.removeUser(
            try exchange.parameter("login"), by: caller)
        return Response(status: .noContent)
    }

    @Sendable func reassign(_ exchange: Exchange) async throws -> Response {
        let (message, caller) = try await exchange.read(
            OwnershipRequest.self, upTo: Self.maxAccountBytes)
        let (model, guid) = (try exchange.parameter("model"), try exchange.parameter("guid"))
        let client = try await exchange.client()
        let record = try await exchange.engine.reassign(
            guid, of: client?.servedModel(model) ?? model,
            to: NewOwnership(owner: message.owner, group: message.group),
            by: caller, at: exchange.now)
        return try .json(
            OwnershipResponse(
                model: model, guid: guid, revision: record.revision, owner: record.owner,
                group: record.group))
    }

    private static let maxAccountBytes = 8 << 10
}
