import Notifications
import SyncEngine
import TestKit
import Testing
import UserAccounts

private func token(
    _ login: String, on device: String = "phone", category: String = "mobile",
    type: String = "http", text: String = "t", at milliseconds: Int64 = 7
) -> PushToken {
    PushToken(
        device: DeviceKey(login: login, deviceIdentifier: device), deviceCategory: category,
        type: type, text: text, at: Instant(milliseconds: milliseconds))
}

/// A store with the users `a` and `b` in `users`, and `g` in `guests`.
struct NotificationBench {
    private let bench: StoreBench
    let environment: EnvironmentID

    var store: any WholeStore { bench.store }

    init(_ kind: StoreKind) async throws {
        bench = try await kind.open()
        environment = try await bench.store.environment()
        for (login, group) in [("a", "users"), ("b", "users"), ("g", "guests")] {
            try await change(login, .write(user(login, group), endingSessions: false))
        }
    }

    func user(_ login: String, _ group: String) -> User {
        User(login: login, group: group, mail: "", isAdmin: false, passwordHash: "h")
    }

    func change(_ login: String, _ change: UserChange) async throws {
        let refusal: AccountError? = try await store.changeUser(login, in: environment) { _ in
            .success(change)
        }
        #expect(refusal == nil)
    }

    func tokens(
        of audience: NotificationAudience = .everyone, types: Set<String>? = nil,
        after: PushTokenKey? = nil, limit: Int = 100
    ) async throws -> [HeldPushToken] {
        try await store.pushTokens(
            PushTokenQuery(
                environment: environment, audience: audience, types: types, after: after,
                limit: limit))
    }

    func keep(
        _ installation: String, type: String = "http", text: String = "w", source: UInt8 = 1,
        at milliseconds: Int64 = 5, oldest: Int64 = 0
    ) async throws {
        try await store.keep(
            WaitingPushToken(
                installation: installation, type: type, text: text, source: [source],
                at: Instant(milliseconds: milliseconds)),
            in: environment,
            limits: WaitingTokenLimits(
                rows: 3, ofSource: 2, oldest: Instant(milliseconds: oldest)))
    }

    func attach(
        _ login: String, on installation: String = "phone", oldest: Int64 = 0, max: Int = 9
    ) async throws {
        try await store.attachTokens(
            to: DeviceKey(login: login, deviceIdentifier: installation), deviceCategory: "mobile",
            in: environment, oldest: Instant(milliseconds: oldest), max: max)
    }

    @discardableResult
    func add(
        _ id: String, from sender: String = "a", at milliseconds: Int64 = 1000,
        to audience: NotificationAudience = .everyone, body: String = "{}", waiting: Int64 = 0
    ) async throws -> NotificationAdmission {
        try await store.add(
            NewNotification(
                id: id, sender: sender, at: Instant(milliseconds: milliseconds),
                audience: audience, body: body),
            in: environment, windowSeconds: 60, keeping: .plenty
        ) { _ in waiting }
    }

    func read(
        _ login: String = "a", group: String = "users", after: Int64 = 0, limit: Int = 100,
        maxScanned: Int = 100
    ) async throws -> NotificationPage {
        try await store.notifications(
            NotificationQuery(
                environment: environment,
                reader: NotificationReader(login: login, group: group, deviceCategory: "mobile"),
                after: after, limit: limit, maxScanned: maxScanned))
    }
}

