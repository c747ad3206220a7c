import Hummingbird
import NIOConcurrencyHelpers
import NIOCore

/// Passes a body on in chunks as they arrive. There is no limit for the total time, but at least 64
/// KiB must arrive in each interval of `seconds`.
func streamChunks(
    of body: RequestBody, within seconds: Int,
    taking: @escaping @Sendable ([UInt8]) async throws -> Void
) async throws {
    let arrived = NIOLockedValueBox<Int64>(0)
    try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask {
            var chunks = body.makeAsyncIterator()
            while let chunk = try await chunks.nextChunk() {
                arrived.withLockedValue { $0 += Int64(chunk.readableBytes) }
                try await taking([UInt8](chunk.readableBytesView))
            }
        }
        group.addTask {
            var before: Int64 = 0
            while true {
                try await Task.sleep(for: .seconds(seconds))
                let now = arrived.withLockedValue { $0 }
                guard now - before >= Int64(chunkBytes) else {
                    throw HTTPFailure.uploadTooSlow(seconds: seconds, bytes: chunkBytes)
                }
                before = now
            }
        }
        defer { group.cancelAll() }
        try await group.next()
    }
}

/// The chunk size for reading and writing, and the minimum progress in each interval.
package let chunkBytes = 64 << 10

extension RequestBody.AsyncIterator {
    /// A broken connection and invalid bytes are not distinguished.
    fileprivate mutating func nextChunk() async throws -> ByteBuffer? {
        do {
            return try await next()
        } catch {
            throw HTTPFailure.bodyBroken()
        }
    }
}
