import Callbacks
import Logging
import PostgresStore
import ServiceLifecycle
import SyncServer

/// Hears of what other servers stored, and lets everybody know who listens to this one.
struct HearingService: Service {
    let listener: PostgresListener
    let streams: LiveStreams
    let callbacks: CallbackDelivery
    let logger: Logger

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
