import Notifications
import SyncEngine
import SyncServer

extension OpenDatabase {
    /// Returns an engine for imports and exports. Outcomes of imports expire, and their number has
    /// no limit.
    func engine(of name: String) async throws(ToolFailure) -> Engine {
        _ = try await existingEnvironment(named: name)
        var limits = Limits()
        limits.expiringOutcomesOfUser = 1 << 40
        limits.expiringOutcomeBytesOfUser = 1 << 50
        let environments = DatabaseEnvironments(
            database: self, limits: limits, senders: .nobody, deliveries: [])
        do {
            guard let served = try await environments.load(name) else {
                throw ToolFailure(.inputAtFault, "'\(address)' has no environment '\(name)'")
            }
            return served.engine
        } catch let failure as ToolFailure {
            throw failure
        } catch let error as SyncError {
            throw ToolFailure(error, database: "\(address)")
        } catch {
            throw ToolFailure(.machineFailed, "the database failed: \(error)")
        }
    }
}
