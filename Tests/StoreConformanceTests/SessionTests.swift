import SyncEngine
import TestKit
import Testing
import UserAccounts

/// Users "a" and "b" in two environments, all with the same password.
struct SessionBench {
    enum Refusal: Error, Hashable { case no }

    let bench: StoreBench
    let one: EnvironmentID
    let two: EnvironmentID

    var store: any WholeStore { bench.store }

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        one = try await bench.store.environment()
        two = try await bench.store.environment("b")
        for environment in [one, two] {
            for login in ["a", "b"] { try await put(login, in: environment) }
        }
    }

    func put(
        _ login: String, in environment: EnvironmentID, isAdmin: Bool = false,
        endingSessions: Bool = false
    ) async throws {
        let user = User(
            login: login, group: "users", mail: "", isAdmin: isAdmin, passwordHash: "hash")
        let refusal = try await store.changeUser(login, in: environment) { _ in
            Result<UserChange, Refusal>.success(.write(user, endingSessions: endingSessions))
        }
        #expect(refusal == nil)
    }

    func remove(_ login: String) async throws {
        _ = try await store.changeUser(login, in: one) { _ in
            Result<UserChange, Refusal>.success(.remove)
        }
    }

    func open(
        _ token: UInt8, of login: String = "a", in environment: EnvironmentID? = nil,
        until end: Int64 = 1000, at now: Int64 = 0, hash: String = "hash",
        device: String = "phone"
    ) async throws -> Bool {
        try await store.openSession(
            Session(
                tokenHash: [token], environment: environment ?? one, login: login,
                deviceCategory: "mobile", deviceIdentifier: device,
                expiresAt: Instant(milliseconds: end), openedAt: Instant(milliseconds: now)),
            passwordHash: hash, at: Instant(milliseconds: now))
    }

    func isOpen(
        _ token: UInt8, in environment: EnvironmentID? = nil, at now: Int64 = 0
    ) async throws -> Bool {
        try await store.session(
            tokenHash: [token], in: environment ?? one, at: Instant(milliseconds: now)) != nil
    }
}

