import Administration
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
        let all = try await withUsers { users throws(AccountError) in try await users.list() }
        let later = all.filter { user in
            page.next.map { $0.utf8.lexicographicallyPrecedes(user.login.utf8) } ?? true
        }
        return page.answer(later.prefix(page.limit).map { ($0.json, $0.login) })
    }

    func addUser() async throws -> Response {
        let hash = try await host.passwords.newHash(of: body.text("password"), byOperator: actor)
        let login = body.text("login")
        try await log(target: login, after: withoutPassword)
        let added = try await withUsers { users throws(AccountError) in
            try await users.add(
                login: login, group: body.text("group"), mail: body.text("mail"),
                isAdmin: body.flag("admin") ?? false, passwordHash: hash)
        }
        return .json(added.json, status: .created)
    }

    func changeUser() async throws -> Response {
        let login = try context.pathPart("login")
        var edit = UserEdit(
            group: body.optionalText("group"), mail: body.optionalText("mail"),
            isAdmin: body.flag("admin"))
        if let password = body.optionalText("password") {
            edit.passwordHash = try await host.passwords.newHash(of: password, byOperator: actor)
        }
        try await log(
            target: login, before: try await user(login)?.json, after: withoutPassword)
        let made = edit
        try await withUsers { users throws(AccountError) in try await users.edit(login, made) }
        return Response(status: .noContent)
    }

    func removeUser() async throws -> Response {
        let login = try context.pathPart("login")
        try await log(target: login, before: try await user(login)?.json)
        try await withUsers { users throws(AccountError) in try await users.remove(login) }
        return Response(status: .noContent)
    }

    private func user(_ login: String) async throws -> User? {
        let state = try await environment().state
        guard let login = Login.normalized(login) else { return nil }
        return try await storing { () async throws(StoreError) in
            try await desk.store.user(login, in: state.id)
        }
    }

    /// The change for the activity log.
    private var withoutPassword: JSONValue {
        .object([
            "group": JSONValue(text: body.optionalText("group")),
            "mail": JSONValue(text: body.optionalText("mail")),
            "admin": body.flag("admin").map { .boolean($0) } ?? .null,
            "password": .boolean(body.optionalText("password") != nil),
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
