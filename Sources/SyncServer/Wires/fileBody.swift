package import FileExchange
package import Hummingbird
import Logging
import NIOCore
import SyncEngine

/// A part of a file as a body of a response, in chunks. If reading fails, the connection is closed,
/// so that the client notices the incomplete body.
package func fileBody(
    _ file: OpenedFile, _ range: Range<Int64>, _ context: ConnectionContext
) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(chunkBytes, Int(range.upperBound - offset))
            let bytes = try await read(file, count, at: offset, context.logger)
            try await writer.write(ByteBuffer(bytes: bytes))
            try await context.pace()
            offset += Int64(bytes.count)
        }
        try await writer.finish(nil)
    }
}

private func read(
    _ file: OpenedFile, _ count: Int, at offset: Int64, _ logger: Logger
) async throws -> [UInt8] {
    do {
        return try await file.read(count, at: offset)
    } catch {
        logger.error("a download failed", metadata: ["cause": "\(error)"])
        throw error
    }
}
