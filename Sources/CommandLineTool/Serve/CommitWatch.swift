import Logging
import ServiceLifecycle
import SyncEngine

/// Notices commits of other processes on the database, for those who follow an environment.
///
/// Asks only for environments that somebody follows, four times a second: a row of each.
struct CommitWatch: Service {
    let store: any Store
    let logger: Logger

    private static let interval: Duration = .milliseconds(250)

    /// Logs the first error of an interruption.
    func run() async throws {
        await cancelWhenGracefulShutdown {
            var isFailing = false
            while !Task.isCancelled {
                do throws(StoreError) {
                    try await store.announceCommits()
                    isFailing = false
                } catch {
                    if !isFailing {
                        logger.error("cannot follow commits", metadata: ["cause": "\(error)"])
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
}