@Suite("Sessions")
struct SessionTests {
    @Test(arguments: stores) func sessionKeepsTimeOfItsOpening(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1, at: 7))
        let now = Instant(milliseconds: 8)
        let listed = try await bench.store.sessions(of: "a", in: bench.one, at: now)
        #expect(listed.map(\.openedAt) == [Instant(milliseconds: 7)])
        let open = try await bench.store.session(tokenHash: [1], in: bench.one, at: now)
        #expect(open?.session.openedAt == Instant(milliseconds: 7))
    }

    @Test(arguments: stores) func openSessionsOfUserAreListed(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for isOpen in [
            try await bench.open(2, until: 500), try await bench.open(1),
            try await bench.open(3, of: "b"), try await bench.open(4, in: bench.two),
        ] { #expect(isOpen) }
        func tokens(at now: Int64) async throws -> [[UInt8]] {
            try await bench.store.sessions(
                of: "a", in: bench.one, at: Instant(milliseconds: now)
            ).map(\.tokenHash)
        }
        #expect(try await tokens(at: 0) == [[1], [2]])
        #expect(try await tokens(at: 500) == [[1]])
    }

    @Test(arguments: stores) func devicesOfAllUsersAreListed(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        for isOpen in [
            try await bench.open(1, of: "b", until: 500, device: "Öd 100%_Phone"),
            try await bench.open(2, of: "b", until: 900, device: "Öd 100%_Phone"),
            try await bench.open(3, device: "tablet"),
            try await bench.open(4, until: 200, device: "phone"),
            try await bench.open(5, in: bench.two, device: "laptop"),
        ] { #expect(isOpen) }
        func devices(
            at now: Int64 = 0, search: String = "", after: SignedInDevice.ListPosition = .start,
            limit: Int = 9
        ) async throws -> [SignedInDevice] {
            try await bench.store.signedInDevices(
                SignedInQuery(
                    environment: bench.one, at: Instant(milliseconds: now), search: search,
                    after: after, limit: limit))
        }
        func names(_ devices: [SignedInDevice]) -> [String] {
            devices.map {
                "\($0.place.login) \($0.place.identifier) \($0.expiresAt.milliseconds)"
            }
        }
        let all = try await devices()
        #expect(names(all) == ["a phone 200", "a tablet 1000", "b Öd 100%_Phone 900"])
        for (now, search, expected) in [
            (200, "", ["a tablet 1000", "b Öd 100%_Phone 900"]), (900, "b", ["a tablet 1000"]),
            (0, "PHONE", ["a phone 200", "b Öd 100%_Phone 900"]),
            (0, "%_p", ["b Öd 100%_Phone 900"]), (0, "öd", []),
            (0, "A", ["a phone 200", "a tablet 1000"]), (0, "mobile", []),
        ] as [(Int64, String, [String])] {
            let found = names(try await devices(at: now, search: search))
            #expect(found == expected, "\(now) \(search)")
        }
        var pages: [SignedInDevice] = []
        while let next = try await devices(after: pages.last?.place ?? .start, limit: 1).first {
            pages.append(next)
        }
        #expect(pages == all)
    }

    @Test(arguments: stores) func unlockForgetsFailuresOnly(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        let now = Instant(milliseconds: 0)
        let sources = ["a", "b"].map { SignInSource(login: $0, origin: [1]) }
        for source in sources {
            try await bench.store.addFailedSignIn(of: source, in: bench.one, at: now, keeping: 9)
        }
        _ = try await bench.store.changeUser("a", in: bench.one) { _ in
            Result<UserChange, SessionBench.Refusal>.success(.unlock)
        }
        var counts: [Int] = []
        for source in sources {
            counts.append(
                try await bench.store.signInState(of: source, in: bench.one, at: now).failed.count)
        }
        #expect(counts == [0, 1])
        #expect(try await bench.isOpen(1))
    }

    @Test(arguments: stores) func sessionReturnsCurrentState(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        try await bench.store.write(WriteSet(records: [.test("g")]), in: bench.one)
        try await bench.put("a", in: bench.one, isAdmin: true)
        let deployed = try await bench.store.deploy(to: "test") { _ in .success(.test("new")) }
            .get()
        let found = try await bench.store.session(
            tokenHash: [1], in: bench.one, at: Instant(milliseconds: 999))
        #expect(
            found
                == OpenSession(
                    session: Session(
                        tokenHash: [1], environment: bench.one, login: "a",
                        deviceCategory: "mobile", deviceIdentifier: "phone",
                        expiresAt: Instant(milliseconds: 1000),
                        openedAt: Instant(milliseconds: 0)),
                    group: "users", isAdmin: true,
                    moment: EnvironmentMoment(
                        deployment: deployed.state.deployment, sequence: 1, purgeHorizon: 0),
                    fingerprint: "new"))
    }

    @Test(arguments: stores)
    func sessionIsOfOneEnvironmentAndEndsOnTime(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        #expect(try await bench.isOpen(1, at: 999))
        #expect(try await !bench.isOpen(1, at: 1000))
        #expect(try await !bench.isOpen(1, in: bench.two))
        #expect(try await !bench.isOpen(2))
    }

    @Test(arguments: stores)
    func changedHashOrMissingUserOpensNoSession(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await !bench.open(1, hash: "other"))
        #expect(try await !bench.open(2, of: "nobody"))
        #expect(try await !bench.isOpen(1))
        #expect(try await !bench.isOpen(2))
    }

    @Test(arguments: stores) func onlyUsersOwnSessionsEnd(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        #expect(try await bench.open(2))
        #expect(try await bench.open(3, of: "b"))
        #expect(try await bench.open(4, in: bench.two))
        for token in UInt8(1)...3 { #expect(try await bench.isOpen(token)) }
        try await bench.put("a", in: bench.one, endingSessions: true)
        #expect(try await !bench.isOpen(1))
        #expect(try await !bench.isOpen(2))
        #expect(try await bench.isOpen(3))
        #expect(try await bench.isOpen(4, in: bench.two))
    }

    @Test(arguments: stores) func onlyNamedSessionEnds(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        #expect(try await bench.open(2))
        for token in UInt8(1)...2 { #expect(try await bench.isOpen(token)) }
        try await bench.store.endSession(tokenHash: [1])
        try await bench.store.endSession(tokenHash: [9])
        #expect(try await !bench.isOpen(1))
        #expect(try await bench.isOpen(2))
    }

    /// A new user with the same login does not get the session back.
    @Test(arguments: stores) func removedUserLeavesNoSession(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1))
        #expect(try await bench.open(2, in: bench.two))
        try await bench.remove("a")
        #expect(try await !bench.isOpen(1))
        try await bench.put("a", in: bench.one)
        #expect(try await !bench.isOpen(1))
        #expect(try await bench.isOpen(2, in: bench.two))
    }

    /// By a clock that was set back, the first session had not expired.
    @Test(arguments: stores)
    func expiredSessionsAreClearedAwayWithTheNextSignIn(_ kind: StoreKind) async throws {
        let bench = try await SessionBench(kind)
        #expect(try await bench.open(1, until: 500))
        #expect(try await bench.open(2, until: 501))
        #expect(try await bench.isOpen(1, at: 400))
        #expect(try await bench.open(3, at: 500))
        #expect(try await !bench.isOpen(1, at: 400))
        #expect(try await bench.isOpen(2, at: 400))
        #expect(try await bench.isOpen(3, at: 400))
    }
}
