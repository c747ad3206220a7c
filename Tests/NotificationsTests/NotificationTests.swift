import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import Notifications
import SQLiteStore
import SyncEngine
import SyncProtocol
import Synchronization
import Testing
import UserAccounts

/// Records its calls, and answers as the token's text says.
private final class RecordingDelivery: NotificationDelivery {
    let deviceTypes: Set<String>
    private let announced = Mutex(0)
    private let told = Mutex<[String]>([])

    init(_ types: Set<String>) { deviceTypes = types }

    var announcements: Int { announced.withLock { $0 } }
    /// Each notification with the notified device.
    var tellings: [String] { told.withLock { $0 } }

    func reaches(_ token: PushToken) -> Bool { token.text != "unreachable" }
    func announce() { announced.withLock { $0 += 1 } }

    func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult] {
        tokens.map { token in
            told.withLock {
                $0.append("\(notification.content.id) \(token.device.deviceIdentifier)")
            }
            switch token.text {
            case "gone": return .gone
            case "failing": return .failed("no")
            case _: return .delivered
            }
        }
    }
}

@Suite("Notifications reach their audience")
struct NotificationTests {
    private let bench: TestBench
    private let delivery = RecordingDelivery(["http"])

    init() async throws {
        var limits = Limits()
        limits.notificationsPerMinute = 3
        limits.pushTokensOfUser = 2
        limits.pushTokensOfGuests = 3
        limits.pushTokensOfGuestAddress = 2
        limits.deliveredTokens = 2
        bench = try await TestBench(Documents.notes(), limits: limits)
        for (login, group) in [("a", "users"), ("b", "users"), ("g", "guests")] {
            _ = try await bench.accounts.add(
                login: login, group: group, mail: "", isAdmin: false, passwordHash: "x")
        }
    }

    private func engine(_ senders: NotificationSenders = .everyone) -> NotificationEngine {
        NotificationEngine(
            engine: bench.engine, store: bench.store, senders: senders, deliveries: [delivery])
    }

    private func caller(
        _ login: String, group: String = "users", device: String? = nil, isAdmin: Bool = false
    ) async throws -> Caller {
        try await bench.person(login, group: group, device: device).caller(isAdmin: isAdmin)
    }

    private func register(
        _ login: String, _ text: String = "t", type: String = "http", group: String = "users",
        device: String? = nil
    ) async throws -> Bool {
        try await engine().register(
            token: text, type: type,
            by: try await caller(login, group: group, device: device),
            at: Instant(milliseconds: 9))
    }

    @discardableResult
    private func send(
        _ id: String? = nil, to users: [String]? = nil, group: String? = nil,
        deviceCategory: String? = nil, saying notification: [String: JSONValue] = ["text": "hi"],
        from login: String = "a", at milliseconds: Int64 = 1000, isAdmin: Bool = false,
        senders: NotificationSenders = .everyone
    ) async throws -> SentNotification {
        try await engine(senders).send(
            NotificationDraft(
                id: id, deviceCategory: deviceCategory, group: group, users: users,
                body: notification),
            freshID: "fresh", by: try await caller(login, isAdmin: isAdmin),
            at: Instant(milliseconds: milliseconds))
    }

    private func heard(
        _ login: String, group: String = "users", after token: String? = nil,
        from start: ListeningPosition? = nil
    ) async throws -> [HeardNotification] {
        var position = try await engine().position(of: token)
        if let start { position = start }
        return try await engine().heard(
            after: position, by: try await caller(login, group: group)
        ).notifications
    }

    // MARK: - Listening

