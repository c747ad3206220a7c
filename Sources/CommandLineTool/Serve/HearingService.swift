import Callbacks
import Logging
import PostgresStore
import ServiceLifecycle
import SyncServer

/// Listens to the notifications that other servers stored in any environment, and announces them to
/// the live streams and the callbacks of this one.
struct HearingService: Service {
    private let listener: PostgresListener
    private let streams: LiveStreams
    private let callbacks: CallbackDelivery
    private let logger: Logger

    /// Nil for a file, which one process serves.
    init?(
        of database: DatabaseAddress, streams: LiveStreams, callbacks: CallbackDelivery,
        logger: Logger
    ) {
        guard case .server(let address) = database else { return nil }
        listener = PostgresListener(address: address)
        self.streams = streams
        self.callbacks = callbacks
        self.logger = logger
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await listener.run {
                streams.announce()
                callbacks.announce()
            } failing: { error in
                logger.warning(
                    "cannot hear what other servers announce; trying again",
                    metadata: ["cause": "\(error)"])
            }
        }
    }
}
