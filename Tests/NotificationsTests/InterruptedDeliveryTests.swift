import DefinitionModel
import EngineKit
import Notifications
import SQLiteStore
import SyncEngine
import Synchronization
import Testing
import UserAccounts

@Suite("A notification reaches every token, whatever fails")
struct InterruptedDeliveryTests {
    private let bench: TestBench
    private let channel = CountingChannel()

    /// Five tokens, of which a call of a channel gets two.
    init() async throws {
        var limits = Limits()
        limits.deliveredTokens = 2
        bench = try await TestBench(Documents.notes(), limits: limits)
        let login = "a"
        _ = try await bench.accounts.add(
            login: login, group: "users", mail: "", isAdmin: false, passwordHash: "x")
        for number in 1...5 {
            let token = PushToken(
                device: DeviceKey(login: login, deviceIdentifier: "\(number)"),
                deviceCategory: "mobile", type: "http", text: "t",
                at: Instant(milliseconds: 1))
            #expect(try await bench.store.register(token, in: bench.engine.environment, max: 9))
        }
        for id in ["first", "second"] {
            _ = try await bench.store.add(
                NewNotification(
                    id: id, sender: login, at: Instant(milliseconds: 1), audience: .everyone,
                    body: "{}"),
                in: bench.engine.environment, windowSeconds: 60,
                keeping: StoredAmount(rows: 99, bytes: 9999)
            ) { _ in 0 }
        }
    }

    /// The number of calls of the store in two undisturbed deliveries.
    private static let calls = 15

    @Test func undisturbedEachIsDeliveredOnce() async throws {
        let store = FailingStore(bench.store)
        #expect(try await deliverAll(with: store, by: "one", at: 0))
        #expect(store.calls == Self.calls)
        #expect(channel.deliveries.values.allSatisfy { $0 == 1 })
        #expect(channel.deliveries.count == 10)
    }

    /// A call of the store fails, with or without having taken effect. The process tries again, or
    /// it is killed and another one takes over.
    @Test(arguments: 0..<calls, [true, false])
    func failure(call: Int, takesEffect: Bool) async throws {
        for isKilled in [true, false] {
            let one = try await InterruptedDeliveryTests()
            try await one.interrupted(at: call, takesEffect: takesEffect, isKilled: isKilled)
        }
    }

    private func interrupted(at call: Int, takesEffect: Bool, isKilled: Bool) async throws {
        let store = FailingStore(bench.store, failingAt: call, takesEffect: takesEffect)
        await #expect(throws: SyncError.self) {
            try await deliverAll(with: store, by: "one", at: 0)
        }
        if isKilled {
            _ = try await deliverAll(with: store, by: "two", at: 29)
            #expect(try await deliverAll(with: store, by: "two", at: 30))
        } else {
            #expect(try await deliverAll(with: store, by: "one", at: 0))
        }
        #expect(channel.deliveries.count == 10)
        #expect(channel.deliveries.values.allSatisfy { $0 <= 2 })
        // Only the page that was being delivered comes again.
        #expect(channel.deliveries.values.filter { $0 == 2 }.count <= 2)
    }

    /// Neither is a notification lost that is stored, nor is its sender told to send it again.
    @Test func tokensThatCannotBeCountedDoNotFailSending() async throws {
        let store = FailingStore(bench.store, failingAt: 1)
        let sent = try await engine(with: store).send(
            NotificationDraft(id: "n", body: [:]), freshID: "f",
            by: try await bench.person("a").caller(), at: Instant(milliseconds: 2))
        #expect(!sent.isRepeat && sent.unreachableTold == nil)
        #expect(sent.unreachable == .failure(.store(.busy)))
        #expect(
            try await bench.store.lastNotification(in: bench.engine.environment) == 3)
    }

    private func engine(with store: FailingStore) -> NotificationEngine {
        NotificationEngine(engine: bench.engine, store: store, deliveries: [channel])
    }

    /// Returns false if another process delivers.
    private func deliverAll(
        with store: FailingStore, by claimant: String, at seconds: Int64
    ) async throws -> Bool {
        while true {
            let step = try await engine(with: store).deliverNext(
                sentSince: Instant(milliseconds: 0), by: claimant,
                clock: { Instant(milliseconds: 1000 * seconds) }, noting: { _, _, _ in })
            switch step {
            case .delivered: continue
            case .waits: return false
            case .done: return true
            }
        }
    }
}

/// Counts the deliveries of each notification to each device.
private final class CountingChannel: NotificationDelivery {
    let deviceTypes: Set = ["http"]
    private let counts = Mutex<[String: Int]>([:])

