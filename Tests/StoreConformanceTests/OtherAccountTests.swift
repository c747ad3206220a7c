import SyncEngine
import TestKit
import Testing
import UserAccounts

@Suite("Other accounts, as a change of one meets them")
struct OtherAccountTests {
    private enum Refusal: Error, Hashable { case taken }

    private static func user(_ login: String, mail: String) -> User {
        User(login: login, group: "users", mail: mail, isAdmin: false, passwordHash: "h")
    }

    /// Adds a user unless another one has the login or the mail address.
    private static func add(
        _ user: User, to environment: EnvironmentID, of store: any WholeStore
    ) async throws -> Refusal? {
        let names = AccountNames(mail: user.mail, mostUsers: 10)
        return try await store.changeUser(user.login, in: environment, comparing: names) {
            $0 != nil || $1.haveLogin || $1.haveMail
                ? .failure(.taken) : .success(.write(user, endingSessions: false))
        }
    }

    private struct Case: Sendable, CustomTestStringConvertible {
        let login: String
        let mail: String
        let others: OtherAccounts

        init(_ login: String, _ mail: String, _ haveLogin: Bool, _ haveMail: Bool) {
            self.login = login
            self.mail = mail
            others = OtherAccounts(haveLogin: haveLogin, haveMail: haveMail, count: 3)
        }

        var testDescription: String { "\(login) \(mail)" }
    }

    /// Four users: `anna` with `Anna@Example.org`, `Bob` and `bob` without an address, and `Ä`.
    private static let cases = [
        Case("anna", "ANNA@example.ORG", false, false),
        Case("ANNA", "anna@example.org", true, true),
        Case("Anna", "other@example.org", true, false),
        Case("Bob", "", true, false), Case("bob", "", true, false), Case("BOB", "", true, false),
        Case("cleo", "anna@example.org", false, true),
        Case("cleo", "anna@example.org.", false, false),
        Case("cleo", "", false, false), Case("ann_", "anna@example_org", false, false),
        Case("ä", "ü@b", false, false), Case("Ä", "Ü@B", false, false),
        Case("cleo", "Ü@b", false, true),
    ]

    @Test(arguments: stores)
    func namesAreComparedWithoutCaseOfASCII(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let (one, two) = (
            try await bench.store.environment(), try await bench.store.environment("b")
        )
        for user in [
            Self.user("anna", mail: "Anna@Example.org"), Self.user("Bob", mail: ""),
            Self.user("bob", mail: ""), Self.user("Ä", mail: "Ü@B"),
        ] {
            _ = try await bench.store.changeUser(user.login, in: one) { _ in
                Result<UserChange, Refusal>.success(.write(user, endingSessions: false))
            }
        }
        for line in Self.cases {
            let names = AccountNames(mail: line.mail, mostUsers: 3)
            for (environment, expected) in [
                (one, line.others),
                (two, OtherAccounts(haveLogin: false, haveMail: false, count: 0)),
            ] {
                _ = try await bench.store.changeUser(
                    line.login, in: environment, comparing: names
                ) { _, others in
                    #expect(others == expected, "\(line.testDescription)")
                    return .failure(Refusal.taken)
                }
            }
        }
    }

    @Test(arguments: stores)
    func oneOfManyAtOnceGetsMailAddress(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let environment = try await bench.store.environment()
        let added = try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<16 {
                group.addTask {
                    let mail = number.isMultiple(of: 2) ? "a@example.org" : "A@EXAMPLE.org"
                    let user = Self.user("user\(number)", mail: mail)
                    return try await Self.add(user, to: environment, of: bench.store) == nil
                }
            }
            return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(added == 1)
        #expect(try await bench.store.users(in: environment).count == 1)
    }
}
