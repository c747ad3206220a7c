import AccessPolicy
import DefinitionModel
package import JSON

/// How far somebody has listened.
package struct ListeningPosition: Hashable, Sendable {
    let number: Int64
}

/// A notification for whoever listens, and where they are with it.
package struct HeardNotification: Hashable, Sendable {
    package let notification: NotificationView
    /// To go on from, by `position(of:)`.
    package let token: String
}

/// Some of what somebody has not heard yet.
package struct HeardPage: Sendable {
    package let notifications: [HeardNotification]
    package let position: ListeningPosition
    package let hasMore: Bool
}

extension NotificationEngine {
    /// Where to go on: after a notification of that token, or, without one, after whatever was sent
    /// until now.
    package func position(of token: String?) async throws(SyncError) -> ListeningPosition {
        let last = try await engine.reading { () async throws(StoreError) in
            try await ledger.lastNotification(in: engine.environment)
        }
        guard let token else { return ListeningPosition(number: last) }
        guard let cursor = engine.seal.value(of: token, as: ListeningCursor.self) else {
            throw .cursorUnreadable
        }
        guard cursor.instance == engine.instance, cursor.heard <= last else {
            throw .cursorForeign
        }
        return ListeningPosition(number: cursor.heard)
    }

    /// The text by which `position(of:)` knows it again.
    package func token(of position: ListeningPosition) throws(SyncError) -> String {
        try engine.token(
            of: ListeningCursor(heard: position.number, instance: engine.instance))
    }

    /// What is for the caller, as they are now, some at a time.
    package func heard(
        after position: ListeningPosition, by caller: Caller
    ) async throws(SyncError) -> HeardPage {
        let query = NotificationQuery(
            environment: engine.environment, reader: NotificationReader(caller),
            after: position.number, limit: engine.limits.heardNotifications,
            maxScanned: engine.limits.scannedNotifications)
        let page = try await engine.reading { () async throws(StoreError) in
            try await ledger.notifications(query)
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

/// To clients it is a text without meaning: how many notifications others get is not theirs to
/// know.
private struct ListeningCursor: Codable {
    let heard: Int64
    let instance: String
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

/// A notification as it goes out.
package struct NotificationView: Hashable, Sendable {
    package let id: String
    package let at: Instant
    /// A login.
    package let sender: String
    package let body: [String: JSONValue]
    /// The device whose token it goes to; nil for a listener.
    package let device: DeviceKey?
}

extension StoredNotification {
    package func view(for device: DeviceKey? = nil) throws(StoreError) -> NotificationView {
        NotificationView(
            id: content.id, at: content.at, sender: content.sender,
            body: try JSONText.fields(content.body), device: device)
    }
}
