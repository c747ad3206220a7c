import AccessPolicy
import DefinitionModel
package import JSON
package import SyncEngine

/// The number of the last notification that a listener has received.
package struct ListeningPosition: Hashable, Sendable {
    let number: Int64
}

/// A notification for a listener, with the listener's position after it.
package struct HeardNotification: Hashable, Sendable {
    package let notification: NotificationView
    /// The position after this notification, for `position(of:)`.
    package let token: String
}

/// A page of the notifications that a listener has not received.
package struct HeardPage: Sendable {
    package let notifications: [HeardNotification]
    package let position: ListeningPosition
    package let hasMore: Bool
}

extension NotificationEngine {
    /// Returns the position that a token stands for; without a token, the position after the last
    /// notification sent so far. Throws `SyncError.cursorUnreadable` or `SyncError.cursorForeign`
    /// for an invalid token.
    package func position(of token: String?) async throws(SyncError) -> ListeningPosition {
        let last = try await engine.reading { () async throws(StoreError) in
            try await store.lastNotification(in: engine.environment)
        }
        guard let token else { return ListeningPosition(number: last) }
        guard let cursor = engine.seal.value(of: token, as: ListeningCursor.self) else {
            throw .cursorUnreadable
        }
        guard cursor.instance == engine.instance, cursor.heard <= last,
            engine.epochs.contains(notification: cursor.heard, knownIn: cursor.epoch ?? 0)
        else { throw .cursorForeign }
        return ListeningPosition(number: cursor.heard)
    }

    /// Returns a token for `position(of:)`.
    package func token(of position: ListeningPosition) throws(SyncError) -> String {
        try engine.token(
            of: ListeningCursor(
                heard: position.number, instance: engine.instance, epoch: engine.epochs.current))
    }

    /// Returns a page of notifications for the caller, under their current group and role.
    package func heard(
        after position: ListeningPosition, by caller: Caller
    ) async throws(SyncError) -> HeardPage {
        let query = NotificationQuery(
            environment: engine.environment, reader: NotificationReader(caller),
            after: position.number, limit: engine.limits.heardNotifications,
            maxScanned: engine.limits.scannedNotifications)
        let page = try await engine.reading { () async throws(StoreError) in
            try await store.notifications(query)
        }
        var heard: [HeardNotification] = []
        for stored in page.notifications {
            let position = ListeningPosition(number: stored.number)
            heard.append(
                HeardNotification(
                    notification: try engine.view(of: stored), token: try token(of: position)))
        }
        return HeardPage(
            notifications: heard, position: ListeningPosition(number: page.through),
            hasMore: page.hasMore)
    }
}

/// The content of a position token. The token is sealed, because clients must not learn how many
/// notifications other users receive.
private struct ListeningCursor: Codable {
    let heard: Int64
    let instance: String
    /// Nil for a token of an earlier version of Waggle.
    let epoch: Int64?
}

extension NotificationReader {
    init(_ caller: Caller) {
        self.init(
            login: caller.asker.login, group: caller.asker.group,
            deviceCategory: caller.asker.role.deviceCategory)
    }
}

extension Engine {
    fileprivate func view(
        of stored: StoredNotification
    ) throws(SyncError) -> NotificationView {
        do {
            return try stored.view()
        } catch {
            throw .store(error)
        }
    }
}

/// A notification as it is sent to a device.
package struct NotificationView: Hashable, Sendable {
    package let id: String
    package let at: Instant
    /// The login of the sender.
    package let sender: String
    package let body: [String: JSONValue]
    /// The device to whose token it is sent; nil for a listener.
    package let device: DeviceKey?
}

extension StoredNotification {
    package func view(for device: DeviceKey? = nil) throws(StoreError) -> NotificationView {
        NotificationView(
            id: content.id, at: content.at, sender: content.sender,
            body: try JSONText.fields(content.body), device: device)
    }
}
