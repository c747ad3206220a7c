import AccessPolicy
import DefinitionModel
package import SyncProtocol

/// How far somebody has listened.
package struct ListeningPosition: Hashable, Sendable {
    let number: Int64
}

/// A notification for whoever listens, and where they are with it.
package struct HeardNotification: Hashable, Sendable {
    package let message: NotificationMessage
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
                    message: try engine.message(stored), token: try token(of: position)))
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
    fileprivate func message(
        _ stored: StoredNotification
    ) throws(SyncError) -> NotificationMessage {
        do {
            return try stored.message()
        } catch {
            throw .store(error)
        }
    }
}

extension StoredNotification {
    /// As it goes out; to a token with the device it is of.
    package func message(for device: DeviceKey? = nil) throws(StoreError) -> NotificationMessage {
        NotificationMessage(
            id: content.id, at: content.at.milliseconds, sender: content.sender,
            notification: try JSONText.fields(content.body), login: device?.login,
            deviceIdentifier: device?.deviceIdentifier)
    }
}
