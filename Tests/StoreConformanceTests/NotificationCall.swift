import Notifications
import SyncEngine
import TestKit

/// Calls for push tokens and notifications.
enum NotificationCall: Sendable {
    case register(PushToken, max: Int, ofGuest: GuestSource?)
    case unregister(String, DeviceKey, text: String?)
    case keep(WaitingPushToken, oldest: Int64)
    case attach(DeviceKey, max: Int)
    case pushTokens(NotificationAudience, types: Set<String>?, after: PushTokenKey?, limit: Int)
    case count(NotificationAudience)
    /// Sent at the time of the call.
    case add(String, sender: String, NotificationAudience, wait: Int64)
    case last
    case read(NotificationReader, after: Int64, limit: Int, maxScanned: Int)
    case claim(by: String, sinceSecondsAgo: Int64)
    case extendClaim(of: Int64, by: String, PushTokenKey)
    case endDelivery(of: Int64, by: String)
    case sweep(secondsAgo: Int64, limit: Int)
}

extension NotificationCall {
    func answer(
        of store: any NotificationStore, in environment: EnvironmentID, at now: Instant
    ) async throws -> StoreAnswer {
        switch self {
        case .register(let token, let max, let guest):
            return .kept(
                try await store.register(token, in: environment, max: max, ofGuest: guest))
        case .unregister(let type, let device, let text):
            try await store.unregister(type: type, of: device, text: text, in: environment)
            return .done
        case .keep(let token, let oldest):
            try await store.keep(
                token, in: environment,
                limits: WaitingTokenLimits(
                    rows: 3, ofSource: 2, oldest: Instant(milliseconds: oldest)))
            return .done
        case .attach(let device, let max):
            try await store.attachTokens(
                to: device, deviceCategory: "mobile", in: environment,
                oldest: Instant(milliseconds: 3), max: max)
            return .done
        case .pushTokens(let audience, let types, let after, let limit):
            let held = try await store.pushTokens(
                PushTokenQuery(
                    environment: environment, audience: audience, types: types, after: after,
                    limit: limit))
            return .pushTokens(held)
        case .count(let audience):
            return .counts(try await store.countPushTokens(of: audience, in: environment))
        case .last: return .number(try await store.lastNotification(in: environment))
        case .add, .read, .claim, .extendClaim, .endDelivery, .sweep:
            return try await told(by: store, in: environment, at: now)
        }
    }

    private func told(
        by store: any NotificationStore, in environment: EnvironmentID, at now: Instant
    ) async throws -> StoreAnswer {
        switch self {
        case .add(let id, let sender, let audience, let wait):
            let notification = NewNotification(
                id: id, sender: sender, at: now, audience: audience, body: "{\"at\":\"\(id)\"}")
            return .admission(
                try await store.add(
                    notification, in: environment, windowSeconds: 60,
                    keeping: StoredAmount(rows: 9, bytes: 1 << 20)
                ) { recent in
                    recent.count < 2 ? 0 : wait + (recent.first?.seconds(since: now) ?? 0)
                })
        case .read(let reader, let after, let limit, let maxScanned):
            return .notifications(
                try await store.notifications(
                    NotificationQuery(
                        environment: environment, reader: reader, after: after, limit: limit,
                        maxScanned: maxScanned)))
        case .claim(let claimant, let seconds):
            return .claimed(
                try await store.claimNotification(
                    DeliveryClaim(by: claimant, at: now, seconds: 100), in: environment,
                    sentSince: now.adding(seconds: -seconds)))
        case .extendClaim(let number, let claimant, let token):
            return .kept(
                try await store.extendClaim(
                    DeliveryClaim(by: claimant, at: now, seconds: 100), of: number,
                    through: token, in: environment))
        case .endDelivery(let number, let claimant):
            try await store.endDelivery(of: number, by: claimant, in: environment)
            return .done
        case .sweep(let seconds, let limit):
            let request = SweepRequest(
                environment: environment, before: now.adding(seconds: -seconds), limit: limit)
            return .number(Int64(try await store.sweepNotifications(request)))
        case .register, .unregister, .keep, .attach, .pushTokens, .count, .last: return .left
        }
    }
}

