import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOConcurrencyHelpers
import NIOCore
import NativeCalls
import Secrets
import SyncEngine
import SyncProtocol

/// Sending and getting the contents of files, piece by piece: no whole file is ever in memory.
extension Routes {
    @Sendable func upload(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        let wanted = try UploadRequest(
            request, guid: parameter("guid", context), freshID: freshGuid())
        try uploads.enter(caller.login)
        defer { uploads.leave(caller.login) }
        switch try await files.begin(wanted, by: caller, at: now()) {
        case .isThere(let state): return try .json(UploadMessage(state))
        case .open(let opened):
            try await receive(request.body, count: wanted.part.count, into: opened)
            // Again, since a body may take its time: what holds is what they may do now.
            let state = try await files.finish(
                opened, by: try await self.caller(of: request, context), at: now())
            return try .json(
                UploadMessage(state), status: state.isComplete ? .created : .accepted)
        }
    }

    @Sendable func uploadState(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        return try .json(
            UploadMessage(try await files.upload(of: parameter("guid", context), for: caller)))
    }

    @Sendable func download(_ request: Request, _ context: Context) async throws -> Response {
        let caller = try await caller(of: request, context)
        let file = try await files.open(parameter("guid", context), for: caller)
        var response = try Response(of: file, asked: request, context)
        if request.method == .head { response = response.createHeadResponse() }
        return response
    }

    /// What comes is kept, also when the rest does not.
    private func receive(
        _ body: RequestBody, count: Int64, into upload: OpenedUpload
    ) async throws {
        let arrived = NIOLockedValueBox<Int64>(0)
        try await pieces(of: body, within: maxBodySeconds) { piece in
            let total = arrived.withLockedValue { arrived in
                arrived += Int64(piece.count)
                return arrived
            }
            guard total <= count else { throw HTTPFailure.bodyBroken() }
            try await upload.append(piece)
        }
        guard arrived.withLockedValue({ $0 }) == count else { throw HTTPFailure.bodyBroken() }
    }
}

extension Response {
    /// The contents, or the part that was asked for, or that the asker has them already. Browsers
    /// are to save it, never to show or to run it: anybody may have uploaded anything.
    fileprivate init(
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

/// When reading fails the connection is closed, so that nobody takes what came for the whole.
private func bytes(
    of file: OpenedFile, _ range: Range<Int64>, _ context: ConnectionContext
) -> ResponseBody {
    ResponseBody(contentLength: range.count) { writer in
        var offset = range.lowerBound
        while offset < range.upperBound {
            let count = min(pieceBytes, Int(range.upperBound - offset))
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
