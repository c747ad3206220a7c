import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer

/// Converts errors to the shape of the client's generation, and lets pages of `localhost` read
/// responses if no origins are set.
struct AzureErrorMiddleware: RouterMiddleware {
    let allowsLocalPages: Bool

    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        var response = try await answer(request, context: context, next: next)
        if allowsLocalPages { response.headers.allowLocalPages(to: request.headers) }
        return response
    }

    private func answer(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let fault as QuestionFault {
            return AzureRefusal(fault).response(to: request).response
        } catch let refusal as AzureRefusal {
            return refusal.response(to: request).response
        } catch {
            let failure = HTTPFailure(error, request: request)
            failure.log(to: context.logger)
            return AzureRefusal.response(to: failure, with: error, of: request)
                .adding(failure.headers).response
        }
    }
}

extension AzureRefusal {
    /// The response to a failure, in the shape of the client's generation.
    ///
    /// - Parameter error: The error of a route; nil if the request reached none.
    static func response(
        to failure: HTTPFailure, with error: (any Error)? = nil, of request: Request
    ) -> WholeResponse {
        let refusal = AzureRefusal(
            status(of: failure, error), "\(failure.sentence): \(failure.help)")
        var response = refusal.response(to: request)
        if failure.isOfEnvironment { response.headers[.retryAfter] = "60" }
        return response
    }

    fileprivate func response(to request: Request) -> WholeResponse {
        // The headers of a request whose query is no text tell the client too.
        let parameters = (try? URLParameters(query: request.uri.query ?? "")) ?? .none
        let client = (try? ClientTraits(of: request, parameters)) ?? .unknown
        let refusal = meant(for: client)
        var response = WholeResponse(
            status: refusal.status, headers: .row(type: refusal.contentType(client.dialect)),
            body: refusal.body(client.dialect))
        if let row = refusal.row { response.headers[.eTag] = row.version.tag }
        return response
    }

    /// Clients know few statuses: a role that does not exist is like a token that does not. They
    /// take 404 for a row that is not there, and forget what they have to send: a wrong address
    /// tells them to send the same later.
    private static func status(
        of failure: HTTPFailure, _ error: (any Error)?
    ) -> HTTPResponse.Status {
        if failure.isOfEnvironment { return .serviceUnavailable }
        guard let error = error as? SyncError else { return failure.status }
        return switch error {
        case .signIn(.roleUnknown), .account(.unknown), .account(.loginIllegal): .unauthorized
        case .tooManyUnacknowledged: .serviceUnavailable
        case .find(.tooMuchToScan): .unprocessableContent
        case .signIn, .definitionChanged, .cursorUnreadable, .cursorForeign, .tooManyChanges,
            .tooManyAcknowledged, .tooMuchToRead, .tooMuchToMatch, .tooManyHiddenClashes,
            .limitOutOfRange, .find, .modelMissing, .tooManyResolutions, .adminOnly,
            .ownerMissing, .recordUnknown, .account, .file, .ticket, .notification, .store:
            failure.status
        }
    }
}

extension HTTPFailure {
    /// Whether the address leads to no environment.
    fileprivate var isOfEnvironment: Bool {
        ["environmentUnset", "environmentUnknown"].contains(code)
    }
}

extension HTTPFields {
    /// Answers as the servers of the clients did: with the origin and the headers that were asked
    /// for. Such clients send no cookies.
    mutating func allowLocalPages(to request: HTTPFields) {
        append(HTTPField(name: .vary, value: "Origin"))
        guard let origin = request[.origin], origin.isLocalOrigin else { return }
        self[.accessControlAllowOrigin] = origin
        self[.accessControlExposeHeaders] = "Link, ETag"
        guard request[.accessControlRequestMethod] != nil else { return }
        self[.accessControlAllowMethods] = "GET, PUT, PATCH, POST, DELETE, OPTIONS"
        self[.accessControlAllowHeaders] = request[.accessControlRequestHeaders]
        self[.accessControlMaxAge] = "300"
    }
}

extension String {
    /// Whether it is the origin of a page that the user's own machine serves.
    fileprivate var isLocalOrigin: Bool {
        wholeMatch(of: /https?:\/\/localhost(:[0-9]{1,5})?/) != nil
    }
}
