import SyncEngine
import TestKit
import Testing
import UserAccounts

@Suite("Users of an environment")
struct UserTests {
    private enum Refusal: Error, Hashable { case no }

    private func user(_ login: String, group: String = "users", mail: String = "m") -> User {
        User(login: login, group: group, mail: mail, isAdmin: false, passwordHash: "h")
    }

    private func put(
        _ user: User, in environment: EnvironmentID, on store: any WholeStore
    ) async throws {
        let refusal = try await store.changeUser(user.login, in: environment) { _ in
            Result<UserChange, Refusal>.success(.write(user, endingSessions: false))
        }
        #expect(refusal == nil)
    }

    @Test(arguments: stores)
    func everythingOfUserIsReplaced(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await put(user("b"), in: environment, on: bench.store)
        try await put(user("a"), in: environment, on: bench.store)
        let changed = User(
            login: "b", group: "guests", mail: "n", isAdmin: true, passwordHash: "i",
            madeAt: Instant(milliseconds: 1), changedAt: Instant(milliseconds: 2))
        try await put(changed, in: environment, on: bench.store)
        #expect(try await bench.store.users(in: environment) == [user("a"), changed])
    }

    /// To Swift, two of them are equal, and sort after `f`.
    @Test(arguments: stores)
    func loginsAreTheirBytesAndSortedByThem(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let logins = ["B", "a", "e\u{301}", "f", "\u{E9}"]
        for (number, login) in logins.enumerated().reversed() {
            try await put(user(login, mail: "\(number)"), in: environment, on: bench.store)
        }
        let users = try await bench.store.users(in: environment)
        #expect(users.map(\.mail) == ["0", "1", "2", "3", "4"])
        #expect(users.map { Array($0.login.utf8) } == logins.map { Array($0.utf8) })
    }

    private static let searches: [(search: String, logins: [String])] = [
        ("", ["Anna", "bob", "cleo", "É"]), ("ANNA", ["Anna", "bob"]), ("guest", ["cleo"]),
        ("%_", ["cleo"]), ("é", []), ("É", ["É"]), ("@", ["bob"]), ("anna@", ["bob"]), ("x", []),
    ]

    @Test(arguments: stores) func usersAreFoundByPart(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("b")
        for user in [
            user("Anna", mail: ""), user("bob", mail: "anna@b"), user("É", mail: ""),
            user("cleo", group: "guests", mail: "100%_"),
        ] { try await put(user, in: environment, on: bench.store) }
        try await put(user("zoe", mail: "anna"), in: other, on: bench.store)
        for (search, logins) in Self.searches {
            var (found, after) = ([String](), "")
            while true {
                let page = try await bench.store.users(
                    matching: UserQuery(
                        environment: environment, search: search, after: after, limit: 2))
                found += page.map(\.login)
                guard page.count == 2, let last = page.last else { break }
                after = last.login
            }
            #expect(found == logins, "\(search)")
        }
        let counts = try await bench.store.userCounts(
            ofGroups: ["users", "guests", "none"], in: environment)
        #expect(counts == ["users": 3, "guests": 1])
        let guests = try await bench.store.userCounts(ofGroups: ["guests"], in: other)
        #expect(guests.isEmpty)
    }

    /// Only the whole address finds its users, whatever the case of ASCII letters.
    @Test(arguments: stores) func loginsAreFoundByWholeMail(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("b")
        for (login, mail) in [
            ("a", "Anna@x.org"), ("b", "both@x.org"), ("c", "BOTH@x.org"), ("d", "é@x.org"),
            ("e", ""), ("f", "both@x.org"),
        ] { try await put(user(login, mail: mail), in: environment, on: bench.store) }
        try await put(user("z", mail: "anna@x.org"), in: other, on: bench.store)
        for (mail, logins) in [
            ("aNNa@x.org", ["a"]), ("both@x.org", ["b", "c", "f"]), ("é@x.org", ["d"]),
            ("É@x.org", []), ("@", []), ("@x.org", []), ("anna@x.or", []), ("%@x.org", []),
        ] {
            let found = try await bench.store.logins(withMail: mail, in: environment, limit: 9)
            #expect(found.sorted() == logins, "\(mail)")
            let two = try await bench.store.logins(withMail: mail, in: environment, limit: 2)
            #expect(two.count == min(2, logins.count) && Set(two).isSubset(of: logins))
        }
    }

    @Test(arguments: stores) func userIsOfOneEnvironment(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let one = try await bench.store.environment()
        let two = try await bench.store.environment("b")
        for environment in [one, two] {
            for login in ["a", "b"] {
                let group = environment == one ? "users" : "guests"
                try await put(user(login, group: group), in: environment, on: bench.store)
            }
        }
        let refusal = try await bench.store.changeUser("a", in: two) { user in
            user?.group == "guests" ? Result<UserChange, Refusal>.success(.remove) : .failure(.no)
        }
        #expect(refusal == nil)
        #expect(try await bench.store.users(in: one) == [user("a"), user("b")])
        #expect(try await bench.store.users(in: two) == [user("b", group: "guests")])
        #expect(try await bench.store.userCount(in: one) == 2)
        #expect(try await bench.store.userCount(in: two) == 1)
    }

    @Test(arguments: stores) func userIsFoundByBytes(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let other = try await bench.store.environment("b")
        try await put(user("\u{E9}"), in: environment, on: bench.store)
        #expect(try await bench.store.user("\u{E9}", in: environment) == user("\u{E9}"))
        #expect(try await bench.store.user("e\u{301}", in: environment) == nil)
        #expect(try await bench.store.user("\u{E9}", in: other) == nil)
    }

    @Test(arguments: stores)
    func refusalIsHandedBackAndNothingWritten(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let refusal = try await bench.store.changeUser("a", in: environment) { user in
            user == nil ? .failure(Refusal.no) : .success(.remove)
        }
        #expect(refusal == .no)
        #expect(try await bench.store.users(in: environment).isEmpty)
    }

    @Test(arguments: stores)
    func changesSideBySideSeeEachOther(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        try await put(user("a", mail: "0"), in: environment, on: bench.store)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<32 {
                group.addTask {
                    _ = try await bench.store.changeUser("a", in: environment) { present in
                        guard var user = present, let count = Int(user.mail) else {
                            return .failure(Refusal.no)
                        }
                        user.mail = "\(count + 1)"
                        return .success(.write(user, endingSessions: false))
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await bench.store.users(in: environment).map(\.mail) == ["32"])
    }
}
