import Archives
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import SyncEngine
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
        } catch {
            return try answer(to: translated(error), of: request, context)
        }
    }

    private func answer(
        to error: any Error, of request: Request, _ context: ConnectionContext
    ) throws -> Response {
        if let refusal = error as? WireRefusal {
            return try .json(refusal, status: .internalServerError)
        }
        let failure = HTTPFailure(error, request: request)
        // What may work by itself in a while is such a network.
        guard !failure.mayPass else { throw failure }
        if let cause = failure.cause {
            context.logger.error("request failed", metadata: ["cause": "\(cause)"])
        }
        return try .json(WireRefusal(failure, of: error), status: .internalServerError)
    }
}

/// An archive or a body of parts that is at fault is a reason to refuse it; what the disk does not
/// do is the machine's. Other errors stay what they are.
func translated(_ error: any Error) -> any Error {
    switch error {
    case let error as MultipartError: WireRefusal.rejected(error.description)
    case let error as ArchiveError: translated(error)
    case CocoaError.fileWriteOutOfSpace: SyncError.store(.outOfSpace)
    default: error
    }
}

private func translated(_ error: ArchiveError) -> any Error {
    switch error {
    case .archive, .entry: WireRefusal.rejected(error.description)
    case .outOfSpace: SyncError.store(.outOfSpace)
    case .failed(let reason): SyncError.store(.failed(reason))
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
            message: "\(failure.sentence): \(failure.help)")
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
