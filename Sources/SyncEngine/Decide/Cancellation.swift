import Synchronization

/// Tells a decision that nobody waits for its result any more.
///
/// A decision runs on a thread of the store, where the caller's task cannot be asked.
package final class Cancellation: Sendable {
    private let cancelled = Atomic(false)
    private let isWanted: (@Sendable () -> Bool)?

    /// `isWanted` may be called often, and from any thread.
    package init(whileWanted isWanted: (@Sendable () -> Bool)? = nil) {
        self.isWanted = isWanted
    }

    package var isCancelled: Bool {
        cancelled.load(ordering: .relaxed) || isWanted.map { !$0() } ?? false
    }

    func cancel() { cancelled.store(true, ordering: .relaxed) }
}
