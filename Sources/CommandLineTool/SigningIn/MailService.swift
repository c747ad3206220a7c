import Logging
import MailDelivery
import ServiceLifecycle
import SyncEngine
import SyncServer

/// Mails what waits while the server runs.
struct MailService: Service {
    let desk: MailDesk
    let environments: Environments
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await desk.run(
                accounts: { [environments] in try await environments.named($0)?.accounts },
                at: { .now }, telling: { [logger] in note($0, logger) })
        }
    }
}

/// The log has neither address nor code.
private func note(_ event: MailDesk.Event, _ logger: Logger) {
    switch event {
    case .sent(let attempts):
        logger.info("sent a mail", metadata: ["attempts": "\(attempts)"])
    case .failed(let failure, let attempts):
        logger.error(
            "a mail was not sent",
            metadata: ["cause": "\(failure.reason)", "attempts": "\(attempts)"])
    case .unanswered(let reason):
        logger.error("a request for a reset was not answered", metadata: ["cause": "\(reason)"])
    }
}
