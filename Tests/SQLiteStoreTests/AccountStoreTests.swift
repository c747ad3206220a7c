import GRDB
import SyncEngine
import Testing

@testable import SQLiteStore

@Suite("Environments and their users")
struct AccountStoreTests {
    private enum Refusal: Error, Hashable { case no }

    private func deploy(
        _ version: String, to name: String, on test: TestDatabase, instance: String
    ) async throws -> EnvironmentState {
        try await test.database.deploy(to: name) { _ in
            .success(.test(version, deployedAt: 7, instance: instance))
        }.get().state
    }

    @Test func aNewVersionKeepsTheEnvironmentItsDataAndItsInstance() async throws {
        let test = try TestDatabase()
        let first = try await deploy("one", to: "test", on: test, instance: "i")
        #expect(first.sequence == 0)
        let id = first.id
        try await test.database.write(Writes(records: [.test("g"), .test("h")]), in: id)
        let second = try await deploy("two", to: "test", on: test, instance: "j")
        #expect(
            second
                == EnvironmentState(
                    id: id, name: "test", instance: "i", sequence: 2,
                    deployment: second.deployment, digest: "digest", fingerprint: "two",
                    source: Array("two".utf8)))
        #expect(second.deployment != first.deployment)
        #expect(try await test.database.environment(named: "test") == second)
        #expect(try await test.database.environment(named: "other") == nil)
    }

    @Test func environmentsHaveTheirOwnVersionsAndRecords() async throws {
        let test = try TestDatabase()
        let names = ["a", "b", "c"]
        for name in names { _ = try await deploy(name, to: name, on: test, instance: name) }
        let middle = try #require(try await test.database.environment(named: "b")).id
        try await test.database.write(Writes(records: [.test("g")]), in: middle)
        _ = try await deploy("b2", to: "b", on: test, instance: "x")
        for name in names {
            let state = try #require(try await test.database.environment(named: name))
            #expect(state.fingerprint == (name == "b" ? "b2" : name) && state.instance == name)
            #expect(state.sequence == (name == "b" ? 1 : 0))
        }
    }

    @Test func everyVersionIsKeptWithItsTime() async throws {
        let test = try TestDatabase()
        _ = try await deploy("one", to: "test", on: test, instance: "i")
        _ = try await deploy("two", to: "test", on: test, instance: "i")
        let kept = try await test.database.pool.read { db in
            try String.fetchAll(
                db, sql: "SELECT fingerprint || ' ' || deployed_at FROM versions ORDER BY id")
        }
        #expect(kept == ["one 7", "two 7"])
    }

    @Test func versionsAreGivenInTheirOrderWithWhatWasThereBefore() async throws {
        let test = try TestDatabase()
        let state = try await deploy("one", to: "test", on: test, instance: "i")
        _ = try await deploy("two", to: "test", on: test, instance: "i")
        try await test.database.write(Writes(records: [.test("g"), .test("h")]), in: state.id)
        _ = try await deploy("one", to: "test", on: test, instance: "i")
        _ = try await deploy("three", to: "other", on: test, instance: "j")
        let versions = try await test.database.versions(of: state.id)
        #expect(
            versions.map { String(decoding: $0.source, as: UTF8.self) } == ["one", "two", "one"])
        #expect(versions.map(\.sequence) == [0, 0, 2])
    }

    @Test func aDeploymentSeesWhatIsThereAndMayLeaveIt() async throws {
        let test = try TestDatabase()
        let refused = try await test.database.deploy(to: "test") { present in
            present == nil ? .failure(.overtaken) : .success(.test())
        }
        #expect(refused == .failure(.overtaken))
        #expect(try await test.database.environment(named: "test") == nil)
        let state = try await deploy("one", to: "test", on: test, instance: "i")
        let left = try await test.database.deploy(to: "test") { present in
            present == state ? .failure(.overtaken) : .success(.test())
        }
        #expect(left == .failure(.overtaken))
        #expect(try await test.database.environment(named: "test") == state)
    }

    private func user(_ login: String, group: String = "users") -> User {
        User(login: login, group: group, mail: "m", isAdmin: false, passwordHash: "h")
    }

    private func put(
        _ user: User, in environment: EnvironmentID, on test: TestDatabase
    ) async throws {
        let refusal = try await test.database.changeUser(user.login, in: environment) { _ in
            Result<UserChange, Refusal>.success(.write(user, endingSessions: false))
        }
        #expect(refusal == nil)
    }

    @Test func everythingOfAUserIsReplaced() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        try await put(user("b"), in: environment, on: test)
        try await put(user("a"), in: environment, on: test)
        let changed = User(
            login: "b", group: "guests", mail: "n", isAdmin: true, passwordHash: "i")
        try await put(changed, in: environment, on: test)
        #expect(try await test.database.users(in: environment) == [user("a"), changed])
    }

    @Test func aUserIsOfOneEnvironment() async throws {
        let test = try TestDatabase()
        let (one, two) = (try await test.environment(), try await test.environment(named: "b"))
        for environment in [one, two] {
            for login in ["a", "b"] {
                let group = environment == one ? "users" : "guests"
                try await put(user(login, group: group), in: environment, on: test)
            }
        }
        let refusal = try await test.database.changeUser("a", in: two) { user in
            user?.group == "guests" ? Result<UserChange, Refusal>.success(.remove) : .failure(.no)
        }
        #expect(refusal == nil)
        #expect(try await test.database.users(in: one) == [user("a"), user("b")])
        #expect(try await test.database.users(in: two) == [user("b", group: "guests")])
    }

    @Test func aRefusalIsHandedBackAndNothingWritten() async throws {
        let test = try TestDatabase()
        let environment = try await test.environment()
        let refusal = try await test.database.changeUser("a", in: environment) { user in
            user == nil ? .failure(Refusal.no) : .success(.remove)
        }
        #expect(refusal == .no)
        #expect(try await test.database.users(in: environment).isEmpty)
    }
}
