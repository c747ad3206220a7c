package import FileExchange
import Foundation
import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import SyncEngine

extension Response {
    /// The contents, a range of them, or 304. The headers make browsers save the file, never
    /// display or run it: its contents are untrusted.
    package init(
        of file: OpenedFile, asked request: Request, _ context: ConnectionContext
    ) throws {
        let tag = "\"\(file.contents.hex)\""
        var headers: HTTPFields = [
            .acceptRanges: "bytes", .cacheControl: "no-store", .eTag: tag,
            .contentDisposition: "attachment", .contentType: "application/octet-stream",
            .contentSecurityPolicy: "default-src 'none'; sandbox",
            .xContentTypeOptions: "nosniff",
        ]
        headers.reprDigest = "sha-256=:\(Data(file.contents.bytes).base64EncodedString()):"
        if request.headers[.ifNoneMatch].map({ isMatch(tag, in: $0) }) ?? false {
            self.init(status: .notModified, headers: headers)
            return
        }
        switch try RequestedRange(of: request, tag: tag, size: file.size) {
        case .whole:
            self.init(status: .ok, headers: headers, body: bytes(of: file, 0..<file.size, context))
        case .part(let range):
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            self.init(
                status: .partialContent, headers: headers, body: bytes(of: file, range, context))
        }
    }
}

/// If reading fails, the connection is closed, so that the client notices the incomplete body.
private func bytes(
    of file: OpenedFile, _ range: Range<Int64>, _ context: ConnectionContext
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
