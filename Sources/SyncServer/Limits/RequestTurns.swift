import Queues
package import SyncEngine

/// The turns of the long reads of one request.
struct RequestTurns: ReadTurns {
    let turns: FairTurns
    let user: WaitOrigin
    let context: ConnectionContext

    func begin() async throws(StoreError) {
        guard !turns.enterIfFree(user) else { return }
        try await turns.begin(user)
        guard context.isOpen else {
            turns.leave(user)
            throw .cancelled
        }
    }

    func end() { turns.leave(user) }

    func checkGoesOn() throws(StoreError) {
        if turns.isStopping { throw .stopping }
        guard context.isOpen else { throw .cancelled }
    }
}

extension Exchange {
    /// The turns of the caller's long reads; see `Engine.taking`.
    package func turns(for caller: Caller) -> any ReadTurns {
        host.work.turns(for: caller.login, on: context, in: environment)
    }

    /// Call this between the steps of what takes long. Throws `stopping` if the server stops.
    package func checkIsServing() throws {
        if host.work.isStopping { throw HTTPFailure.stopping() }
    }

    /// The same for what is of use only to a client that waits. Throws `CancellationError` if it
    /// has gone.
    package func checkGoesOn() throws {
        try checkIsServing()
        guard context.isOpen else { throw CancellationError() }
    }

    /// Runs a push that ends when `checkGoesOn` throws. If it ended because the server stops,
    /// throws `stopping` in place of `cancelled`: a client that waits may send it again.
    package func untilStop<Value: Sendable>(
        _ push: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await push()
        } catch SyncError.store(.cancelled) {
            try checkIsServing()
            throw SyncError.store(.cancelled)
        }
    }
}
