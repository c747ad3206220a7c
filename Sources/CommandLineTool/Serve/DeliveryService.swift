import Logging
import Notifications
import ServiceLifecycle
import SyncEngine
import SyncServer
import Webhooks

/// Delivers notifications to push tokens while the server runs. On shutdown, it starts no further
/// delivery; the next start continues.
struct DeliveryService: Service {
    let environments: Environments
    let webhooks: WebhookDelivery
    let logger: Logger

    /// The maximum age of a notification. Older ones were missed and are no longer relevant.
    private static let freshSeconds: Int64 = 3600
    private static let pause: Duration = .seconds(1)

    func run() async throws {
        for await _ in webhooks.announcements.cancelOnGracefulShutdown() {
            if await !deliverAll() {
                try? await Task.sleep(for: Self.pause)
                webhooks.announce()
            }
        }
    }

    /// Returns false if a delivery has to be repeated.
    private func deliverAll() async -> Bool {
        var (served, isDone) = await environments.all(logging: logger)
        for environment in served {
            do {
                try await deliverAll(in: environment)
            } catch {
                logger.error(
                    "cannot deliver notifications",
                    metadata: ["environment": "\(environment.name)", "cause": "\(error)"])
                isDone = false
            }
        }
        return isDone
    }

    private func deliverAll(in environment: ServedEnvironment) async throws {
        var hasMore = true
        while hasMore, !Task.isShuttingDownGracefully, !Task.isCancelled {
            hasMore = try await environment.notifications.deliverNext(
                sentSince: .now.adding(seconds: -Self.freshSeconds), noting: note)
        }
    }

    /// Never logs the token, which is a secret.
    private func note(
        _ notification: StoredNotification, _ token: PushToken, _ result: DeliveryResult
    ) {
        var about: Logger.Metadata = [
            "notification": "\(notification.content.id)", "login": "\(token.device.login)",
            "device": "\(token.device.deviceIdentifier)", "type": "\(token.type)",
        ]
        switch result {
        case .delivered: logger.debug("notified a device", metadata: about)
        case .gone: logger.notice("a push token is gone and was deleted", metadata: about)
        case .failed(let cause):
            about["cause"] = "\(cause)"
            logger.warning("a device was not notified", metadata: about)
        }
    }
}
