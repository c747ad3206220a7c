import Hummingbird
import NIOCore

/// Passes a body on in chunks as they arrive. There is no limit for the total time, but at least 64
/// KiB must arrive in each interval; see `RequestGuard`.
func streamChunks(
    of body: RequestBody, on connection: ConnectionState?,
    taking: ([UInt8]) async throws -> Void
) async throws {
    connection?.streamBody()
    var chunks = body.makeAsyncIterator()
    while let chunk = try await chunks.nextChunk() {
        try await taking([UInt8](chunk.readableBytesView))
        connection?.give(chunk.readableBytes)
    }
}

/// The chunk size for reading and writing, and the minimum progress in each interval.
package let chunkBytes = 64 << 10

extension RequestBody.AsyncIterator {
    /// A broken connection and invalid bytes are not distinguished.
    mutating func nextChunk() async throws -> ByteBuffer? {
        do {
            return try await next()
        } catch let failure as HTTPFailure {
            throw failure
        } catch {
            throw HTTPFailure.bodyBroken()
        }
    }
}
