import Callbacks
import Logging
import ServiceLifecycle
import SyncEngine
import SyncServer

/// Tells devices with a token of what was sent in any environment, as long as the server runs. When
/// it is to stop, it goes on with nothing that it has not begun: the next start does.
struct DeliveryService: Service {
    let environments: Environments
    let callbacks: CallbackDelivery
    let logger: Logger

    /// What is older helps nobody: it could not be told in time.
    private static let freshSeconds: Int64 = 3600
    private static let pause: Duration = .seconds(1)

    func run() async throws {
        for await _ in callbacks.announcements.cancelOnGracefulShutdown() {
            if await !deliverAll() {
                try? await Task.sleep(for: Self.pause)
                callbacks.announce()
            }
        }
    }

    /// False when something has to be tried again.
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
