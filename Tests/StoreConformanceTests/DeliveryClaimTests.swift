import Notifications
import SyncEngine
import TestKit
import Testing

@Suite("One process at a time delivers notifications")
struct DeliveryClaimTests {
    private static let token = PushTokenKey(deviceIdentifier: "d", type: "http")

    @Test(arguments: stores) func eachIsClaimedUntilItsDeliveryEnds(_ kind: StoreKind) async throws
    {
        let bench = try await NotificationBench(kind)
        #expect(try await bench.claim(at: 0) == .nonePending)
        for id in ["1", "2"] { try await bench.add(id) }
        #expect(try await bench.claimed(at: 0) == "1")
        try await bench.end(2, by: "one")
        try await bench.end(1, by: "two")
        #expect(try await bench.claimed(at: 0) == "1")
        try await bench.end(1, by: "one")
        #expect(try await bench.claimed(at: 0) == "2")
        try await bench.end(2, by: "one")
        #expect(try await bench.claim(at: 0) == .nonePending)
    }

    @Test(arguments: stores) func oldOnesAreSkipped(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for (id, at) in [("1", 10), ("2", 20), ("3", 10), ("4", 30)] as [(String, Int64)] {
            try await bench.add(id, at: at)
        }
        #expect(try await bench.claimed(at: 0, sentSince: 15) == "2")
        try await bench.end(2, by: "one")
        #expect(try await bench.claimed(at: 0, sentSince: 15) == "4")
        try await bench.end(4, by: "one")
        #expect(try await bench.claim(at: 0) == .nonePending)
        try await bench.add("5", at: 5)
        #expect(try await bench.claim(at: 0, sentSince: 6) == .nonePending)
        #expect(try await bench.claim(at: 0) == .nonePending)
    }

    /// A claim lasts 30 s here. One that ends more than a minute from now is of a wrong clock.
    @Test(arguments: stores) func claimExpires(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        try await bench.add("1")
        #expect(try await bench.claimed(at: 100) == "1")
        #expect(try await bench.claim(by: "two", at: 100) == .taken)
        #expect(try await bench.claim(by: "two", at: 129) == .taken)
        #expect(try await bench.claimed(by: "two", at: 130) == "1")
        #expect(try await bench.claim(by: "one", at: 130) == .taken)
        #expect(try await bench.claim(by: "one", at: 100) == .taken)
        #expect(try await bench.claimed(by: "one", at: 99) == "1")
    }

    @Test(arguments: stores) func nextOneContinuesAtTheLastToken(_ kind: StoreKind) async throws {
        let bench = try await NotificationBench(kind)
        for id in ["1", "2"] { try await bench.add(id) }
        #expect(try await bench.claimed(at: 0) == "1")
        #expect(try await bench.extend(1, by: "one", at: 20))
        #expect(try await !bench.extend(1, by: "two", at: 20))
        #expect(try await !bench.extend(2, by: "one", at: 20))
        #expect(try await bench.claim(by: "two", at: 49) == .taken)
        #expect(try await bench.token(by: "two", at: 50) == Self.token)
        #expect(try await !bench.extend(1, by: "one", at: 50))
        try await bench.end(1, by: "one")
        #expect(try await bench.token(by: "two", at: 50) == Self.token)
        try await bench.end(1, by: "two")
        #expect(try await bench.claimed(by: "two", at: 50) == "2")
        #expect(try await bench.token(by: "two", at: 50) == nil)
    }

    @Test(arguments: stores) func environmentsAreDeliveredSeparately(_ kind: StoreKind) async throws
    {
        let bench = try await NotificationBench(kind)
        try await bench.add("1")
        #expect(try await bench.claimed(at: 0) == "1")
        let other = try await bench.store.environment("other")
        let claim = DeliveryClaim(by: "two", at: Instant(milliseconds: 0), seconds: 30)
        let found = try await bench.store.claimNotification(
            claim, in: other, sentSince: Instant(milliseconds: 0))
        #expect(found == .nonePending)
        #expect(try await bench.claim(by: "two", at: 0) == .taken)
    }
}

extension NotificationBench {
    fileprivate func claim(
        by claimant: String = "one", at seconds: Int64, sentSince moment: Int64 = 0
    ) async throws -> NotificationClaim {
        try await store.claimNotification(
            DeliveryClaim(by: claimant, at: Instant(milliseconds: 1000 * seconds), seconds: 30),
            in: environment, sentSince: Instant(milliseconds: moment))
    }

    /// The id of the claimed notification.
    fileprivate func claimed(
        by claimant: String = "one", at seconds: Int64, sentSince moment: Int64 = 0
    ) async throws -> String? {
        let claim = try await claim(by: claimant, at: seconds, sentSince: moment)
        guard case .claimed(let notification, _) = claim else { return nil }
        return notification.content.id
    }

    /// The token after which a claimed delivery goes on.
    fileprivate func token(by claimant: String, at seconds: Int64) async throws -> PushTokenKey? {
        guard case .claimed(_, let token) = try await claim(by: claimant, at: seconds) else {
            return nil
        }
        return token
    }

    fileprivate func extend(
        _ number: Int64, by claimant: String, at seconds: Int64
    ) async throws -> Bool {
        try await store.extendClaim(
            DeliveryClaim(by: claimant, at: Instant(milliseconds: 1000 * seconds), seconds: 30),
            of: number, through: PushTokenKey(deviceIdentifier: "d", type: "http"),
            in: environment)
    }

    fileprivate func end(_ number: Int64, by claimant: String) async throws {
        try await store.endDelivery(of: number, by: claimant, in: environment)
    }
}
