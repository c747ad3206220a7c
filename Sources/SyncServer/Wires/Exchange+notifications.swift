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
        note(sent)
        return sent
    }

    private func note(_ sent: SentNotification) {
        var metadata: Logger.Metadata = [
            "environment": "\(environment.name)", "notification": "\(sent.id)",
        ]
        switch sent.unreachable {
        case .success(let tokens):
            guard !tokens.isEmpty else { return }
            metadata["tokens"] = .dictionary(tokens.mapValues { "\($0)" })
            logger.notice(
                "a notification is for devices of types that nothing here delivers to",
                metadata: metadata)
        case .failure(let error):
            metadata["cause"] = "\(error)"
            logger.error("cannot count the push tokens of a notification", metadata: metadata)
        }
    }
}
