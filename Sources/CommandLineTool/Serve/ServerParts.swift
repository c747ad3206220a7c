import AdminWire
import Logging
import MailDelivery
import ServiceLifecycle
import SyncServer
import Webhooks

/// The parts that the services of a server process share.
struct ServerParts {
    let database: OpenDatabase
    let environments: Environments
    let streams: LiveStreams
    let webhooks: WebhookDelivery
    /// Nil if nothing is mailed.
    let mails: MailDesk?
    /// The designers of each draft; nil without an administration.
    let presence: DraftPresence?
    let monitors: Monitors
    let clients = ClientLog()
    let logger: Logger

    /// The services that end before the server.
    ///
    /// - Parameter schedule: The schedule of backups; nil for none.
    func helpers(by schedule: BackupSchedule?) -> [any Service] {
        var services: [any Service] = [
            DeliveryService(environments: environments, webhooks: webhooks, logger: logger),
            CommitWatch(store: database.store, logger: logger),
            FillService(
                fills: FillRun(database: database, environments: environments),
                metrics: monitors.metrics, logger: logger),
        ]
        if let listening = NotificationListenerService(
            of: database.address, streams: streams, webhooks: webhooks, presence: presence,
            logger: logger)
        {
            services.append(listening)
        }
        if let mails {
            services.append(
                MailService(desk: mails, environments: environments, logger: logger))
        }
        if let schedule {
            services.append(
                BackupService(
                    schedule: schedule, database: database.address, metrics: monitors.metrics,
                    logger: logger))
        }
        return services
    }
}
