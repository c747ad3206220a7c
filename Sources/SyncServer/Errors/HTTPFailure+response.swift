import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore
import SyncEngine
import SyncProtocol

extension Response {
    /// A JSON response with sorted keys. Responses depend on the user and the moment, so caching is
    /// forbidden.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok
    ) throws -> Response {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .json(bytes: try encoder.encode(value), status: status)
    }

    /// JSON that is already encoded.
    package static func json(
        bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok
    ) -> Response {
        Response(
            status: status,
            headers: [
                .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
                .xContentTypeOptions: "nosniff",
            ],
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

extension ErrorMessage {
    /// The common shape of errors. Wires of other products have their own.
    init(_ failure: HTTPFailure) {
        self.init(
            code: failure.code, message: failure.sentence, help: failure.help,
            details: failure.details)
    }
}

extension HTTPFailure {
    func response() throws -> Response {
        var response = try Response.json(ErrorMessage(self), status: status)
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension HTTPFailure {
    /// Converts any error to the common error format.
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
                help: "the Wire page of the documentation shows what can be asked")
            cause = "\(error)"
        default: self = .unexpected(error)
        }
    }
}
