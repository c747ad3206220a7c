import DefinitionModel
import Notifications
import SyncEngine
import SyncServer

extension OpenDatabase {
    /// Gives the records of an environment the values that its deployments bring, and returns what
    /// was done since `before`: all of a server's work if that is faster, since one process does so
    /// at a time.
    func completeFills(of name: String) async throws -> [StoredFill] {
        let run = FillRun(
            database: self,
            environments: Environments(
                source: DatabaseEnvironments(
                    database: self, limits: Limits(), senders: .nobody, deliveries: [])))
        let progress = Progress("filled records")
        defer { progress.end() }
        do throws(any Error) {
            let begun = try await run.pending().filter { $0.name.hasSameBytes(as: name) }
            while true {
                let open = try await run.pending().filter { $0.name.hasSameBytes(as: name) }
                guard let first = open.first else { break }
                progress.show(Int(first.fill.filled))
                guard let claim = try await run.claim() else {
                    try await Task.sleep(for: .milliseconds(200))
                    continue
                }
                try await complete(first, by: run, claim) { progress.show(Int($0.filled)) }
            }
            return try await run.stored(begun.map(\.deployment))
        } catch let error as SyncError {
            throw ToolFailure(error, database: "\(address)")
        } catch let error as StoreError {
            throw ToolFailure(error, database: "\(address)")
        }
    }

    private func complete(
        _ stored: StoredFill, by run: FillRun, _ claim: any StoreHold,
        showing show: (DeploymentFill) -> Void
    ) async throws {
        do {
            var fill = try await run.stored([stored.deployment]).first?.fill ?? stored.fill
            while !fill.isDone {
                fill = try await run.step(stored.with(fill))
                show(fill)
            }
        } catch {
            await claim.release()
            throw error
        }
        await claim.release()
    }
}

extension FillRun {
    /// The fills of deployments as they are now.
    fileprivate func stored(_ deployments: [Int64]) async throws(StoreError) -> [StoredFill] {
        try await database.store.fills().filter { deployments.contains($0.deployment) }
    }
}
