import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore
import SyncEngine

extension Response {
    /// A JSON response with sorted keys. Responses depend on the user and the moment, so caching is
    /// forbidden.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        .json(bytes: try sortedJSON(value), status: status)
    }

    /// JSON that is already encoded.
    package static func json(
        bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status, headers: .json,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

extension Response {
    /// A text that no cache may keep: it is written as it comes, or is of the moment.
    package static func text(of type: String, _ body: ResponseBody) -> Response {
        Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store", .xContentTypeOptions: "nosniff",
            ],
            body: body)
    }
}

extension HTTPFailure {
    /// Converts any error of a route.
    package init(_ error: any Error, request: Request) {
        switch error {
        case let failure as HTTPFailure: self = failure
        case let error as SyncError: self.init(error)
        case is CancellationError: self = .cancelled()
        case let error as HTTPError where error.status == .notFound:
            self = .pathUnknown(request.uri.path)
        case let error as any HTTPResponseError:
            self.init(
                error.status, "badRequest", "the request cannot be served",
                help: "the documentation of each wire shows what can be asked")
            cause = "\(error)"
        default: self = .unexpected(error)
        }
    }
}
