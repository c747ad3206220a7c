import FileExchange
import Foundation
import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer

extension UploadRequest {
    /// Reads the expected digest and the range of the uploaded part from the headers.
    init(_ request: Request, guid: String, freshID: String) throws {
        let headers = request.headers
        guard let contents = headers.reprDigest.flatMap(ContentHash.init(digest:)) else {
            throw HTTPFailure.digestMissing()
        }
        let length = headers[.contentLength].flatMap { Int64($0) }
        guard let range = headers[.contentRange] else {
            guard let length, let part = UploadPart(first: 0, count: length, total: length) else {
                throw HTTPFailure.lengthMissing()
            }
            self.init(guid: guid, contents: contents, part: part, freshID: freshID)
            return
        }
        guard let part = UploadPart(contentRange: range), length ?? part.count == part.count else {
            throw HTTPFailure.rangeUnfit()
        }
        self.init(guid: guid, contents: contents, part: part, freshID: freshID)
    }
}

extension UploadPart {
    /// `bytes FIRST-LAST/TOTAL`, or `bytes */TOTAL` to query the received length.
    fileprivate init?(contentRange text: String) {
        guard let match = text.wholeMatch(of: /(?i:bytes) +(?:([0-9]+)-([0-9]+)|\*)\/([0-9]+)/),
            let total = Int64(match.3)
        else { return nil }
        guard let first = match.1, let last = match.2 else {
            self.init(first: nil, count: 0, total: total)
            return
        }
        guard let first = Int64(first), let last = Int64(last), first <= last, last < total else {
            return nil
        }
        self.init(first: first, count: last - first + 1, total: total)
    }
}

extension ContentHash {
    /// `sha-256=:BASE64:`, possibly among digests of other algorithms (RFC 9530).
    fileprivate init?(digest text: String) {
        let own = text.split(separator: ",", maxSplits: 16).lazy
            .compactMap { $0.wholeMatch(of: /\s*sha-256=:([A-Za-z0-9+\/=]+):\s*/) }
            .compactMap { Data(base64Encoded: String($0.1)) }
        guard let bytes = own.first else { return nil }
        self.init(bytes)
    }
}
