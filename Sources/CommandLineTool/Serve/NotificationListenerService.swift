import AdminWire
import Administration
import Logging
import PostgresStore
import ServiceLifecycle
import SyncEngine
import SyncServer
import Webhooks

/// Listens to notifications and to news of designers from other server processes, and announces
/// them to the live streams, the webhooks and the designers of this one.
struct NotificationListenerService: Service {
    private let listener: PostgresListener
    private let streams: LiveStreams
    private let webhooks: WebhookDelivery
    /// Nil without an administration.
    private let presence: DraftPresence?
    private let logger: Logger

    /// Nil for an SQLite file, which only one process serves.
    init?(
        of database: DatabaseAddress, streams: LiveStreams, webhooks: WebhookDelivery,
        presence: DraftPresence?, logger: Logger
    ) {
        guard case .server(let address) = database else { return nil }
        listener = PostgresListener(address: address)
        self.streams = streams
        self.webhooks = webhooks
        self.presence = presence
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await listener.run {
                streams.announce()
                webhooks.announce()
            } hearing: { (news: DesignerNews) async throws(StoreError) in
                try await presence?.hear(news)
            } failing: { error in
                logger.warning(
                    "cannot hear what other servers announce; trying again",
                    metadata: ["cause": "\(error)"])
            }
        }
    }
}