private let types = ["http", "ios", "e\u{301}", "\u{E9}"]
private let devices = ["1", "2"]

extension RandomCalls {
    mutating func notificationCall(by login: String, and other: String) -> NotificationCall {
        switch random.number(in: 0..<17) {
        case 0...2:
            .register(
                token(of: login), max: random.number(in: 1...3),
                ofGuest: random.flip() ? guestSource() : nil)
        case 3:
            .unregister(
                type(), DeviceKey(login: login, deviceIdentifier: device()),
                text: random.flip() ? text() : nil)
        case 4...5:
            .pushTokens(
                audience(login, other), types: random.flip() ? Set(random.some(of: types)) : nil,
                after: random.flip()
                    ? PushTokenKey(deviceIdentifier: device(), type: type()) : nil,
                limit: random.number(in: 1...4))
        case 6: .count(audience(login, other))
        case 7...9:
            .add(
                "n\(random.number(in: 1...9))", sender: login, audience(login, other),
                wait: random.flip() ? 0 : 60)
        case 10: .last
        case 11...12: read(by: login)
        case 13...14: .keep(waitingToken(), oldest: Int64(random.number(in: 0...5)))
        case 15:
            .attach(
                DeviceKey(login: login, deviceIdentifier: device()),
                max: random.number(in: 1...3))
        default: random.flip() ? deliveryCall() : sweep()
        }
    }

    private mutating func deliveryCall() -> NotificationCall {
        let (number, claimant) = (Int64(random.number(in: 1...3)), random.flip() ? "one" : "two")
        return switch random.number(in: 0..<5) {
        case 0:
            .extendClaim(
                of: number, by: claimant,
                PushTokenKey(deviceIdentifier: device(), type: type()))
        case 1: .endDelivery(of: number, by: claimant)
        default: .claim(by: claimant, sinceSecondsAgo: Int64(random.number(in: 0...3000)))
        }
    }

    private mutating func sweep() -> NotificationCall {
        .sweep(
            secondsAgo: Int64(random.number(in: 0...3000)), limit: random.number(in: 1...2))
    }

    private mutating func read(by login: String) -> NotificationCall {
        .read(
            NotificationReader(
                login: login, group: group(), deviceCategory: category()),
            after: Int64(random.number(in: 0...6)), limit: random.number(in: 1...3),
            maxScanned: random.number(in: 1...5))
    }

    private mutating func token(of login: String) -> PushToken {
        PushToken(
            device: DeviceKey(login: login, deviceIdentifier: device()),
            deviceCategory: category(), type: type(), text: text(),
            at: Instant(milliseconds: Int64(random.number(in: 1...9))))
    }

    private mutating func waitingToken() -> WaitingPushToken {
        WaitingPushToken(
            installation: device(), type: type(), text: text(), source: source(),
            at: Instant(milliseconds: Int64(random.number(in: 1...9))))
    }

    private mutating func guestSource() -> GuestSource {
        GuestSource(hash: source(), max: random.number(in: 1...2))
    }

    private mutating func audience(_ login: String, _ other: String) -> NotificationAudience {
        let logins = random.some(of: [login, other, "nobody"])
        return NotificationAudience(
            deviceCategory: random.flip() ? category() : nil, group: random.flip() ? group() : nil,
            logins: random.flip() ? logins : nil)
    }

    private mutating func source() -> [UInt8] { [UInt8(random.number(in: 1...2))] }
    private mutating func type() -> String { random.one(of: types) ?? "" }
    private mutating func device() -> String { random.one(of: devices) ?? "" }
    private mutating func text() -> String { random.flip() ? "t" : "u" }
    private mutating func group() -> String { random.flip() ? "users" : "guests" }
    private mutating func category() -> String { random.flip() ? "mobile" : "office" }
}
