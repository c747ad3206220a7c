#if canImport(Darwin)
    import os
#else
    import Synchronization
#endif

/// A value that one thread at a time reads or changes. On Apple's systems, `Mutex` exists from
/// iOS 18 on only, and the lock of `os` from iOS 16 on.
final class LockedValue<Value: Sendable>: Sendable {
    #if canImport(Darwin)
        private let lock: OSAllocatedUnfairLock<Value>

        init(_ value: Value) { lock = OSAllocatedUnfairLock(initialState: value) }
    #else
        private let lock: Mutex<Value>

        init(_ value: Value) { lock = Mutex(value) }
    #endif

    /// Runs `body` with the value while no other thread has it. `body` must not call this again.
    func withLock<Result: Sendable>(
        _ body: @Sendable (inout Value) throws -> Result
    ) rethrows -> Result {
        try lock.withLock { value in try body(&value) }
    }
}
