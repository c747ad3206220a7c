package import Logging
import Secrets
package import SyncEngine

extension WireServices {
    /// Tells users something. How many devices nothing here delivers to goes to the log: whoever
    /// runs the server could mend that.
    package func send(
        _ draft: NotificationDraft, by caller: Caller, logger: Logger
    ) async throws(SyncError) -> SentNotification {
        let sent = try await notifications.send(
            draft, freshID: freshGuid(), by: caller, at: now())
        if !sent.unreachable.isEmpty {
            logger.notice(
                "a notification is for devices of types that nothing here delivers to",
                metadata: [
                    "notification": "\(sent.id)",
                    "tokens": .dictionary(sent.unreachable.mapValues { "\($0)" }),
                ])
        }
        return sent
    }
}