    @Test func everyUserGetsTheirNotifications() async throws {
        let start = try await engine().position(of: nil)
        try await send("all")
        try await send("users", group: "users")
        try await send("g-and-none", to: ["g", "none"])
        let ofB = try await heard("b", from: start)
        #expect(ofB.map(\.notification.id) == ["all", "users"])
        #expect(
            ofB.first.map { NotificationMessage($0.notification) }
                == NotificationMessage(
                    id: "all", at: 1000, sender: "a", notification: ["text": "hi"]))
        let ofGuest = try await heard("g", group: "guests", from: start)
        #expect(ofGuest.map(\.notification.id) == ["all", "g-and-none"])
    }

    @Test func returningClientContinuesAtItsToken() async throws {
        let start = try await engine().position(of: nil)
        try await send("1")
        try await send("2")
        let first = try #require(try await heard("b", from: start).first)
        #expect(try await heard("b", after: first.token).map(\.notification.id) == ["2"])
        #expect(try await heard("b") == [])
        let token = try engine().token(of: try await engine().position(of: nil))
        try await send("3")
        #expect(try await heard("b", after: token).map(\.notification.id) == ["3"])
    }

    @Test func tokenOfOtherDataIsRefused() async throws {
        await #expect(throws: SyncError.cursorUnreadable) {
            try await engine().position(of: "x")
        }
        let instance = bench.engine.instance
        for token in [
            #"{"heard":1,"instance":"\#(instance)"}"#, #"{"heard":0,"instance":"other"}"#,
        ] {
            await #expect(throws: SyncError.cursorForeign) {
                try await engine().position(of: token)
            }
        }
    }

    /// Fractions and escaped characters are preserved.
    @Test func bodiesAreDeliveredUnchanged() async throws {
        let start = try await engine().position(of: nil)
        let said: [String: JSONValue] = [
            "n": .decimal("1.50"), "t": "\u{0}\"\\\n\u{2028}é🐝",
            "l": .array([.null, .boolean(true), .integer(-1)]),
        ]
        try await send("1", saying: said)
        let heard = try #require(try await heard("a", from: start).first)
        #expect(
            NotificationMessage(heard.notification).text
                == #"{"at":1000,"id":"1","notification":{"l":[null,true,-1],"#
                + #""n":1.5,"t":"\u0000\"\\\n"# + "\u{2028}é🐝\"},\"sender\":\"a\"}")
    }

    // MARK: - Sending

    @Test func repeatedNotificationIsDeliveredOnce() async throws {
        let first = try await send("1")
        #expect(!first.isRepeat && first.id == "1")
        #expect(try await send("1").isRepeat)
        #expect(try await send().id == "fresh")
        #expect(delivery.announcements == 2)
    }

    @Test(arguments: [
        (NotificationSenders.everyone, false, true), (.admins, false, false),
        (.admins, true, true), (.nobody, true, false),
    ])
    func sendingNeedsTheRight(
        senders: NotificationSenders, isAdmin: Bool, isSent: Bool
    ) async throws {
        do {
            try await send(isAdmin: isAdmin, senders: senders)
            #expect(isSent)
        } catch let error as SyncError {
            #expect(!isSent)
            #expect(error == (isAdmin ? .notification(.switchedOff) : .adminOnly))
        }
    }

    @Test func namesOfDefinitionMustBeRight() async throws {
        await #expect(
            throws: SyncError.notification(
                .groupUnknown("crew", known: ["users", "guests"]))
        ) { try await send(group: "crew") }
        await #expect(
            throws: SyncError.notification(
                .deviceCategoryUnknown("tv", known: ["mobile"]))
        ) { try await send(deviceCategory: "tv") }
    }

    @Test func tooLargeNotificationsAreRefused() async throws {
        let limits = bench.engine.limits
        let long = String(repeating: "x", count: limits.notificationBytes - 8)
        try await send("fits", saying: ["a": .string(long)])
        await #expect(throws: SyncError.notification(.tooLarge(maxBytes: 4096))) {
            try await send(saying: ["a": .string(long + "x")])
        }
        let users = (0...500).map { "\($0)" }
        await #expect(throws: SyncError.notification(.tooManyUsers(count: 501, max: 500))) {
            try await send(to: users)
        }
        await #expect(throws: SyncError.notification(.unrepresentable)) {
            try await send(saying: ["a": .array([.unrepresentable])])
        }
        for id in ["", "a b", String(repeating: "i", count: 129)] {
            await #expect(throws: SyncError.notification(.idIllegal(maxBytes: 128))) {
                try await send(id)
            }
        }
        #expect(delivery.announcements == 1)
    }

    @Test func sendingRateIsLimited() async throws {
        for (id, at) in [("1", 1000), ("2", 2000), ("3", 30_000)] as [(String, Int64)] {
            try await send(id, at: at)
        }
        let refusal = SyncError.notification(.tooManySent(max: 3, retryAfterSeconds: 1))
        await #expect(throws: refusal) { try await send("4", at: 60_001) }
        try await send("4", at: 61_000)
        await #expect(
            throws: SyncError.notification(.tooManySent(max: 3, retryAfterSeconds: 1))
        ) { try await send("5", at: 61_000) }
        try await send("5", from: "b", at: 61_000)
    }

    // MARK: - Tokens

    @Test func unknownTypeIsKeptAndReported() async throws {
        #expect(try await register("a"))
        #expect(try await !register("b", type: "pigeon"))
        #expect(try await !register("g", "unreachable", group: "guests"))
        let page = try await engine().tokens(for: try await caller("b", isAdmin: true))
        #expect(page.tokens.map(\.token.type) == ["http", "pigeon", "http"])
        #expect(page.tokens.map(\.isReached) == [true, false, false])
        #expect(
            PushTokensResponse(page).tokens.first
                == PushTokenMessage(
                    login: "a", deviceCategory: "mobile", deviceIdentifier: "a-phone",
                    type: "http", token: "t", at: 9, reached: true))
        #expect(try await send("all").unreachableTold == ["pigeon": 1])
        #expect(try await send("guests", group: "guests").unreachableTold == [:])
    }

    /// The number of unreachable tokens must not reveal which logins exist.
    @Test func onlyAdminsSeeTokensOfNamedUsers() async throws {
        _ = try await register("b", type: "pigeon")
        let sent = try await send("1", to: ["b"])
        #expect(sent.unreachable == .success(["pigeon": 1]) && sent.unreachableTold == nil)
        #expect(try await send("2", to: ["b"], isAdmin: true).unreachableTold == ["pigeon": 1])
    }

    @Test func onlyAdminsSeeTokensPageByPage() async throws {
        await #expect(throws: SyncError.adminOnly) {
            try await engine().tokens(for: try await caller("a"))
        }
        for device in ["1", "2"] {
            _ = try await register("a", device: device)
            _ = try await register("b", device: "b-\(device)")
        }
        let admin = try await caller("b", isAdmin: true)
        var seen: [String] = []
        var cursor: String?
        repeat {
            let page = try await engine().tokens(cursor: cursor, limit: 3, for: admin)
            seen += page.tokens.map(\.token.device.deviceIdentifier)
            cursor = page.cursor
        } while cursor != nil
        #expect(seen == ["1", "2", "b-1", "b-2"])
        await #expect(throws: SyncError.cursorUnreadable) {
            try await engine().tokens(cursor: "x", for: admin)
        }
    }

    @Test(arguments: [
        ("", "http", SyncError.notification(.tokenIllegal(maxBytes: 2048))),
        ("\u{E9}", "http", .notification(.tokenIllegal(maxBytes: 2048))),
        ("a\n", "http", .notification(.tokenIllegal(maxBytes: 2048))),
        ("t", "", .notification(.typeIllegal(maxBytes: 64))),
        ("t", "a b", .notification(.typeIllegal(maxBytes: 64))),
        ("t", String(repeating: "x", count: 65), .notification(.typeIllegal(maxBytes: 64))),
    ])
    func tokenThatIsNoneIsRefused(text: String, type: String, error: SyncError) async throws {
        await #expect(throws: error) { try await register("a", text, type: type) }
    }

    @Test func tooManyTokensAreRefused() async throws {
        for device in ["1", "2"] { _ = try await register("a", device: device) }
        await #expect(throws: SyncError.notification(.tooManyTokens(max: 2))) {
            try await register("a", device: "3")
        }
    }

    /// All clients that do not sign in are one user, of whose tokens the oldest give way.
    @Test func oldestTokensOfGuestsGiveWay() async throws {
        for number in 1...5 { try await registerGuest(number, from: UInt8(number)) }
        #expect(try await devicesWithTokens() == ["3", "4", "5"])
    }

    /// However many tokens one address sends, the others keep theirs.
    @Test func guestsOfOneAddressTakeNoPlacesOfOthers() async throws {
        for (number, address) in [(1, 1), (2, 2), (3, 2), (4, 2), (5, 2)] as [(Int, UInt8)] {
            try await registerGuest(number, from: address)
        }
        #expect(try await devicesWithTokens() == ["1", "4", "5"])
    }

    private func registerGuest(_ number: Int, from address: UInt8) async throws {
        try await engine().register(
            token: "t", type: "http", by: try await caller("a", device: "\(number)"),
            ofGuestFrom: [address], at: Instant(milliseconds: Int64(number)))
    }

    private func devicesWithTokens() async throws -> [String] {
        try await engine().tokens(for: try await caller("b", isAdmin: true)).tokens
            .map(\.token.device.deviceIdentifier)
    }

    // MARK: - Delivering

    private func deliverNext() async throws -> [String: DeliveryResult]? {
        var results: [String: DeliveryResult] = [:]
        let step = try await engine().deliverNext(
            sentSince: Instant(milliseconds: 0), by: "server",
            clock: { Instant(milliseconds: 5000) },
            noting: { results[$1.device.deviceIdentifier] = $2 })
        return step == .delivered ? results : nil
    }

    /// Tokens are handed over in groups of two here.
    @Test func tokensOfSupportedTypesAreNotifiedOnce() async throws {
        for device in ["1", "2"] { _ = try await register("a", device: device) }
        _ = try await register("b", "failing", device: "3")
        _ = try await register("b", type: "pigeon", device: "4")
        _ = try await register("g", group: "guests", device: "5")
        try await send("n", group: "users")
        #expect(
            try await deliverNext() == ["1": .delivered, "2": .delivered, "3": .failed("no")])
        #expect(delivery.tellings == ["n 1", "n 2", "n 3"])
        #expect(try await deliverNext() == nil)
    }

    @Test func tokenThatIsGoneIsDropped() async throws {
        _ = try await register("a", "gone", device: "1")
        _ = try await register("b", device: "2")
        try await send("n")
        #expect(try await deliverNext() == ["1": .gone, "2": .delivered])
        let left = try await engine().tokens(for: try await caller("b", isAdmin: true))
        #expect(left.tokens.map(\.token.device.deviceIdentifier) == ["2"])
    }

    /// Their group has no role on this device category, so they could not sign in.
    @Test func devicesWithoutRoleAreNotNotified() async throws {
        _ = try await register("a", device: "1")
        let user = User(login: "a", group: "crew", mail: "", isAdmin: false, passwordHash: "x")
        let refusal: AccountError? = try await bench.store.changeUser(
            "a", in: bench.engine.environment
        ) { _ in .success(.write(user, endingSessions: false)) }
        #expect(refusal == nil)
        try await send("n")
        #expect(try await deliverNext() == [:])
        #expect(delivery.tellings == [])
    }

    @Test func oldNotificationsArePurged() async throws {
        let start = try await engine().position(of: nil)
        try await send("old", at: 1000)
        try await send("new", at: 2000)
        #expect(try await engine().sweep(before: Instant(milliseconds: 2000)) == 1)
        #expect(try await heard("b", from: start).map(\.notification.id) == ["new"])
    }
}
