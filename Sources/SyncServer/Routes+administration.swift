import HTTPTypes
import Hummingbird
import NativeCalls
import SyncEngine
import SyncProtocol

/// What admins do. The engine refuses everybody else.
extension Routes {
    @Sendable func users(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        return try .json(UsersResponse(users: try await engine.userMessages(for: caller)))
    }

    @Sendable func addUser(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            NewUserRequest.self, from: request, context, upTo: Self.maxAccountBytes)
        let hash = try await passwords.newHash(of: message.password, for: caller)
        return try .json(
            try await engine.addUser(message, passwordHash: hash, by: caller), status: .created)
    }

    @Sendable func changeUser(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            UserChangeRequest.self, from: request, context, upTo: Self.maxAccountBytes)
        var hash: String?
        if let password = message.password {
            hash = try await passwords.newHash(of: password, for: caller)
        }
        try await engine.changeUser(
            parameter("login", context), message, passwordHash: hash, by: caller)
        return Response(status: .noContent)
    }

    @Sendable func removeUser(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        try await engine.removeUser(parameter("login", context), by: caller)
        return Response(status: .noContent)
    }

    @Sendable func reassign(_ request: Request, _ context: Context) async throws -> Response {
        let (message, caller) = try await read(
            OwnershipRequest.self, from: request, context, upTo: Self.maxAccountBytes)
        let (model, guid) = (parameter("model", context), parameter("guid", context))
        let record = try await engine.reassign(
            guid, of: model, to: NewOwnership(owner: message.owner, group: message.group),
            by: caller, at: now())
        return try .json(
            OwnershipResponse(
                model: model, guid: guid, revision: record.revision, owner: record.owner,
                group: record.group))
    }

    private static let maxAccountBytes = 8 << 10
}
