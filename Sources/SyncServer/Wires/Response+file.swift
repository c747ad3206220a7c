package import FileExchange
import Foundation
import HTTPTypes
package import Hummingbird
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
            self.init(status: .ok, headers: headers, body: fileBody(file, 0..<file.size, context))
        case .part(let range):
            headers[.contentRange] =
                "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(file.size)"
            self.init(
                status: .partialContent, headers: headers, body: fileBody(file, range, context))
        }
    }
}
