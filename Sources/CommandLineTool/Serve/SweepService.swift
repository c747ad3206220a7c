import Administration
import FileExchange
import Foundation
import Logging
import Notifications
import ServiceLifecycle
import SyncEngine
import SyncServer
import UserAccounts
import WholeRecordSync

/// Removes expired data from every environment, at the start and then every hour.
struct SweepService: Service {
    let environments: Environments
    let administration: any AdministrationStore & ClientStore
    let files: FileSweep
    let retention: Retention
    let logger: Logger

    private static let interval: Duration = .seconds(3600)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await sweep()
                do {
                    try await Task.sleep(for: Self.interval)
                } catch {
                    return
                }
            }
        }
    }

    /// Removes old entries of the activity log, and clients that were last seen long ago.
    private func sweepActivities() async {
        do throws(StoreError) {
            var count = 0
            var found = 1000
            while found == 1000, !Task.isCancelled {
                found = try await administration.sweepActivities(
                    before: .now.daysBefore(AdministrationLimits.activityDays), limit: 1000)
                count += found
            }
            if count > 0 {
                logger.info("removed old activities", metadata: ["count": "\(count)"])
            }
            let oldest = Instant.now.day - SeenClient.days
            while try await administration.forgetClients(seenBefore: oldest, limit: 1000) == 1000,
                !Task.isCancelled
            {}
        } catch {
            logger.error(
                "cannot sweep what belongs to the database", metadata: ["cause": "\(error)"])
        }
    }

    /// Logs errors; the next sweep tries again.
    private func sweep() async {
        await sweepActivities()
        let served = await environments.all(logging: logger).served
        if served.isEmpty { await sweepContents() }
        for environment in served {
            do {
                try await sweep(environment)
            } catch {
                logger.error(
                    "cannot sweep",
                    metadata: ["environment": "\(environment.name)", "cause": "\(error)"])
            }
        }
    }

    /// Removes contents of files when no environment is left that does so.
    private func sweepContents() async {
        do {
            let removed = try await files.removeUnused(
                before: .now.daysBefore(retention.looseFileDays))
            guard removed != FileSweepResult() else { return }
            logger.info("removed files", metadata: removed.metadata)
        } catch {
            logger.error("cannot sweep contents of files", metadata: ["cause": "\(error)"])
        }
    }

    private func sweep(_ environment: ServedEnvironment) async throws {
        var logger = logger
        logger[metadataKey: "environment"] = "\(environment.name)"
        var count = 0
        var hasMore = true
        while hasMore, !Task.isCancelled {
            let purged = try await environment.engine.sweep(
                before: .now.daysBefore(retention.deletedDays))
            count += purged.records
            hasMore = purged.hasMore
        }
        if count > 0 { logger.info("purged deleted records", metadata: ["count": "\(count)"]) }
        let outcomes = try await environment.engine.sweepOutcomes(at: .now)
        if outcomes > 0 {
            logger.info("deleted expired outcomes", metadata: ["count": "\(outcomes)"])
        }
        let devices = try await environment.accounts.forgetDevices(at: .now)
        if devices > 0 { logger.info("forgot devices", metadata: ["count": "\(devices)"]) }
        let purged = try await environment.files.sweepFiles(
            before: .now.daysBefore(retention.looseFileDays))
        if purged != FileSweepResult() {
            logger.info("removed files", metadata: purged.metadata)
        }
        let notifications = try await environment.notifications.sweep(
            before: .now.daysBefore(retention.notificationDays))
        if notifications > 0 {
            logger.info("purged notifications", metadata: ["count": "\(notifications)"])
        }
        let refusals = try await environment.tickets.sweepRefusals(
            before: .now.daysBefore(retention.refusedDays))
        if refusals > 0 {
            logger.info("purged refused data", metadata: ["count": "\(refusals)"])
        }
    }
}

extension FileSweepResult {
    fileprivate var metadata: Logger.Metadata {
        ["files": "\(files)", "contents": "\(contents)", "uploads": "\(uploads)"]
    }
}

extension Environments {
    /// The environments that can be served, and whether these are all. Logs the others.
    func all(logging logger: Logger) async -> (served: [ServedEnvironment], areAll: Bool) {
        var areAll = true
        do {
            let served = try await all { name, error in
                areAll = false
                logger.error(
                    "an environment cannot be served",
                    metadata: ["environment": "\(name)", "cause": "\(error)"])
            }
            return (served, areAll)
        } catch {
            logger.error("cannot list environments", metadata: ["cause": "\(error)"])
            return ([], false)
        }
    }
}
