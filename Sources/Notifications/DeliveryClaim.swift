import DefinitionModel
package import SyncEngine

/// A process's claim on the delivery of notifications. It expires, so that another process takes
/// over from one that was killed.
package struct DeliveryClaim: Hashable, Sendable {
    /// Identifies the process.
    package let claimant: String
    package let now: Instant
    package let seconds: Int64

    package init(by claimant: String, at now: Instant, seconds: Int64) {
        self.claimant = claimant
        self.now = now
        self.seconds = seconds
    }

    package var expiresAt: Instant { now.adding(seconds: seconds) }

    /// Whether the delivery of another process keeps this claim out. Clocks differ between
    /// machines: a delivery that expires much later than this claim is of a wrong clock, and does
    /// not count.
    package func yields(to delivery: ClaimedDelivery?) -> Bool {
        guard let delivery, !delivery.claimant.hasSameBytes(as: claimant) else { return false }
        return delivery.expiresAt > now && delivery.expiresAt <= expiresAt.adding(seconds: seconds)
    }
}

/// The delivery of a notification that a process has claimed. An environment has one at most.
package struct ClaimedDelivery: Hashable, Sendable {
    /// The number of the notification.
    package let number: Int64
    package let claimant: String
    package var expiresAt: Instant
    /// The last push token that the notification was delivered to; nil at the beginning.
    package var token: PushTokenKey?

    package init(number: Int64, claimant: String, expiresAt: Instant, token: PushTokenKey?) {
        self.number = number
        self.claimant = claimant
        self.expiresAt = expiresAt
        self.token = token
    }

    /// Claims a notification, at the push token that the present delivery has reached.
    package init(of number: Int64, by claim: DeliveryClaim, after present: ClaimedDelivery?) {
        self.init(
            number: number, claimant: claim.claimant, expiresAt: claim.expiresAt,
            token: present.flatMap { $0.number == number ? $0.token : nil })
    }

    package func isOf(_ number: Int64, by claimant: String) -> Bool {
        self.number == number && self.claimant.hasSameBytes(as: claimant)
    }
}

/// The result of claiming a notification.
package enum NotificationClaim: Hashable, Sendable {
    /// The notification, and the last push token that an earlier claim has delivered it to.
    case claimed(StoredNotification, after: PushTokenKey?)
    /// Another process delivers.
    case taken
    case nonePending
}
