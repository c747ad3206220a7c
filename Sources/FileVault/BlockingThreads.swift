import Foundation
import SyncEngine
import SystemFiles

/// Runs blocking file operations on threads of their own. An operation that was started completes
/// even if its caller is cancelled.
struct BlockingThreads: Sendable {
    private let queue: OperationQueue

    init() {
        queue = OperationQueue()
        queue.maxConcurrentOperationCount = 8
    }

    func run<Value: Sendable>(
        _ body: @escaping @Sendable () throws(SystemFileError) -> Value
    ) async throws(StoreError) -> Value {
        let result: Result<Value, SystemFileError> = await withCheckedContinuation { continuation in
            queue.addOperation {
                continuation.resume(returning: Result { () throws(SystemFileError) in try body() })
            }
        }
        return try result.mapError { StoreError($0) }.get()
    }
}

extension StoreError {
    fileprivate init(_ error: SystemFileError) {
        switch error {
        case .outOfSpace: self = .outOfSpace
        case .failed(let reason): self = .failed(reason)
        }
    }
}
