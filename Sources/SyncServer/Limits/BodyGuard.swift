package import Hummingbird
import JSON
import NIOCore

/// Reads whole bodies into memory. `RequestGuard` watches their time, and counts their bytes as
/// they arrive.
package final class BodyGuard: Sendable {
    /// The maximum size of a body that is read as a whole. A wire may set a lower limit for some
    /// requests.
    package let maxBytes: Int

    init(maxBytes: Int) {
        self.maxBytes = maxBytes
    }

    /// Throws at once if the header declares too many bytes, and when the time limit passes.
    package func wholeBody(
        of request: Request, upTo maxBytes: Int, on context: ConnectionContext
    ) async throws -> [UInt8] {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let mostBytes = min(maxBytes, context.connection?.maxBytes ?? maxBytes)
        if let length, length > mostBytes { throw HTTPFailure.bodyTooLarge(maxBytes: mostBytes) }
        let bytes = try await bytes(of: request.body, upTo: maxBytes, expecting: length ?? 0)
        try makeRoom(for: bytes, on: context)
        return bytes
    }

    /// Counts the memory for the values of a body, in addition to the body.
    private func makeRoom(for bytes: [UInt8], on context: ConnectionContext) throws {
        guard bytes.count > MemoryBudget.uncountedBytes, let connection = context.connection else {
            return
        }
        let needed = parsedBytes(of: bytes)
        guard bytes.count + needed <= connection.maxBytes else {
            throw HTTPFailure.bodyTooDense(maxBytes: connection.maxBytes)
        }
        do throws(MemoryShortage) {
            try connection.take(needed)
        } catch {
            throw HTTPFailure(error)
        }
    }

    private func bytes(
        of body: RequestBody, upTo maxBytes: Int, expecting length: Int
    ) async throws -> [UInt8] {
        var chunks = body.makeAsyncIterator()
        var bytes: [UInt8] = []
        while let chunk = try await chunks.nextChunk() {
            guard bytes.count + chunk.readableBytes <= maxBytes else {
                throw HTTPFailure.bodyTooLarge(maxBytes: maxBytes)
            }
            if bytes.isEmpty && chunk.readableBytes < length { bytes.reserveCapacity(length) }
            bytes.append(contentsOf: chunk.readableBytesView)
        }
        return bytes
    }
}
