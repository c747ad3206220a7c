import Foundation
import Logging
import ServiceLifecycle
import SyncEngine

/// Sweeps away what was deleted long ago, when the server starts and every hour from then on.
struct SweepService: Service {
    let engine: Engine
    let files: FileEngine
    let notifications: NotificationEngine
    let keepDeletedDays: Int
    let keepLooseFileDays: Int
    let keepNotificationDays: Int
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

    /// A failure is for the log, and for the next hour: nobody waits for this.
    private func sweep() async {
        do {
            var count = 0
            var hasMore = true
            while hasMore, !Task.isCancelled {
                let swept = try await engine.sweep(before: .now.daysBefore(keepDeletedDays))
                count += swept.records
                hasMore = swept.hasMore
            }
            if count > 0 { logger.info("forgot deleted records", metadata: ["count": "\(count)"]) }
            let swept = try await files.sweepFiles(before: .now.daysBefore(keepLooseFileDays))
            if swept != SweptFiles() {
                logger.info(
                    "removed files",
                    metadata: [
                        "files": "\(swept.files)", "contents": "\(swept.contents)",
                        "uploads": "\(swept.uploads)",
                    ])
            }
            let told = try await notifications.sweep(before: .now.daysBefore(keepNotificationDays))
            if told > 0 { logger.info("forgot notifications", metadata: ["count": "\(told)"]) }
        } catch {
            logger.error("cannot sweep", metadata: ["cause": "\(error)"])
        }
    }
}
