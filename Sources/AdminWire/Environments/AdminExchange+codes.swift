import Administration
import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Invitations, and resets of passwords. The text of a code is in the answer that makes it, and
/// nowhere else.
extension AdminExchange {
    func listInvitations() async throws -> Response {
        let codes = try await withUsers { users throws(AccountError) in
            try await users.codes(at: now)
        }
        return .json(.array(codes.map { .object($0.members) }))
    }

    func addInvitation() async throws -> Response {
        try await log(target: body.text("group"), after: body.json)
        return try await answer { users, hash throws(AccountError) in
            try await users.invite(
                to: body.text("group"), uses: body.number("uses") ?? 1,
                days: body.number("days") ?? AccountCodeLimits.usualDays, hash: hash, by: actor,
                at: now)
        }
    }

    func resetPassword() async throws -> Response {
        let login = try context.pathPart("login")
        try await log(target: login)
        return try await answer { users, hash throws(AccountError) in
            try await users.reset(login, hash: hash, by: actor, at: now)
        }
    }

    func removeCode() async throws -> Response {
        let name = try context.pathPart("invitation")
        try await log(target: name)
        try await withUsers { users throws(AccountError) in try await users.revoke(name, at: now) }
        return Response(status: .noContent)
    }

    private func answer(
        _ make: (UserDirectory, _ hash: [UInt8]) async throws(AccountError) -> AccountCode
    ) async throws -> Response {
        let text = BearerToken.make()
        let code = try await withUsers { users throws(AccountError) in
            try await make(users, BearerToken.hash(text))
        }
        var members = code.members
        members["code"] = .string(text)
        return .json(.object(members), status: .created)
    }
}

extension AccountCode {
    fileprivate var members: [String: JSONValue] {
        [
            "name": .string(name), "group": JSONValue(text: group), "login": JSONValue(text: login),
            "usesLeft": .integer(usesLeft), "author": .string(author),
            "createdAt": .integer(createdAt.milliseconds),
            "expiresAt": .integer(expiresAt.milliseconds),
        ]
    }
}
