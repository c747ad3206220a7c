import Foundation
import SyncEngine

/// Runs blocking file operations on threads of their own. An operation that was started completes
/// even if its caller is cancelled.
struct BlockingThreads: Sendable {
    private let queue: OperationQueue

    init() {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, StoreError> = await withCheckedContinuation { continuation in
            queue.addOperation {
                continuation.resume(returning: Result { () throws(StoreError) in try body() })
            }
        }
        return try result.get()
    }
}