    var deliveries: [String: Int] { counts.withLock { $0 } }

    func reaches(_ token: PushToken) -> Bool { true }
    func announce() {}

    func deliver(
        _ notification: StoredNotification, to tokens: [PushToken]
    ) async -> [DeliveryResult] {
        for token in tokens {
            let key = "\(notification.content.id) \(token.device.deviceIdentifier)"
            counts.withLock { $0[key, default: 0] += 1 }
        }
        return tokens.map { _ in .delivered }
    }
}

/// A store that fails once.
private final class FailingStore: NotificationStore {
    private let store: any NotificationStore
    private let failingCall: Int?
    private let takesEffect: Bool
    private let count = Mutex(0)

    init(_ store: any NotificationStore, failingAt call: Int? = nil, takesEffect: Bool = false) {
        self.store = store
        failingCall = call
        self.takesEffect = takesEffect
    }

    var calls: Int { count.withLock { $0 } }

    private func call<Value>(
        _ body: () async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let number = count.withLock { count in
            defer { count += 1 }
            return count
        }
        guard number == failingCall else { return try await body() }
        if takesEffect { _ = try await body() }
        throw .busy
    }

    func register(
        _ token: PushToken, in environment: EnvironmentID, max: Int, ofGuest guest: GuestSource?
    ) async throws(StoreError) -> Bool {
        try await call { () async throws(StoreError) in
            try await store.register(token, in: environment, max: max, ofGuest: guest)
        }
    }

    func unregister(
        type: String, of device: DeviceKey, text: String?, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await call { () async throws(StoreError) in
            try await store.unregister(type: type, of: device, text: text, in: environment)
        }
    }

    func pushTokens(_ query: PushTokenQuery) async throws(StoreError) -> [HeldPushToken] {
        try await call { () async throws(StoreError) in try await store.pushTokens(query) }
    }

    func countPushTokens(
        of audience: NotificationAudience, in environment: EnvironmentID
    ) async throws(StoreError) -> [String: Int] {
        try await call { () async throws(StoreError) in
            try await store.countPushTokens(of: audience, in: environment)
        }
    }

    func add(
        _ notification: NewNotification, in environment: EnvironmentID, windowSeconds: Int64,
        keeping max: StoredAmount, waiting: @escaping @Sendable (RecentSendings) -> Int64
    ) async throws(StoreError) -> NotificationAdmission {
        try await call { () async throws(StoreError) in
            try await store.add(
                notification, in: environment, windowSeconds: windowSeconds, keeping: max,
                waiting: waiting)
        }
    }

    func lastNotification(in environment: EnvironmentID) async throws(StoreError) -> Int64 {
        try await call { () async throws(StoreError) in
            try await store.lastNotification(in: environment)
        }
    }

    func notifications(
        _ query: NotificationQuery
    ) async throws(StoreError) -> NotificationPage {
        try await call { () async throws(StoreError) in try await store.notifications(query) }
    }

    func claimNotification(
        _ claim: DeliveryClaim, in environment: EnvironmentID, sentSince moment: Instant
    ) async throws(StoreError) -> NotificationClaim {
        try await call { () async throws(StoreError) in
            try await store.claimNotification(claim, in: environment, sentSince: moment)
        }
    }

    func extendClaim(
        _ claim: DeliveryClaim, of number: Int64, through token: PushTokenKey,
        in environment: EnvironmentID
    ) async throws(StoreError) -> Bool {
        try await call { () async throws(StoreError) in
            try await store.extendClaim(claim, of: number, through: token, in: environment)
        }
    }

    func endDelivery(
        of number: Int64, by claimant: String, in environment: EnvironmentID
    ) async throws(StoreError) {
        try await call { () async throws(StoreError) in
            try await store.endDelivery(of: number, by: claimant, in: environment)
        }
    }

    func keep(
        _ token: WaitingPushToken, in environment: EnvironmentID, limits: WaitingTokenLimits
    ) async throws(StoreError) {
        try await call { () async throws(StoreError) in
            try await store.keep(token, in: environment, limits: limits)
        }
    }

    func attachTokens(
        to device: DeviceKey, deviceCategory: String, in environment: EnvironmentID,
        oldest: Instant, max: Int
    ) async throws(StoreError) {
        try await call { () async throws(StoreError) in
            try await store.attachTokens(
                to: device, deviceCategory: deviceCategory, in: environment, oldest: oldest,
                max: max)
        }
    }

    func sweepNotifications(_ request: SweepRequest) async throws(StoreError) -> Int {
        try await call { () async throws(StoreError) in
            try await store.sweepNotifications(request)
        }
    }
}
