import Callbacks
import Logging
import ServiceLifecycle
import SyncEngine

/// Tells devices with a token of what was sent, as long as the server runs. When it is to stop, it
/// goes on with nothing that it has not begun: the next start does.
struct DeliveryService: Service {
    let notifications: NotificationEngine
    let callbacks: CallbackDelivery
    let logger: Logger

    /// What is older helps nobody: it could not be told in time.
    private static let freshSeconds: Int64 = 3600
    private static let pause: Duration = .seconds(1)

    func run() async throws {
        for await _ in callbacks.announcements.cancelOnGracefulShutdown() {
            do {
                try await deliverAll()
            } catch {
                logger.error("cannot deliver notifications", metadata: ["cause": "\(error)"])
                try? await Task.sleep(for: Self.pause)
                callbacks.announce()
            }
        }
    }

    private func deliverAll() async throws {
        var hasMore = true
        while hasMore, !Task.isShuttingDownGracefully, !Task.isCancelled {
            hasMore = try await notifications.deliverNext(
                sentSince: .now.adding(seconds: -Self.freshSeconds), noting: note)
        }
    }

    /// Never the token: whoever reads the log must not be able to use it.
    private func note(
        _ notification: StoredNotification, _ token: PushToken, _ result: DeliveryResult
    ) {
        var about: Logger.Metadata = [
            "notification": "\(notification.content.id)", "login": "\(token.device.login)",
            "device": "\(token.device.deviceIdentifier)", "type": "\(token.type)",
        ]
        switch result {
        case .delivered: logger.debug("told a device", metadata: about)
        case .gone: logger.notice("a push token is gone, and was dropped", metadata: about)
        case .failed(let cause):
            about["cause"] = "\(cause)"
            logger.warning("a device was not told", metadata: about)
        }
    }
}
