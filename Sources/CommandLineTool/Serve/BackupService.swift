import EnvironmentCopy
import Foundation
import Logging
import ServiceLifecycle
import SyncEngine
import SyncServer

/// Makes verified backups while the server runs, and removes old ones.
struct BackupService: Service {
    let schedule: BackupSchedule
    let database: DatabaseAddress
    let metrics: ServerMetrics?
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            warnOfMisdated()
            if let latest = try? schedule.latest(at: .now) { metrics?.backedUp(at: latest) }
            var failedAt: Instant?
            while !Task.isCancelled {
                do {
                    let seconds = try schedule.secondsUntilNext(at: .now, failedAt: failedAt)
                    try await Task.sleep(for: .seconds(seconds))
                    try await backUp()
                    failedAt = nil
                } catch {
                    guard !Task.isCancelled else { return }
                    note(error)
                    failedAt = .now
                }
            }
        }
    }

    /// The clock was wrong when they were made, or is wrong now.
    private func warnOfMisdated() {
        guard let names = try? schedule.misdated(at: .now), !names.isEmpty else { return }
        logger.warning(
            "backups are dated later than now, and count as not there",
            metadata: ["files": "\(names.joined(separator: " "))"])
    }

    private func backUp() async throws {
        let moment = Instant.now
        let path = schedule.path(at: moment)
        let reports = try await Backup(of: database, to: path).run()
        metrics?.backedUp(at: moment)
        logger.notice(
            "backed up",
            metadata: [
                "file": "\(path)",
                "environments": "\(reports.map(\.name).joined(separator: " "))",
                "records": "\(reports.reduce(0) { $0 + $1.report.records })",
            ])
        await writeErasures()
        removeOld()
        noteMissing(in: reports.map(\.report))
    }

    private func writeErasures() async {
        do {
            try await schedule.writeErasures(of: database)
        } catch {
            let cause = (error as? ToolFailure)?.message ?? Disk.reason(error)
            logger.error(
                "the list of erasures cannot be written",
                metadata: ["folder": "\(schedule.folder)", "cause": "\(cause)"])
        }
    }

    /// The new backup is complete, and not made again if old ones stay.
    private func removeOld() {
        do {
            let removed = try schedule.removeOld(at: .now)
            guard !removed.isEmpty else { return }
            logger.info(
                "removed old backups", metadata: ["files": "\(removed.joined(separator: " "))"])
        } catch {
            logger.error(
                "old backups cannot be removed",
                metadata: ["folder": "\(schedule.folder)", "cause": "\(Disk.reason(error))"])
        }
    }

    /// The next attempt would lack the same contents, so there is none before its time.
    private func noteMissing(in reports: [CopyReport]) {
        let guids = reports.flatMap(\.filesWithoutContents)
        guard !guids.isEmpty else { return }
        metrics?.failedToBackUp()
        logger.error(
            "a backup lacks contents of files",
            metadata: [
                "files": "\(guids.count)", "guids": "\(guids.prefix(10).joined(separator: " "))",
            ])
    }

    private func note(_ error: any Error) {
        metrics?.failedToBackUp()
        let cause = (error as? ToolFailure)?.message ?? Disk.reason(error)
        logger.error(
            "a backup failed", metadata: ["folder": "\(schedule.folder)", "cause": "\(cause)"])
    }
}
