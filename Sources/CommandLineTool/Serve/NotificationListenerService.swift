import Logging
import PostgresStore
import ServiceLifecycle
import SyncServer
import Webhooks

/// Listens to notifications from other server processes, and announces them to the live streams and
/// the webhooks of this one.
struct NotificationListenerService: Service {
    private let listener: PostgresListener
    private let streams: LiveStreams
    private let webhooks: WebhookDelivery
    private let logger: Logger

    /// Nil for an SQLite file, which only one process serves.
    init?(
        of database: DatabaseAddress, streams: LiveStreams, webhooks: WebhookDelivery,
        logger: Logger
    ) {
        guard case .server(let address) = database else { return nil }
        listener = PostgresListener(address: address)
        self.streams = streams
        self.webhooks = webhooks
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await listener.run {
                streams.announce()
                webhooks.announce()
            } failing: { error in
                logger.warning(
                    "cannot hear what other servers announce; trying again",
                    metadata: ["cause": "\(error)"])
            }
        }
    }
}
