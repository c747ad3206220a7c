import Administration
import DefinitionModel
import Hummingbird
package import JSON
import MailDelivery
import Secrets
import SyncEngine
import SyncServer
package import UserAccounts

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
        let recipient = try body.optionalText("mail").map(recipient)
        try await log(
            target: body.text("group"),
            after: .object([
                "uses": body.value("uses"), "days": body.value("days"),
                "mail": .boolean(recipient != nil),
            ]))
        let (code, text) = try await made { users, hash throws(AccountError) in
            try await users.invite(
                to: body.text("group"), uses: body.number("uses") ?? 1,
                days: body.number("days") ?? AccountCodeLimits.usualDays, hash: hash, by: actor,
                at: now)
        }
        guard let (desk, address) = recipient else { return answer(code, text) }
        try await mail(
            desk.texts.invitation(
                text, to: address, of: try await environment().definition.application,
                until: code.expiresAt), code, desk)
        return .json(.object(code.members), status: .created)
    }

    func resetPassword() async throws -> Response {
        let login = try context.pathPart("login")
        try await log(target: login)
        let (code, text) = try await reset(login)
        return answer(code, text)
    }

    func mailReset() async throws -> Response {
        let login = try context.pathPart("login")
        guard let user = try await user(login) else {
            throw SyncError.account(.unknown(login))
        }
        let (desk, address) = try recipient(user.mail)
        try await log(target: login)
        let (code, text) = try await reset(login)
        try await mail(
            desk.texts.reset(
                text, of: user.login, to: address,
                of: try await environment().definition.application, until: code.expiresAt),
            code, desk)
        return .json(.object(code.members), status: .accepted)
    }

    private func reset(_ login: String) async throws -> (AccountCode, text: String) {
        try await made { users, hash throws(AccountError) in
            try await users.reset(login, hash: hash, by: actor, at: now)
        }
    }

    /// Throws `mailUnset`, and `mailIllegal` for an address to which nothing can be sent.
    private func recipient(_ text: String) throws -> (MailDesk, MailAddress) {
        guard let mails = desk.mails else { throw HTTPFailure.mailUnset() }
        guard let address = MailAddress(text) else { throw SyncError.account(.mailIllegal(text)) }
        return (mails, address)
    }

    /// Takes the code back if too many mails are waiting.
    private func mail(_ mail: Mail, _ code: AccountCode, _ desk: MailDesk) async throws {
        guard !desk.add(.mail(mail)) else { return }
        try await withUsers { users throws(AccountError) in
            try await users.revoke(code.name, at: now)
        }
        throw HTTPFailure.mailQueueFull()
    }

    func removeCode() async throws -> Response {
        let name = try context.pathPart("invitation")
        let codes = try await withUsers { users throws(AccountError) in
            try await users.codes(at: now)
        }
        let code = codes.first { $0.name.hasSameBytes(as: name) }
        try await log(target: name, before: code.map { .object($0.members) })
        try await withUsers { users throws(AccountError) in try await users.revoke(name, at: now) }
        return Response(status: .noContent)
    }

    private func made(
        _ make: (UserDirectory, _ hash: [UInt8]) async throws(AccountError) -> AccountCode
    ) async throws -> (AccountCode, text: String) {
        let text = BearerToken.make()
        let code = try await withUsers { users throws(AccountError) in
            try await make(users, BearerToken.hash(text))
        }
        return (code, text)
    }

    private func answer(_ code: AccountCode, _ text: String) -> Response {
        var members = code.members
        members["code"] = .string(text)
        if let address = desk.texts.address(of: text, for: code.purpose) {
            members["link"] = .string(address)
        }
        return .json(.object(members), status: .created)
    }
}

extension AccountCode {
    /// Without the secret.
    package var members: [String: JSONValue] {
        [
            "name": .string(name), "group": JSONValue(text: group), "login": JSONValue(text: login),
            "usesLeft": .integer(usesLeft), "author": .string(author),
            "createdAt": .integer(createdAt.milliseconds),
            "expiresAt": .integer(expiresAt.milliseconds),
        ]
    }
}
