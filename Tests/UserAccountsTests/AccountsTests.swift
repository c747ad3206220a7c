import EngineKit
import NativeCalls
import SQLiteStore
import SyncEngine
import Testing
import UserAccounts

@Suite("The users of an environment")
struct AccountsTests {
    private let bench: TestBench
    private let accounts: UserDirectory

    init() async throws {
        bench = try await TestBench(Documents.notes())
        accounts = UserDirectory(
            store: bench.store, environment: bench.engine.environment,
            definition: bench.engine.rules.definition)
    }

    private func add(
        _ login: String, group: String = "users", isAdmin: Bool = false
    ) async throws(AccountError) {
        try await accounts.add(
            login: login, group: group, mail: "\(login)@b.c", isAdmin: isAdmin,
            passwordHash: "hash")
    }

    @Test func usersAreListedByLogin() async throws {
        try await add("b", group: "guests", isAdmin: true)
        try await add("a")
        #expect(
            try await accounts.list() == [
                User(
                    login: "a", group: "users", mail: "a@b.c", isAdmin: false,
                    passwordHash: "hash"),
                User(
                    login: "b", group: "guests", mail: "b@b.c", isAdmin: true,
                    passwordHash: "hash"),
            ])
    }

    @Test func loginIsStoredComposed() async throws {
        try await add("e\u{301}va")
        let login = try #require(try await accounts.list().first).login
        #expect(Array(login.utf8) == Array("\u{E9}va".utf8))
    }

    @Test func loginIsTakenHoweverItIsWritten() async throws {
        try await add("\u{E9}va")
        await #expect(throws: AccountError.exists("\u{E9}va")) {
            try await add("e\u{301}va", group: "guests")
        }
        #expect(try await accounts.list().map(\.group) == ["users"])
    }

    @Test func equivalentLoginsAreTheSameUser() async throws {
        try await add("\u{E9}va")
        try await accounts.edit("e\u{301}va", UserEdit(group: "guests"))
        try await accounts.edit("e\u{301}va", UserEdit(passwordHash: "new"))
        #expect(
            try await accounts.list() == [
                User(
                    login: "\u{E9}va", group: "guests", mail: "\u{E9}va@b.c", isAdmin: false,
                    passwordHash: "new")
            ])
        try await accounts.remove("e\u{301}va")
        #expect(try await accounts.list().isEmpty)
    }

    @Test func groupThatDefinitionHasNotIsRefused() async throws {
        try await add("a")
        let error = AccountError.groupUnknown("crew", known: ["users", "guests"])
        await #expect(throws: error) { try await add("b", group: "crew") }
        await #expect(throws: error) { try await accounts.edit("a", UserEdit(group: "crew")) }
        #expect(try await accounts.list().map(\.group) == ["users"])
    }

    @Test func unnamedPropertiesAreUnchanged() async throws {
        try await add("a", isAdmin: true)
        let edits: [(UserEdit, User)] = [
            (UserEdit(mail: "x@y.z"), user("users", "x@y.z", true, "hash")),
            (UserEdit(isAdmin: false), user("users", "x@y.z", false, "hash")),
            (UserEdit(group: "guests"), user("guests", "x@y.z", false, "hash")),
            (UserEdit(passwordHash: "new"), user("guests", "x@y.z", false, "new")),
            (UserEdit(), user("guests", "x@y.z", false, "new")),
        ]
        for (edit, result) in edits {
            try await accounts.edit("a", edit)
            #expect(try await accounts.list() == [result])
        }
        await #expect(throws: AccountError.mailIllegal("a\nb")) {
            try await accounts.edit("a", UserEdit(mail: "a\nb"))
        }
    }

    private func user(
        _ group: String, _ mail: String, _ isAdmin: Bool, _ hash: String
    ) -> User {
        User(login: "a", group: group, mail: mail, isAdmin: isAdmin, passwordHash: hash)
    }

    @Test func unknownUsersCannotBeChanged() async throws {
        let error = AccountError.unknown("a")
        await #expect(throws: error) { try await accounts.edit("a", UserEdit(passwordHash: "h")) }
        await #expect(throws: error) { try await accounts.edit("a", UserEdit(group: "users")) }
        await #expect(throws: error) { try await accounts.remove("a") }
        #expect(try await accounts.list().isEmpty)
    }

    @Test func illegalLoginsAreRefused() async throws {
        let error = AccountError.loginIllegal("a b")
        await #expect(throws: error) { try await add("a b") }
        await #expect(throws: error) { try await accounts.remove("a b") }
    }

    @Test func storeThatFailsIsNamed() async throws {
        try bench.store.close()
        let error = await #expect(throws: AccountError.self) { try await accounts.list() }
        guard case .store = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
