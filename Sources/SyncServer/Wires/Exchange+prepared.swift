package import ChangeRules
package import SyncEngine

extension Exchange {
    /// Translates and checks changes before they are pushed; see `WordedEngine.prepared`. Each wire
    /// whose clients know no versions pushes what this returns.
    ///
    /// - Parameters:
    ///   - bytes: The size of the body that the changes come from.
    ///   - caller: Their author.
    package func prepared(
        _ changes: [Change], ofBody bytes: Int, in engine: WordedEngine, by caller: Caller
    ) async throws -> PreparedChanges {
        let now = now
        return try await checking(ofBody: bytes, by: engine.engine, for: caller) { isWanted in
            try engine.prepared(changes, by: caller, at: now, whileWanted: isWanted)
        }
    }

    /// Runs `body`, which makes changes of what a client has sent, and checks them: at once if that
    /// takes little, otherwise as `compute` does. The patterns see each character at most once.
    ///
    /// - Parameter body: Gets whether the client still waits, to be asked between changes.
    package func checking<Value: Sendable>(
        ofBody bytes: Int, by engine: Engine, for caller: Caller,
        _ body: @escaping @Sendable (_ isWanted: @escaping @Sendable () -> Bool) throws -> Value
    ) async throws -> Value {
        guard WorkPool.takesLong(toCheck: bytes, by: engine) else { return try body { true } }
        let context = context
        return try await compute(for: caller) { try body { context.isOpen } }
    }

    /// Runs what takes as long as a body is large: at once for a small one, otherwise as `compute`
    /// does.
    package func compute<Value: Sendable>(
        ofBody bytes: Int, for caller: Caller, _ body: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        guard bytes > WorkPool.smallBodyBytes else { return try body() }
        return try await compute(for: caller, body)
    }
}
