import Logging
package import Notifications
import Secrets
package import SyncEngine

extension Exchange {
    /// Sends a notification. Logs the number of tokens without a delivery, because the operator can
    /// configure one.
    package func send(
        _ draft: NotificationDraft, by caller: Caller
    ) async throws(SyncError) -> SentNotification {
        let sent = try await environment.notifications.send(
            draft, freshID: freshGuid(), by: caller, at: now)
        if !sent.unreachable.isEmpty {
            logger.notice(
                "a notification is for devices of types that nothing here delivers to",
                metadata: [
                    "environment": "\(environment.name)", "notification": "\(sent.id)",
                    "tokens": .dictionary(sent.unreachable.mapValues { "\($0)" }),
                ])
        }
        return sent
    }
}
