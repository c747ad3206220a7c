package import SyncEngine
import Synchronization

/// A store in memory: the reference implementation, written to be obviously correct. The data is
/// lost with the instance.
///
/// The whole state is one value. A writer works on a copy, which replaces the state only if it
/// succeeds. Readers use the present state without waiting. There is one writer at a time, so
/// sequences are in commit order.
package final class MemoryDatabase: Store {
    private let contents = Mutex(Contents())
    /// Held by the writer while it reads, decides and writes.
    private let writer = Mutex(())

    package let commits: CommitQueue

    package init(commits limits: CommitLimits = CommitLimits()) {
        commits = CommitQueue(limits: limits)
    }

    package func checkHealth() throws(StoreError) {}

    func read() -> Contents { contents.withLock { $0 } }

    func read(_ environment: EnvironmentID) throws(StoreError) -> Environment {
        try read().environment(environment)
    }

    func write<Value: Sendable>(
        _ body: (inout Contents) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try writer.withLock { _ throws(StoreError) in
            var next = read()
            let value = try body(&next)
            contents.withLock { $0 = next }
            return value
        }
    }

    func write<Value: Sendable>(
        in id: EnvironmentID, _ body: (inout Environment) throws(StoreError) -> Value
    ) throws(StoreError) -> Value {
        try write { contents throws(StoreError) in
            var environment = try contents.environment(id)
            let value = try body(&environment)
            contents.environments[id] = environment
            return value
        }
    }
}

/// Runs `body`, and converts errors that are not of the store.
func translating<Value>(_ body: () throws -> Value) throws(StoreError) -> Value {
    do {
        return try body()
    } catch let error as StoreError {
        throw error
    } catch is CancellationError {
        throw .cancelled
    } catch {
        throw .failed("\(error)")
    }
}
