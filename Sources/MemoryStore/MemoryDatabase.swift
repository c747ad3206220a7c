package import SyncEngine
import Synchronization

/// The reference: what a store has to do, written to be seen to be right. It forgets everything
/// when it goes.
///
/// All that it holds is one value. Who writes works on a copy, which takes the value's place when
/// all went well, so nothing is ever half done. Who reads looks at the value as it is, and waits
/// for nobody. One writes at a time, so sequences are in commit order by themselves.
package final class MemoryDatabase: Store {
    private let contents = Mutex(Contents())
    /// Held by the one who writes, from before the reading until after the writing.
    private let writer = Mutex(())

    package let commits = CommitQueue()

    package init() {}

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