@Suite("A store keeps push tokens")
struct PushTokenTests {
    @Test(arguments: stores) func deviceHasOneTokenOfType(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for text in ["old", "new"] {
            #expect(
                try await bench.store.register(
                    token("a", text: text), in: bench.environment, max: 9))
        }
        let ios = token("a", type: "ios")
        #expect(try await bench.store.register(ios, in: bench.environment, max: 9))
        #expect(
            try await bench.tokens() == [
                HeldPushToken(token: token("a", text: "new"), group: "users"),
                HeldPushToken(token: ios, group: "users"),
            ])
        let other = try await bench.store.environment("other")
        #expect(
            try await bench.store.pushTokens(PushTokenQuery(environment: other, limit: 9)) == [])
    }

    /// The next user of a phone must not get the notifications of the previous one.
    @Test(arguments: stores) func tokenBelongsToDevicesLastUser(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        _ = try await bench.store.register(token("a"), in: bench.environment, max: 9)
        _ = try await bench.store.register(token("b"), in: bench.environment, max: 9)
        #expect(try await bench.tokens().map(\.token.device.login) == ["b"])
        try await bench.store.unregister(
            type: "http", of: token("a").device, text: nil, in: bench.environment)
        #expect(try await bench.tokens().count == 1)
    }

    @Test(arguments: stores) func onlyTextThatIsMeantIsForgotten(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        _ = try await bench.store.register(token("a"), in: bench.environment, max: 9)
        for (type, text, left) in [("ios", nil, 1), ("http", "x", 1), ("http", "t", 0)]
            as [(String, String?, Int)]
        {
            try await bench.store.unregister(
                type: type, of: token("a").device, text: text, in: bench.environment)
            #expect(try await bench.tokens().count == left)
        }
    }

    /// Those of other users stay.
    @Test(arguments: stores) func oldestGiveWay(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        let register = { (token: PushToken, max: Int) in
            try await bench.store.register(
                token, in: bench.environment, max: max, ofGuest: GuestSource(hash: [1], max: 9))
        }
        #expect(try await register(token("b", on: "0", at: 1), 2))
        for (device, at) in [("1", 4), ("2", 3), ("3", 5), ("3", 6)] as [(String, Int64)] {
            #expect(try await register(token("a", on: device, at: at), 2))
        }
        #expect(try await bench.tokens().map(\.token.key.deviceIdentifier) == ["0", "1", "3"])
        #expect(try await register(token("a", on: "4", at: 2), 1))
        #expect(try await bench.tokens().map(\.token.key.deviceIdentifier) == ["0", "4"])
        #expect(try await !register(token("nobody", on: "5"), 2))
    }

    /// Those of another source stay, also if they are older.
    @Test(arguments: stores) func oldestOfSourceGiveWay(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for (device, source, at, kept) in [
            ("1", 1, 1, ["1"]), ("2", 2, 2, ["1", "2"]), ("3", 2, 3, ["1", "2", "3"]),
            ("4", 2, 4, ["1", "3", "4"]), ("3", 2, 5, ["1", "3", "4"]),
            ("5", 2, 6, ["1", "3", "5"]), ("6", 1, 7, ["1", "3", "5", "6"]),
            ("7", 3, 8, ["3", "5", "6", "7"]),
        ] as [(String, UInt8, Int64, [String])] {
            #expect(
                try await bench.store.register(
                    token("a", on: device, at: at), in: bench.environment, max: 4,
                    ofGuest: GuestSource(hash: [source], max: 2)))
            #expect(try await bench.tokens().map(\.token.key.deviceIdentifier) == kept)
        }
    }

    @Test(arguments: stores) func userHasOnlySoMany(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        let register = { (token: PushToken) in
            try await bench.store.register(token, in: bench.environment, max: 2)
        }
        #expect(try await register(token("a", on: "1")))
        #expect(try await register(token("a", on: "2")))
        #expect(try await register(token("a", on: "2", text: "new")))
        #expect(try await !register(token("a", on: "3")))
        #expect(try await register(token("b", on: "3")))
        #expect(try await !register(token("nobody", on: "4")))
        #expect(try await bench.tokens().map(\.token.key.deviceIdentifier) == ["1", "2", "3"])
    }

    @Test(arguments: stores) func tokenWaitsForItsUser(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for text in ["old", "new"] { try await bench.keep("phone", text: text) }
        try await bench.keep("phone", type: "ios", at: 3)
        try await bench.attach("nobody")
        #expect(try await bench.tokens() == [])
        try await bench.attach("a", oldest: 4)
        #expect(try await bench.tokens().map(\.token.text) == ["new"])
        #expect(try await bench.tokens().map(\.token.device.login) == ["a"])
        try await bench.attach("b")
        #expect(try await bench.tokens().map(\.token.device.login) == ["a"])
    }

    /// A token that the user has registered since then stays; that of another user does not.
    @Test(arguments: stores) func newerTokenOfUserStays(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for (owner, at, text) in [("a", 6, "t"), ("a", 7, "w"), ("b", 6, "w")]
            as [(String, Int64, String)]
        {
            _ = try await bench.store.register(token(owner), in: bench.environment, max: 9)
            try await bench.keep("phone", text: "w", at: at)
            try await bench.attach("a")
            #expect(try await bench.tokens().map(\.token.text) == [text], "\(owner) \(at)")
        }
        try await bench.keep("tablet", at: 9)
        try await bench.attach("a", on: "tablet", max: 1)
        #expect(try await bench.tokens().count == 1)
    }

    /// A stranger evicts only what came from the same address, until the environment is full.
    @Test(arguments: stores) func waitingTokensAreLimited(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for number in 1...5 {
            try await bench.keep("x\(number)", source: 1, at: Int64(number + 10))
            try await bench.keep("y\(number)", source: 2, at: Int64(number))
        }
        for name in ["x", "y"] {
            for number in 1...5 { try await bench.attach("a", on: "\(name)\(number)") }
        }
        let kept = try await bench.tokens().map(\.token.device.deviceIdentifier)
        #expect(kept == ["x4", "x5", "y5"])
        try await bench.keep("z1", source: 3, at: 1)
        try await bench.keep("z2", source: 3, at: 9, oldest: 2)
        for name in ["z1", "z2"] { try await bench.attach("b", on: name) }
        let late = try await bench.tokens().map(\.token.device)
        #expect(late.filter { $0.login == "b" }.map(\.deviceIdentifier) == ["z2"])
    }

    @Test(arguments: stores) func notificationsAreRemovedWithTheirUser(
        _ kind: StoreKind
    ) async throws {
        let bench = try await NotificationBench(kind)
        _ = try await bench.store.register(token("a"), in: bench.environment, max: 9)
        try await bench.change("a", .write(bench.user("a", "guests"), endingSessions: true))
        #expect(try await bench.tokens().map(\.group) == ["guests"])
        try await bench.change("a", .remove)
        #expect(try await bench.tokens() == [])
    }

    @Test(
        arguments: stores,
        [
            (NotificationAudience.everyone, ["a", "b", "g"]),
            (NotificationAudience(deviceCategory: "office"), ["b"]),
            (NotificationAudience(group: "users"), ["a", "b"]),
            (NotificationAudience(logins: ["g", "a", "none"]), ["a", "g"]),
            (NotificationAudience(logins: []), []),
            (NotificationAudience(deviceCategory: "mobile", group: "users", logins: ["b"]), []),
        ])
    func thoseOfAudience(
        _ kind: StoreKind, expected: (audience: NotificationAudience, logins: [String])
    ) async throws {
        let bench = try await NotificationBench(kind)
        for token in [
            token("a", on: "1"), token("b", on: "2", category: "office", type: "ios"),
            token("g", on: "3"),
        ] {
            _ = try await bench.store.register(token, in: bench.environment, max: 9)
        }
        let held = try await bench.tokens(of: expected.audience)
        #expect(held.map(\.token.device.login) == expected.logins)
        let counts = try await bench.store.countPushTokens(
            of: expected.audience, in: bench.environment)
        #expect(counts == held.reduce(into: [:]) { $0[$1.token.type, default: 0] += 1 })
        let ofHTTP = try await bench.tokens(of: expected.audience, types: ["http", "none"])
        #expect(ofHTTP == held.filter { $0.token.type == "http" })
        let paged = try await bench.tokens(of: expected.audience, limit: 1)
        #expect(paged == Array(held.prefix(1)))
        if let first = paged.first {
            let rest = try await bench.tokens(of: expected.audience, after: first.token.key)
            #expect(rest == Array(held.dropFirst()))
        }
    }
}

