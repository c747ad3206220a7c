import Foundation
package import HTTPTypes
package import Hummingbird
import NIOCore

/// A response whose body is in memory, so that it can be sent without a route.
package struct WholeResponse: Hashable, Sendable {
    package let status: HTTPResponse.Status
    package var headers: HTTPFields
    package let body: [UInt8]

    package init(status: HTTPResponse.Status, headers: HTTPFields, body: [UInt8]) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// JSON that is already encoded. Caching is forbidden.
    package static func json(
        bytes: some Sequence<UInt8>, status: HTTPResponse.Status = .ok
    ) -> WholeResponse {
        WholeResponse(status: status, headers: .json, body: Array(bytes))
    }

    /// Texts and numbers as JSON with sorted keys, which can always be encoded. Caching is
    /// forbidden.
    package static func json(
        _ value: some Encodable, status: HTTPResponse.Status
    ) -> WholeResponse {
        .json(bytes: (try? sortedJSON(value)) ?? Data(), status: status)
    }

    /// Adds headers, which replace others with the same names.
    package func adding(_ fields: HTTPFields) -> WholeResponse {
        var response = self
        for field in fields { response.headers[field.name] = field.value }
        return response
    }

    /// For a route.
    package var response: Response {
        Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}

/// JSON with sorted keys.
func sortedJSON(_ value: some Encodable) throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(value)
}

extension HTTPFields {
    /// The headers of JSON that depends on the user and the moment.
    static let json: HTTPFields = [
        .contentType: "application/json; charset=utf-8", .cacheControl: "no-store",
        .xContentTypeOptions: "nosniff",
    ]
}
