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
            var isFailing = false
            while !Task.isCancelled {
                do {
                    try await work()
                    isFailing = false
                } catch {
                    if !isFailing, !Task.isCancelled {
                        logger.error(
                            "cannot fill in the values of a deployment",
                            metadata: ["cause": "\(error)"])
                    }
                    isFailing = true
                }
                do {
                    try await Task.sleep(for: Self.interval)
                } catch {
                    return
                }
            }
        }
    }

    private func work() async throws {
        let pending = try await fills.pending()
        metrics?.setUnfinishedFills(pending.count)
        guard !pending.isEmpty, let claim = try await fills.claim() else { return }
        do {
            // Another process may have gone on until it released the claim.
            for fill in try await fills.pending() { try await complete(fill) }
        } catch {
            await claim.release()
            throw error
        }
        await claim.release()
        metrics?.setUnfinishedFills(try await fills.pending().count)
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
