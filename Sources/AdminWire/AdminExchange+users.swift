import Administration
import DefinitionModel
import HTTPTypes
import Hummingbird
import JSON
import SyncEngine
import SyncServer
import UserAccounts

/// Users of an environment.
extension AdminExchange {
    func listUsers() async throws -> Response {
        let page = try AdminPage(request)
        let id = try await environment().state.id
        let query = UserQuery(
            environment: id, search: try request.queryValue("search") ?? "",
            after: page.next ?? "", limit: page.limit)
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.users(matching: query)
        }
        let waiting = host.clients.waiting(in: id).lastDaysOfUsers.reduce(into: [:]) {
            $0[ByteKey($1.login)] = $1.day
        }
        return page.answer(
            found.map { listed in
                let days = [listed.lastDay, waiting[ByteKey(listed.login)]].compactMap(\.self)
                return (listed.user.json(lastDay: days.max()), listed.login)
            })
    }

    func addUser() async throws -> Response {
        guard let hash = try await newHash() else { throw HTTPFailure.proofMissing() }
        let login = body.text("login")
        try await log(target: login, after: loggedChange)
        let added = try await withUsers { users throws(AccountError) in
            try await users.add(
                login: login, group: body.text("group"), mail: body.text("mail"),
                isAdmin: body.flag("admin") ?? false, passwordHash: hash, at: now)
        }
        return .json(added.json(lastDay: nil), status: .created)
    }

    func changeUser() async throws -> Response {
        let login = try context.pathPart("login")
        var edit = UserEdit(
            group: body.optionalText("group"), mail: body.optionalText("mail"),
            isAdmin: body.flag("admin"))
        edit.passwordHash = try await newHash()
        try await log(
            target: login, before: try await user(login)?.logged, after: loggedChange)
        let made = edit
        try await withUsers { users throws(AccountError) in
            try await users.edit(login, made, at: now)
        }
        return Response(status: .noContent)
    }

    func removeUser() async throws -> Response {
        let login = try context.pathPart("login")
        try await log(target: login, before: try await user(login)?.logged)
        try await withUsers { users throws(AccountError) in try await users.remove(login) }
        return Response(status: .noContent)
    }

    func user(_ login: String) async throws -> User? {
        let state = try await environment().state
        guard let login = Login.normalized(login) else { return nil }
        return try await storing { () async throws(StoreError) in
            try await desk.store.user(login, in: state.id)
        }
    }

    /// The hash of the password, or the link to the provider, by which the user is to sign in. Nil
    /// if the request names neither. Throws `passwordIllegal` and `providerIllegal`.
    private func newHash() async throws -> String? {
        if let provider = body.optionalText("provider") {
            guard body.optionalText("password") == nil, IdentityLink.isLegal(provider: provider)
            else { throw HTTPFailure.providerIllegal(provider) }
            return IdentityLink(provider: provider).text
        }
        guard let password = body.optionalText("password") else { return nil }
        return try await host.passwords.newHash(of: password, byOperator: actor)
    }

    /// The change for the activity log, which outlives an erasure of the user: of what is personal,
    /// only that it was changed.
    private var loggedChange: JSONValue {
        .object([
            "group": JSONValue(text: body.optionalText("group")),
            "mail": .boolean(body.optionalText("mail") != nil),
            "admin": body.flag("admin").map { .boolean($0) } ?? .null,
            "password": .boolean(body.optionalText("password") != nil),
            "provider": JSONValue(text: body.optionalText("provider")),
        ])
    }

    func withUsers<Value: Sendable>(
        _ body: (UserDirectory) async throws(AccountError) -> Value
    ) async throws -> Value {
        let present = try await environment()
        do throws(AccountError) {
            return try await body(
                UserDirectory(
                    store: desk.store, environment: present.state.id,
                    definition: present.definition))
        } catch {
            throw SyncError.account(error)
        }
    }
}
