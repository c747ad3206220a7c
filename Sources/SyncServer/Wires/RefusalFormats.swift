import HTTPTypes
package import Hummingbird
import JSON
import NIOCore

/// Writes a refusal as the clients of a wire read it. The request has no body.
package typealias RefusalFormat =
    @Sendable (_ failure: HTTPFailure, _ request: Request) -> WholeResponse

/// The formats of the wires of a server, for refusals that happen before their routes.
struct RefusalFormats: Sendable {
    /// By the first part of the paths.
    private let formats: [String: RefusalFormat]

    init(_ wires: [WireRoutes]) {
        formats = wires.reduce(into: [:]) { formats, routes in
            guard let format = routes.refusals else { return }
            for root in routes.roots { formats[root] = format }
        }
    }

    /// The refusal of a request whose body was not read; of nil if no request has arrived.
    func refusal(_ failure: HTTPFailure, of head: HTTPRequest?) -> WholeResponse {
        guard let head else { return common(failure) }
        return refusal(failure, of: Request(bodiless: head))
    }

    /// The refusal in the format of the wire at the request's path, or in the common format if
    /// there is no wire or it states no format.
    func refusal(_ failure: HTTPFailure, of request: Request) -> WholeResponse {
        guard let root = request.root, let format = formats[root] else { return common(failure) }
        return format(failure, request).adding(failure.headers)
    }

    private func common(_ failure: HTTPFailure) -> WholeResponse {
        let problem = JSONValue.object([
            "code": .string(failure.code), "message": .string(failure.sentence),
            "help": .string(failure.help),
            "details": .object(failure.details.mapValues(JSONValue.string)),
        ])
        return WholeResponse.json(bytes: problem.text.utf8, status: failure.status)
            .adding(failure.headers)
    }
}

extension Request {
    /// A request whose body is not read.
    init(bodiless head: HTTPRequest) {
        self.init(head: head, body: RequestBody(buffer: ByteBuffer()))
    }

    /// The first part of the path, by which wires are told apart.
    var root: String? { uri.path.split(separator: "/").first.map(String.init) }
}
