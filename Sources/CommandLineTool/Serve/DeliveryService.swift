import Logging
import Notifications
import Secrets
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
    /// Identifies this process.
    private let claimant = freshGuid()

    /// The maximum age of a notification. Older ones were missed and are no longer relevant.
    private static let freshSeconds: Int64 = 3600
    private static let pause: Duration = .seconds(1)

    init(environments: Environments, webhooks: WebhookDelivery, logger: Logger) {
        self.environments = environments
        self.webhooks = webhooks
        self.logger = logger
    }

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
                isDone = try await deliverAll(in: environment) && isDone
            } catch {
                logger.error(
                    "cannot deliver notifications",
                    metadata: ["environment": "\(environment.name)", "cause": "\(error)"])
                isDone = false
            }
        }
        return isDone
    }

    /// Returns false if another process delivers, which may be killed.
    private func deliverAll(in environment: ServedEnvironment) async throws -> Bool {
        while !Task.isShuttingDownGracefully, !Task.isCancelled {
            let step = try await environment.notifications.deliverNext(
                sentSince: .now.adding(seconds: -Self.freshSeconds), by: claimant,
                clock: { .now }, noting: note)
            switch step {
            case .delivered: continue
            case .waits: return false
            case .done: return true
            }
        }
        return true
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
