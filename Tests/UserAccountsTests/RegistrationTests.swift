import EngineKit
import JSON
import SQLiteStore
import SyncEngine
import Testing
import UserAccounts

@Suite("Accounts that clients make")
struct RegistrationTests {
    private let bench: TestBench

    init() async throws {
        var limits = Limits()
        limits.usersByRegistration = 3
        bench = try await TestBench(Documents.notes(), limits: limits)
        #expect(try await register("anna", mail: "a@example.org") == nil)
        #expect(try await register("bob") == nil)
    }

    private func register(
        _ login: String, mail: String = ""
    ) async throws -> RegistrationRefusal? {
        try await bench.accountEngine.register(
            NewUser(login: login, group: "users", mail: mail, passwordHash: "h"),
            at: Instant(milliseconds: 0))
    }

    private static let names: [(login: String, mail: String, refusal: RegistrationRefusal?)] = [
        ("anna", "", .loginTaken), ("ANNA", "", .loginTaken), ("Bob", "b@example.org", .loginTaken),
        ("cleo", "A@Example.ORG", .mailTaken), ("cleo", "c@example.org", nil), ("cleo", "", nil),
    ]

    @Test(arguments: names)
    func namesAreOfOneUser(
        _ login: String, _ mail: String, _ refusal: RegistrationRefusal?
    ) async throws {
        #expect(try await register(login, mail: mail) == refusal)
        let users = try await bench.store.users(in: bench.engine.environment)
        #expect(users.count == (refusal == nil ? 3 : 2))
    }

    @Test func accountsHaveMaximum() async throws {
        #expect(try await register("cleo") == nil)
        #expect(try await register("dora") == .tooManyUsers)
        #expect(try await register("cleo") == .loginTaken)
    }

    @Test func formerLoginWithRecordsStaysTaken() async throws {
        for (number, login) in ["gone", "ren\u{E9}"].enumerated() {
            _ = try await bench.person(login).push(create(number, ["title": "t"]))
        }
        #expect(try await register("gone") == .loginTaken)
        #expect(try await register("rene\u{301}") == .loginTaken)
    }

    @Test(arguments: [("b@example.org", true), ("A@example.org", false), ("", true)])
    func mailIsOfOneUser(_ mail: String, _ isFree: Bool) async throws {
        let bob = try await bench.person("bob").caller()
        let now = Instant(milliseconds: 5)
        #expect(try await bench.accountEngine.changeOwnMail(of: bob, to: mail, at: now) == isFree)
        let user = try await bench.accountEngine.ownUser(of: bob)
        #expect(user?.mail == (isFree ? mail : ""))
        #expect((user?.changedAt == now) == (isFree && !mail.isEmpty))
    }
}
