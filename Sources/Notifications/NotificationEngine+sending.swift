import AccessPolicy
import DefinitionModel
package import JSON
package import SyncEngine

/// A notification to send. A nil condition selects everyone.
package struct NotificationDraft: Hashable, Sendable {
    /// An id that the sender chooses. Sending it again has no effect.
    package var id: String?
    /// Restricts the audience to devices of this category.
    package var deviceCategory: String?
    /// Restricts the audience to users of this group.
    package var group: String?
    /// Restricts the audience to these logins, at most `Limits.notifiedUsers`. Unknown logins are
    /// ignored.
    package var users: [String]?
    /// The body, of at most `Limits.notificationBytes` as JSON.
    package var body: [String: JSONValue]

    package init(
        id: String? = nil, deviceCategory: String? = nil, group: String? = nil,
        users: [String]? = nil, body: [String: JSONValue]
    ) {
        self.id = id
        self.deviceCategory = deviceCategory
        self.group = group
        self.users = users
        self.body = body
    }
}

/// The result of sending a notification.
package struct SentNotification: Hashable, Sendable {
    package let id: String
    /// Whether the notification was sent before. It is then not delivered again.
    package let isRepeat: Bool
    /// The number of tokens in the audience for each device type that this server does not serve.
    /// For the log; the sender receives `unreachableTold`. An error if they could not be counted:
    /// the notification is stored all the same.
    package let unreachable: Result<[String: Int], SyncError>
    /// The same for the sender. Nil if the tokens could not be counted, or if the sender is not an
    /// admin and named users, because the numbers would reveal which of them exist.
    package let unreachableTold: [String: Int]?
}

extension NotificationEngine {
    /// Stores a notification and announces it to the deliveries. Groups and device categories must
    /// be in the definition. Unknown logins are ignored without an error.
    ///
    /// `freshID` is an unused id for a draft without an id.
    package func send(
        _ draft: NotificationDraft, freshID: String, by caller: Caller, at now: Instant
    ) async throws(SyncError) -> SentNotification {
        try checkMaySend(caller)
        let notification = NewNotification(
            id: try id(of: draft) ?? freshID, sender: caller.asker.login, at: now,
            audience: try audience(of: draft), body: try body(of: draft))
        let limits = engine.limits
        let admission = try await engine.reading { () async throws(StoreError) in
            try await store.add(
                notification, in: engine.environment, windowSeconds: windowSeconds,
                keeping: StoredAmount(
                    rows: limits.notificationsOfSender, bytes: limits.notificationBytesOfSender)
            ) { waitSeconds(after: $0, at: now, max: limits.notificationsPerMinute) }
        }
        switch admission {
        case .added(let stored):
            for delivery in deliveries { delivery.announce() }
            return await sent(stored, by: caller, isRepeat: false)
        case .repeated(let stored): return await sent(stored, by: caller, isRepeat: true)
        case .wait(let seconds):
            throw .notification(
                .tooManySent(max: limits.notificationsPerMinute, retryAfterSeconds: seconds))
        case .full: throw .notification(.tooManyKept(max: limits.notificationsOfSender))
        }
    }

    /// Does not throw: a sender that is told of a failure sends the notification again.
    private func sent(
        _ stored: StoredNotification, by caller: Caller, isRepeat: Bool
    ) async -> SentNotification {
        let unreachable = await unreachableTokens(of: stored.content.audience)
        let mayKnow = caller.isAdmin || stored.content.audience.logins == nil
        var told: [String: Int]?
        if mayKnow, case .success(let counts) = unreachable { told = counts }
        return SentNotification(
            id: stored.content.id, isRepeat: isRepeat, unreachable: unreachable,
            unreachableTold: told)
    }

    private func unreachableTokens(
        of audience: NotificationAudience
    ) async -> Result<[String: Int], SyncError> {
        let served = Set(deliveries.flatMap(\.deviceTypes))
        do throws(SyncError) {
            let counts = try await engine.reading { () async throws(StoreError) in
                try await store.countPushTokens(of: audience, in: engine.environment)
            }
            return .success(counts.filter { !served.contains($0.key) })
        } catch {
            return .failure(error)
        }
    }

    private func checkMaySend(_ caller: Caller) throws(SyncError) {
        switch senders {
        case .everyone: break
        case .admins: guard caller.isAdmin else { throw .adminOnly }
        case .nobody: throw .notification(.switchedOff)
        }
    }

    private func id(of draft: NotificationDraft) throws(SyncError) -> String? {
        guard let id = draft.id else { return nil }
        guard isVisible(id, upTo: engine.limits.changeIDBytes) else {
            throw .notification(.idIllegal(maxBytes: engine.limits.changeIDBytes))
        }
        return id
    }

    private func audience(
        of draft: NotificationDraft
    ) throws(SyncError) -> NotificationAudience {
        let definition = engine.rules.definition
        if let group = draft.group,
            !definition.groups.contains(where: { $0.hasSameBytes(as: group) })
        {
            throw .notification(.groupUnknown(group, known: definition.groups))
        }
        if let category = draft.deviceCategory,
            !definition.deviceCategories.contains(where: { $0.hasSameBytes(as: category) })
        {
            throw .notification(
                .deviceCategoryUnknown(category, known: definition.deviceCategories))
        }
        let users = draft.users ?? []
        guard users.count <= engine.limits.notifiedUsers else {
            throw .notification(
                .tooManyUsers(count: users.count, max: engine.limits.notifiedUsers))
        }
        return NotificationAudience(
            deviceCategory: draft.deviceCategory, group: draft.group,
            logins: draft.users?.compactMap(Login.normalized))
    }

    private func body(of draft: NotificationDraft) throws(SyncError) -> String {
        let body = JSONValue.object(draft.body)
        guard body.isExact else { throw .notification(.unrepresentable) }
        let text = body.text
        guard text.utf8.count <= engine.limits.notificationBytes else {
            throw .notification(.tooLarge(maxBytes: engine.limits.notificationBytes))
        }
        return text
    }
}

private let windowSeconds: Int64 = 60

/// Returns the seconds until the oldest of the counted notifications is one minute old; 0 below the
/// limit.
private func waitSeconds(after recent: RecentSendings, at now: Instant, max limit: Int) -> Int64 {
    guard recent.count >= limit, let first = recent.first else { return 0 }
    return max(1, first.adding(seconds: windowSeconds).seconds(since: now))
}
