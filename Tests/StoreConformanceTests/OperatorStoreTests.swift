import Administration
import SyncEngine
import TestKit
import Testing

@Suite("A store keeps operators, tokens and activities")
struct OperatorStoreTests {
    private func time(_ seconds: Int64) -> Instant { Instant(milliseconds: seconds * 1000) }

    private func person(
        _ name: String, _ scope: AdminScope = .designer, hash: String = "hash"
    ) -> Operator {
        Operator(name: name, scope: scope, passwordHash: hash, createdAt: time(1))
    }

    private func add(_ people: Operator..., to store: any AdministrationStore) async throws {
        let operators = OperatorDirectory(store: store)
        for person in people { try await operators.add(person, at: time(1)) }
    }

    private func session(_ hash: UInt8, of name: String, at seconds: Int64) -> OperatorSession {
        OperatorSession(
            tokenHash: [hash], name: name, usedAt: time(seconds), confirmedAt: time(seconds))
    }

    private func token(_ hash: UInt8, by author: String, until seconds: Int64) -> OperatorToken {
        OperatorToken(
            tokenHash: [hash], name: "ci", scope: .deployer, environment: "test", author: author,
            createdAt: time(2), expiresAt: time(seconds))
    }

    @Test(arguments: stores)
    func operatorsAreSortedByName(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await add(
            person("ben", .keeper), person("Zoe"), person("ann", .viewer), to: bench.store)
        #expect(
            try await bench.store.operators()
                == [person("Zoe"), person("ann", .viewer), person("ben", .keeper)])
    }

    @Test(arguments: stores)
    func firstOneNeedsValidToken(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let operators = OperatorDirectory(store: bench.store)
        #expect(try await bench.store.addSetup(tokenHash: [1], expiresAt: time(10), at: time(1)))
        for (hash, seconds) in [(UInt8(2), Int64(5)), (1, 10)] {
            await #expect(throws: OperatorError.setupClosed) {
                try await operators.addFirst(person("ann"), setup: [hash], at: time(seconds))
            }
        }
        try await operators.addFirst(person("ann"), setup: [1], at: time(9))
        await #expect(throws: OperatorError.setupClosed) {
            try await operators.addFirst(person("eve"), setup: [1], at: time(9))
        }
        #expect(
            try await bench.store.addSetup(tokenHash: [3], expiresAt: time(20), at: time(9))
                == false)
        #expect(try await bench.store.operators().map(\.name) == ["ann"])
    }

    @Test(arguments: stores)
    func operatorMadeOtherwiseEndsToken(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let operators = OperatorDirectory(store: bench.store)
        #expect(try await bench.store.addSetup(tokenHash: [1], expiresAt: time(10), at: time(1)))
        try await add(person("ann"), person("ben"), to: bench.store)
        try await operators.remove("ann", at: time(2))
        await #expect(throws: OperatorError.lastDesigner("ben")) {
            try await operators.remove("ben", at: time(2))
        }
        await #expect(throws: OperatorError.setupClosed) {
            try await operators.addFirst(person("eve"), setup: [1], at: time(2))
        }
    }

    @Test(arguments: stores)
    func oneDesignerStays(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let operators = OperatorDirectory(store: bench.store)
        try await add(person("ann"), person("ben", .viewer), to: bench.store)
        await #expect(throws: OperatorError.lastDesigner("ann")) {
            try await operators.edit("ann", scope: .keeper, passwordHash: nil, at: time(2))
        }
        try await operators.edit("ben", scope: .designer, passwordHash: nil, at: time(2))
        try await operators.edit("ann", scope: .keeper, passwordHash: nil, at: time(2))
        #expect(try await bench.store.operators().map(\.scope) == [.keeper, .designer])
        await #expect(throws: OperatorError.unknown("eve")) {
            try await operators.remove("eve", at: time(2))
        }
        await #expect(throws: OperatorError.exists("ann")) {
            try await add(person("ann"), to: bench.store)
        }
        await #expect(throws: OperatorError.nameIllegal("a b")) {
            try await add(person("a b"), to: bench.store)
        }
    }

    @Test(arguments: stores)
    func sessionsEndByTimeAndBySignOut(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await add(person("ann"), to: bench.store)
        let own = session(1, of: "ann", at: 100)
        #expect(try await bench.store.open(own, passwordHash: "hash", keeping: 5))
        #expect(
            try await bench.store.open(session(2, of: "ann", at: 1), passwordHash: "x", keeping: 5)
                == false)
        let open = OpenOperatorSession(session: own, person: person("ann"))
        #expect(try await bench.store.operatorSession(tokenHash: [1], usedAfter: time(99)) == open)
        #expect(try await bench.store.operatorSession(tokenHash: [1], usedAfter: time(100)) == nil)
        try await bench.store.endOperatorSession(tokenHash: [1])
        #expect(try await bench.store.operatorSession(tokenHash: [1], usedAfter: time(0)) == nil)
    }

    /// A request that was under way while the password was given takes nothing of that away.
    @Test(arguments: stores)
    func useOfSessionLeavesConfirmation(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await add(person("ann"), to: bench.store)
        let own = session(1, of: "ann", at: 100)
        #expect(try await bench.store.open(own, passwordHash: "hash", keeping: 5))
        for (seconds, isConfirmed, confirmedAt) in [
            (Int64(200), false, Int64(100)), (300, true, 300), (301, false, 300),
        ] {
            for hash: UInt8 in [1, 2] {
                try await bench.store.renewOperatorSession(
                    tokenHash: [hash], at: time(seconds), confirmed: isConfirmed)
            }
            #expect(
                try await bench.store.operatorSession(tokenHash: [1], usedAfter: time(0))?.session
                    == OperatorSession(
                        tokenHash: [1], name: "ann", usedAt: time(seconds),
                        confirmedAt: time(confirmedAt)))
        }
        #expect(try await bench.store.operatorSession(tokenHash: [2], usedAfter: time(0)) == nil)
    }

    @Test(arguments: stores)
    func oldestSessionsEndBeyondLimit(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await add(person("ann"), person("ben"), to: bench.store)
        for (hash, name) in [(1, "ann"), (2, "ben"), (3, "ann"), (4, "ann")] {
            let session = session(UInt8(hash), of: name, at: Int64(hash))
            #expect(try await bench.store.open(session, passwordHash: "hash", keeping: 2))
        }
        var open: [Int] = []
        for hash in 1...4
        where try await bench.store.operatorSession(tokenHash: [UInt8(hash)], usedAfter: time(0))
            != nil
        {
            open.append(hash)
        }
        #expect(open == [2, 3, 4])
    }

    @Test(arguments: stores)
    func newPasswordEndsSessionsAndNewScopeTokensToo(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        let operators = OperatorDirectory(store: bench.store)
        try await add(person("ann"), person("ben"), to: bench.store)
        func open(_ hash: String) async throws {
            let session = session(1, of: "ann", at: 5)
            try await bench.store.endOperatorSession(tokenHash: [1])
            #expect(try await bench.store.open(session, passwordHash: hash, keeping: 5))
        }
        func isOpen() async throws -> Bool {
            try await bench.store.operatorSession(tokenHash: [1], usedAfter: time(0)) != nil
        }
        #expect(try await bench.store.add(token(7, by: "ann", until: 50), upTo: 5) != nil)
        try await open("hash")
        try await operators.edit("ann", scope: nil, passwordHash: "new", at: time(6))
        #expect(try await !isOpen())
        #expect(try await bench.store.token(hash: [7], at: time(7)) != nil)
        try await open("new")
        try await operators.edit("ann", scope: .viewer, passwordHash: nil, at: time(6))
        #expect(try await !isOpen())
        #expect(try await bench.store.token(hash: [7], at: time(7)) == nil)
        try await open("new")
        #expect(try await bench.store.add(token(8, by: "ann", until: 50), upTo: 5) != nil)
        try await operators.remove("ann", at: time(6))
        #expect(try await !isOpen())
        #expect(try await bench.store.token(hash: [8], at: time(7)) == nil)
    }

    @Test(arguments: stores)
    func tokensExpireAndAreRevoked(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        try await add(person("ann"), to: bench.store)
        let first = try #require(
            try await bench.store.add(token(1, by: "ann", until: 10), upTo: 2))
        let second = try #require(
            try await bench.store.add(token(2, by: "ann", until: 20), upTo: 2))
        #expect(try await bench.store.add(token(3, by: "ann", until: 20), upTo: 2) == nil)
        #expect(try await bench.store.add(token(4, by: "eve", until: 20), upTo: 9) == nil)
        let known = NumberedToken(number: first, token: token(1, by: "ann", until: 10))
        #expect(try await bench.store.token(hash: [1], at: time(9)) == known)
        #expect(try await bench.store.token(hash: [1], at: time(10)) == nil)
        #expect(try await bench.store.tokens(at: time(9)).map(\.number) == [first, second])
        #expect(try await bench.store.tokens(at: time(10)).map(\.number) == [second])
        #expect(try await bench.store.revokeToken(second))
        #expect(try await !bench.store.revokeToken(second))
        #expect(try await bench.store.token(hash: [2], at: time(9)) == nil)
        let third = try #require(
            try await bench.store.add(token(5, by: "ann", until: 20), upTo: 9))
        #expect(third > second)
    }

    @Test(arguments: stores)
    func activitiesAreListedAndExpire(_ kind: StoreKind) async throws {
        let bench = try await kind.open()
        func activity(_ target: String) -> Activity {
            Activity(
                actor: "local e\u{301}", origin: "::1", act: "deploy", environment: "test",
                target: target, before: "", after: "{\"a\":1}")
        }
        for number in 1...3 {
            try await bench.store.log(activity("\(number)"), at: time(Int64(number)))
        }
        let all = try await bench.store.activities(before: nil, limit: 10)
        #expect(all.map(\.activity) == ["3", "2", "1"].map(activity))
        #expect(all.map(\.at) == [3, 2, 1].map(time))
        let page = try await bench.store.activities(before: all[0].number, limit: 1)
        #expect(page == [all[1]])
        #expect(try await bench.store.sweepActivities(before: time(3), limit: 1) == 1)
        #expect(try await bench.store.sweepActivities(before: time(3), limit: 10) == 1)
        #expect(try await bench.store.activities(before: nil, limit: 10) == [all[0]])
        try await bench.store.log(activity("4"), at: time(4))
        let next = try await bench.store.activities(before: nil, limit: 1)
        #expect(next[0].number > all[0].number)
    }
}
