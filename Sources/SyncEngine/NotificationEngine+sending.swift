import AccessPolicy
import DefinitionModel
package import SyncProtocol

/// What sending a notification gives.
package struct SentNotification: Hashable, Sendable {
    package let id: String
    /// Whether it was sent before; then nobody is told again.
    package let isRepeat: Bool
    /// By device type, how many tokens it is for, where this server has no delivery to that type.
    /// For the log; the sender is told `unreachableTold`.
    package let unreachable: [String: Int]
    /// The same; nil where it would tell somebody who is no admin which of the named users there
    /// are.
    package let unreachableTold: [String: Int]?
}

extension NotificationEngine {
    /// Keeps a notification, and lets the deliveries know. Groups and device categories must be
    /// those of the definition; a login that there is not gets nothing, and nobody is told so.
    ///
    /// `freshID` is one that no other has, for a request without its own.
    package func send(
        _ request: NotificationRequest, freshID: String, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> SentNotification {
        try checkMaySend(caller)
        let notification = NewNotification(
            id: try id(of: request) ?? freshID, sender: caller.asker.login, at: now,
            audience: try audience(of: request), body: try body(of: request))
        let limits = engine.limits
        let admission = try await engine.reading { () async throws(StoreError) in
            try await ledger.add(
                notification, in: engine.environment, windowSeconds: windowSeconds
            ) { waitSeconds(after: $0, at: now, max: limits.notificationsPerMinute) }
        }
        switch admission {
        case .added(let stored):
            for delivery in deliveries { delivery.announce() }
            return try await sent(stored, by: caller, isRepeat: false)
        case .repeated(let stored): return try await sent(stored, by: caller, isRepeat: true)
        case .wait(let seconds):
            throw .notification(
                .tooManySent(max: limits.notificationsPerMinute, retryAfterSeconds: seconds))
        }
    }

    private func sent(
        _ stored: StoredNotification, by caller: Caller, isRepeat: Bool
    ) async throws(SyncError) -> SentNotification {
        let counts = try await engine.reading { () async throws(StoreError) in
            try await ledger.countPushTokens(
                of: stored.content.audience, in: engine.environment)
        }
        let served = Set(deliveries.flatMap(\.deviceTypes))
        let unreachable = counts.filter { !served.contains($0.key) }
        let mayKnow = caller.isAdmin || stored.content.audience.logins == nil
        return SentNotification(
            id: stored.content.id, isRepeat: isRepeat, unreachable: unreachable,
            unreachableTold: mayKnow ? unreachable : nil)
    }

    private func checkMaySend(_ caller: Caller) throws(SyncError) {
        switch senders {
        case .everyone: break
        case .admins: guard caller.isAdmin else { throw .adminOnly }
        case .nobody: throw .notification(.switchedOff)
        }
    }

    private func id(of request: NotificationRequest) throws(SyncError) -> String? {
        guard let id = request.id else { return nil }
        guard isVisible(id, upTo: engine.limits.changeIDBytes) else {
            throw .notification(.idIllegal(maxBytes: engine.limits.changeIDBytes))
        }
        return id
    }

    private func audience(
        of request: NotificationRequest
    ) throws(SyncError) -> NotificationAudience {
        let definition = engine.rules.definition
        if let group = request.group,
            !definition.groups.contains(where: { $0.hasSameBytes(as: group) })
        {
            throw .notification(.groupUnknown(group, known: definition.groups))
        }
        if let category = request.deviceCategory,
            !definition.deviceCategories.contains(where: { $0.hasSameBytes(as: category) })
        {
            throw .notification(
                .deviceCategoryUnknown(category, known: definition.deviceCategories))
        }
        let users = request.users ?? []
        guard users.count <= engine.limits.notifiedUsers else {
            throw .notification(
                .tooManyUsers(count: users.count, max: engine.limits.notifiedUsers))
        }
        return NotificationAudience(
            deviceCategory: request.deviceCategory, group: request.group,
            logins: request.users?.compactMap(Login.normalized))
    }

    private func body(of request: NotificationRequest) throws(SyncError) -> String {
        let body = JSONValue.object(request.notification)
        guard body.isExact else { throw .notification(.unrepresentable) }
        let text = body.text
        guard text.utf8.count <= engine.limits.notificationBytes else {
            throw .notification(.tooLarge(maxBytes: engine.limits.notificationBytes))
        }
        return text
    }
}

private let windowSeconds: Int64 = 60

/// Until the first of as many as one may send is a minute old.
private func waitSeconds(after recent: RecentSendings, at now: Instant, max limit: Int) -> Int64 {
    guard recent.count >= limit, let first = recent.first else { return 0 }
    return max(1, first.adding(seconds: windowSeconds).seconds(since: now))
}
