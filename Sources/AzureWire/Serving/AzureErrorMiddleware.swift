import HTTPTypes
import Hummingbird
import Logging
import SyncEngine
import SyncServer

/// Converts errors to the shape of the client's generation.
struct AzureErrorMiddleware: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let fault as QuestionFault {
            return answer(AzureRefusal(fault), to: request)
        } catch let refusal as AzureRefusal {
            return answer(refusal, to: request)
        } catch {
            let failure = HTTPFailure(error, request: request)
            if let cause = failure.cause {
                context.logger.error("request failed", metadata: ["cause": "\(cause)"])
            }
            let refusal = AzureRefusal(
                status(of: failure, error), "\(failure.sentence): \(failure.help)")
            var response = answer(refusal, to: request)
            for field in failure.headers { response.headers[field.name] = field.value }
            return response
        }
    }

    private func answer(_ refusal: AzureRefusal, to request: Request) -> Response {
        var client = ClientTraits.unknown
        if let parameters = try? URLParameters(query: request.uri.query ?? ""),
            let traits = try? ClientTraits(of: request, parameters)
        {
            client = traits
        }
        let refusal = refusal.meant(for: client)
        var response = Response.row(
            bytes: refusal.body(client.dialect), status: refusal.status,
            type: refusal.contentType(client.dialect))
        if let row = refusal.row { response.headers[.eTag] = row.version.tag }
        return response
    }

    /// Clients know few statuses: a role that does not exist is like a token that does not.
    private func status(of failure: HTTPFailure, _ error: any Error) -> HTTPResponse.Status {
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
