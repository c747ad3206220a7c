import SyncEngine
import TestKit
import Testing
import UserAccounts

@Suite("A store remembers which clients were served")
struct ClientStoreTests {
    private func environment(named name: String, on store: any Store) async throws -> EnvironmentID
    {
        try await store.deploy(to: name) { _ in
            .success(
                NewVersion(
                    digest: "digest", fingerprint: name, source: Array(name.utf8),
                    deployedAt: Instant(milliseconds: 9), instance: "i",
                    adaptation: Adaptation(to: .test(), after: [], until: 0)))
        }.get().state.id
    }

    private func client(
        _ device: String, _ fingerprint: String = "one", wire: String = "waggle",
        by login: String? = nil, on day: Int64
    ) -> SeenClient {
        SeenClient(
            wire: wire, fingerprint: fingerprint, deviceIdentifier: device, login: login, day: day)
    }

    @Test(arguments: stores)
    func devicesAreCountedByVersionAndWire(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let (test, other) = (
            try await environment(named: "seen", on: bench.store),
            try await environment(named: "other", on: bench.store)
        )
        try await bench.store.remember(
            [client("a", on: 7), client("b", on: 8), client("a", "", wire: "parse", on: 9)],
            in: test, upTo: 9)
        try await bench.store.remember(
            [client("a", on: 6), client("c", "two", on: 5)], in: test, upTo: 9)
        try await bench.store.remember([client("a", on: 7)], in: other, upTo: 9)
        #expect(
            try await bench.store.seenVersions(in: test, since: 6) == [
                SeenVersion(wire: "parse", fingerprint: "", devices: 1, lastDay: 9),
                SeenVersion(wire: "waggle", fingerprint: "one", devices: 2, lastDay: 8),
            ])
        #expect(try await bench.store.seenVersions(in: test, since: 5).count == 3)
        #expect(try await bench.store.forgetClients(seenBefore: 8, limit: 2) == 2)
        #expect(try await bench.store.forgetClients(seenBefore: 8, limit: 2) == 1)
        #expect(try await bench.store.seenVersions(in: test, since: 0).map(\.devices) == [1, 1])
        #expect(try await bench.store.seenVersions(in: other, since: 0).isEmpty)
    }

    /// The last day counts all versions and wires, and no other environment.
    @Test(arguments: stores)
    func lastDayOfDeviceIsKnown(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let (test, other) = (
            try await environment(named: "seen", on: bench.store),
            try await environment(named: "other", on: bench.store)
        )
        try await bench.store.remember(
            [client("a", on: 7), client("b", on: 8), client("c", on: 8)], in: test, upTo: 9)
        try await bench.store.remember(
            [client("a", "two", on: 9), client("a", "", wire: "parse", on: 6)], in: test, upTo: 9)
        try await bench.store.remember([client("b", on: 11)], in: other, upTo: 9)
        let devices = ["a", "b", "d"].map { SeenClient.device(withIdentifier: $0) }
        let found = try await bench.store.lastDays(ofDevices: Set(devices), in: test)
        #expect(found == [devices[0]: 9, devices[1]: 8])
        #expect(try await bench.store.lastDays(ofDevices: [], in: test) == [:])
    }

    /// A device that two users share tells them apart. A user of that login who is added later was
    /// not seen.
    @Test(arguments: stores) func lastDayOfUserIsListed(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let (test, other) = (
            try await environment(named: "seen", on: bench.store),
            try await environment(named: "other", on: bench.store)
        )
        for login in ["a", "b", "c", "e\u{301}", "\u{E9}"] {
            try await bench.store.put(login, in: test)
        }
        try await bench.store.put("c", in: other)
        try await bench.store.remember(
            [
                client("a", by: "a", on: 7), client("b", by: "a", on: 9),
                client("b", by: "b", on: 8), client("d", by: "\u{E9}", on: 8),
                client("d", by: "gone", on: 8), client("c", on: 8),
            ], in: test, upTo: 1)
        try await bench.store.remember([client("a", by: "a", on: 8)], in: test, upTo: 9)
        try await bench.store.remember([client("a", by: "c", on: 8)], in: other, upTo: 9)
        #expect(try await bench.store.lastDays(in: test) == [9, 8, nil, nil, 8])
        _ = try await bench.store.changeUser("a", in: test) { _ in
            Result<UserChange, AccountError>.success(.remove)
        }
        try await bench.store.put("a", in: test)
        #expect(try await bench.store.lastDays(in: test) == [nil, 8, nil, nil, 8])
    }

    /// Known clients are noted beyond the limit, and new ones are not.
    @Test(arguments: stores)
    func numberOfClientsIsLimited(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let id = try await environment(named: "seen", on: bench.store)
        try await bench.store.remember(
            [client("a", on: 1), client("b", on: 1), client("c", on: 1)], in: id, upTo: 2)
        #expect(try await bench.store.seenVersions(in: id, since: 1).map(\.devices) == [2])
        try await bench.store.remember(
            [client("a", on: 2), client("b", on: 2), client("c", on: 2), client("d", on: 2)],
            in: id, upTo: 2)
        let seen = try await bench.store.seenVersions(in: id, since: 2)
        #expect(seen.map(\.devices).reduce(0, +) <= 2 && !seen.isEmpty)
    }
}

extension AccountStore {
    fileprivate func put(_ login: String, in environment: EnvironmentID) async throws {
        let user = User(login: login, group: "users", mail: "", isAdmin: false, passwordHash: "h")
        _ = try await changeUser(login, in: environment) { _ in
            Result<UserChange, AccountError>.success(.write(user, endingSessions: false))
        }
    }

    /// By the bytes of logins.
    fileprivate func lastDays(in environment: EnvironmentID) async throws -> [Int64?] {
        try await users(matching: UserQuery(environment: environment, limit: 9)).map(\.lastDay)
    }
}
