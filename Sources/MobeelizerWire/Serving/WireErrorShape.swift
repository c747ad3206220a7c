import HTTPTypes
import Hummingbird
import Logging
import SyncEngine
import SyncProtocol
import SyncServer

/// Turns whatever is thrown into what the original clients can show: they read an error only where
/// the status is 500, and take every other one for a network that does not work.
struct WireErrorShape: RouterMiddleware {
    func handle(
        _ request: Request, context: ConnectionContext,
        next: (Request, ConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let refusal as WireRefusal {
            return try .json(refusal, status: .internalServerError)
        } catch {
            let failure = HTTPFailure(error, request: request)
            // What may work by itself in a while is such a network.
            guard !failure.mayPass else { throw failure }
            if let cause = failure.cause {
                context.logger.error("request failed", metadata: ["cause": "\(cause)"])
            }
            return try .json(WireRefusal(failure, of: error), status: .internalServerError)
        }
    }
}

extension HTTPFailure {
    fileprivate var mayPass: Bool {
        [.serviceUnavailable, .requestTimeout, .tooManyRequests].contains(status)
            || status.code == 507
    }
}

extension WireRefusal {
    fileprivate init(_ failure: HTTPFailure, of error: any Error) {
        self.init(
            code: (error as? SyncError)?.isAboutSigningIn == true ? .authenticationFailure : .other,
            message: "\(failure.message.message): \(failure.message.help)")
    }
}

extension SyncError {
    /// Whether another login or password would help.
    fileprivate var isAboutSigningIn: Bool {
        guard case .signIn(let error) = self else { return false }
        return switch error {
        case .wrongCredentials, .tooManyAttempts, .tokenUnknown, .roleUnknown: true
        case .deviceIdentifierIllegal: false
        }
    }
}
