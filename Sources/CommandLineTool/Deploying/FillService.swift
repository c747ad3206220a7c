import Logging
import ServiceLifecycle
import SyncEngine
import SyncServer

/// Gives stored records the values that deployments bring, while the server serves.
///
/// Looks for deployments every second, which reads an index that is empty but for such deployments.
struct FillService: Service {
    let fills: FillRun
    let metrics: ServerMetrics?
    let logger: Logger

    private static let interval: Duration = .seconds(1)

    func run() async throws {
        await cancelWhenGracefulShutdown {
            var failures = Failures()
            while !Task.isCancelled {
                do {
                    try await work(&failures)
                    failures.isGeneral = false
                } catch {
                    log(error, unless: failures.isGeneral)
                    failures.isGeneral = true
                }
                do {
                    try await Task.sleep(for: Self.interval)
                } catch {
                    return
                }
            }
        }
    }

    /// The fills that failed at the last attempt. A failure that lasts is logged once.
    private struct Failures {
        /// Whether no fill could be looked at.
        var isGeneral = false
        var deployments: Set<Int64> = []
    }

    private func work(_ failures: inout Failures) async throws {
        let pending = try await fills.pending()
        metrics?.setUnfinishedFills(pending.count)
        guard !pending.isEmpty, let claim = try await fills.claim() else { return }
        do {
            try await completeAll(&failures)
        } catch {
            await claim.release()
            throw error
        }
        await claim.release()
        metrics?.setUnfinishedFills(try await fills.pending().count)
    }

    /// One that fails, as on damaged data, does not hold up those of other environments.
    private func completeAll(_ failures: inout Failures) async throws {
        var failed: Set<Int64> = []
        // Another process may have gone on until it released the claim.
        for fill in try await fills.pending() {
            do {
                try await complete(fill)
            } catch {
                log(error, of: fill, unless: failures.deployments.contains(fill.deployment))
                failed.insert(fill.deployment)
            }
        }
        failures.deployments = failed
    }

    private func log(_ error: any Error, of fill: StoredFill? = nil, unless isKnown: Bool) {
        guard !isKnown, !Task.isCancelled else { return }
        var metadata: Logger.Metadata = ["cause": "\(error)"]
        if let fill {
            metadata["environment"] = "\(fill.name)"
            metadata["deployment"] = "\(fill.deployment)"
        }
        logger.error("cannot fill in the values of a deployment", metadata: metadata)
    }

    private func complete(_ stored: StoredFill) async throws {
        var fill = stored.fill
        while !fill.isDone, !Task.isCancelled {
            let next = try await fills.step(stored.with(fill))
            metrics?.filled(records: next.filled - fill.filled)
            fill = next
        }
        guard fill.isDone else { return }
        logger.notice(
            "filled in the values of a deployment",
            metadata: [
                "environment": "\(stored.name)", "deployment": "\(stored.deployment)",
                "filled": "\(fill.filled)", "unfilled": "\(fill.unfilled)",
            ])
    }
}

extension StoredFill {
    /// The same deployment with a fill that is further.
    func with(_ fill: DeploymentFill) -> StoredFill {
        StoredFill(environment: environment, name: name, deployment: deployment, fill: fill)
    }
}