@Suite("A store keeps notifications in order")
struct NotificationStoreTests {
    @Test(arguments: stores) func addedNotificationsAreReadBack(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        #expect(try await bench.store.lastNotification(in: bench.environment) == 0)
        let notification = NewNotification(
            id: "n", sender: "a", at: Instant(milliseconds: 5),
            audience: NotificationAudience(
                deviceCategory: "mobile", group: "users", logins: ["a\"/\u{E9}", "b"]),
            body: #"{"x":"\u0000 é"}"#)
        let added = try await bench.store.add(
            notification, in: bench.environment, windowSeconds: 60, keeping: .plenty
        ) { _ in 0 }
        let stored = StoredNotification(number: 1, content: notification)
        #expect(added == .added(stored))
        #expect(try await bench.store.lastNotification(in: bench.environment) == 1)
        let page = NotificationPage(notifications: [stored], through: 1, hasMore: false)
        #expect(try await bench.read("b") == page)
        let other = try await bench.store.environment("other")
        #expect(try await bench.store.lastNotification(in: other) == 0)
    }

    @Test(arguments: stores) func repeatIsTheFirstOne(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        guard case .added(let first) = try await bench.add("n", body: #"{"x":1}"#) else {
            Issue.record("it was not added")
            return
        }
        // A repeated notification is recognised even if the sender would have to wait.
        #expect(try await bench.add("n", body: #"{"x":2}"#, waiting: 9) == .repeated(first))
        guard case .added = try await bench.add("n", from: "b") else {
            Issue.record("another sender's id is another")
            return
        }
        #expect(try await bench.store.lastNotification(in: bench.environment) == 2)
    }

    @Test(arguments: stores) func delayedNotificationIsNotStored(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        #expect(try await bench.add("n", waiting: 3) == .wait(seconds: 3))
        #expect(try await bench.store.lastNotification(in: bench.environment) == 0)
    }

    /// Notifications of the last minute count; those dated in the future, after a clock was set
    /// back, do not.
    @Test(arguments: stores) func sendersLastOnesAreCounted(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for (id, seconds) in [("1", 0), ("2", 1), ("3", 60), ("4", 99)] as [(String, Int64)] {
            try await bench.add(id, at: seconds * 1000)
        }
        try await bench.add("5", from: "b", at: 30_000)
        let admission = try await bench.store.add(
            NewNotification(
                id: "6", sender: "a", at: Instant(milliseconds: 60_000), audience: .everyone,
                body: "{}"), in: bench.environment, windowSeconds: 60, keeping: .plenty
        ) { recent in
            recent == RecentSendings(count: 2, first: Instant(milliseconds: 1000)) ? 77 : 1
        }
        #expect(admission == .wait(seconds: 77))
    }

    @Test(arguments: stores) func pagesSayHowFarTheyLooked(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for number in 1...6 {
            try await bench.add(
                "\(number)",
                to: NotificationAudience(logins: number.isMultiple(of: 3) ? ["a"] : ["b"]))
        }
        let cases: [(after: Int64, limit: Int, maxScanned: Int, [Int64], Int64, Bool)] = [
            (0, 9, 9, [3, 6], 6, false), (0, 1, 9, [3], 3, true), (0, 9, 2, [], 2, true),
            (3, 9, 3, [6], 6, false), (6, 9, 9, [], 6, false), (9, 9, 9, [], 9, false),
        ]
        for (after, limit, maxScanned, numbers, through, hasMore) in cases {
            let page = try await bench.read(after: after, limit: limit, maxScanned: maxScanned)
            #expect(page.notifications.map(\.number) == numbers)
            #expect(page.through == through && page.hasMore == hasMore)
        }
    }

    @Test(arguments: stores) func numbersAreNotGivenAgain(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for (id, at) in [("1", 10), ("2", 30), ("3", 20)] as [(String, Int64)] {
            try await bench.add(id, at: at)
        }
        let sweep = { (before: Int64, limit: Int) in
            try await bench.store.sweepNotifications(
                SweepRequest(
                    environment: bench.environment, before: Instant(milliseconds: before),
                    limit: limit))
        }
        #expect(try await sweep(10, 9) == 0)
        #expect(try await sweep(30, 1) == 1)
        #expect(try await bench.read().notifications.map(\.content.id) == ["2", "3"])
        #expect(try await sweep(99, 9) == 2)
        #expect(
            try await bench.read()
                == NotificationPage(
                    notifications: [], through: 0, hasMore: false))
        try await bench.add("4")
        #expect(try await bench.read().notifications.map(\.number) == [4])
    }
}
