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
                    passwordHash: "hash", madeAt: .start, changedAt: .start),
                User(
                    login: "b", group: "guests", mail: "b@b.c", isAdmin: true,
                    passwordHash: "hash", madeAt: .start, changedAt: .start),
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
                    passwordHash: "new", madeAt: .start, changedAt: .start)
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
        User(
            login: "a", group: group, mail: mail, isAdmin: isAdmin, passwordHash: hash,
            madeAt: .start, changedAt: .start)
    }

    /// An edit that changes nothing, and the end of sessions, are no changes of the user.
    @Test func usersKeepTimes() async throws {
        try await add("a")
        for (edit, seconds, changed) in [
            (UserEdit(), 1, 0), (UserEdit(mail: "x@y.z"), 2, 2), (UserEdit(mail: "x@y.z"), 3, 2),
            (UserEdit(passwordHash: "new"), 4, 4),
        ] as [(UserEdit, Int64, Int64)] {
            try await accounts.edit("a", edit, at: .start.adding(seconds: seconds))
            try await accounts.endSessions(of: "a")
            let user = try #require(try await accounts.list().first)
            #expect(user.madeAt == .start)
            #expect(user.changedAt == .start.adding(seconds: changed))
        }
    }

    /// A user of an earlier version of the server has no time of its making.
    @Test func timeThatWasNotRecordedStaysUnknown() async throws {
        let untimed = User(
            login: "old", group: "users", mail: "", isAdmin: false, passwordHash: "hash")
        let refusal: AccountError? = try await bench.store.changeUser(
            "old", in: bench.engine.environment
        ) { _ in .success(.write(untimed, endingSessions: false)) }
        #expect(refusal == nil)
        #expect(try await accounts.list() == [untimed])
        let later = Instant.start.adding(seconds: 1)
        try await accounts.edit("old", UserEdit(mail: "x@y.z"), at: later)
        let user = try #require(try await accounts.list().first)
        #expect(user.madeAt == nil && user.changedAt == later)
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

extension Instant {
    /// That of changes that name none.
    fileprivate static let start = Instant(milliseconds: 0)
}
