import Archives
import Foundation
import HTTPTypes
import Hummingbird
import SyncEngine
import SyncServer
import SystemFiles

/// Converts errors to the format of the original clients. They read an error only with status 500,
/// and treat every other status as a network failure.
struct OriginalErrorMiddleware: RouterMiddleware {
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
        // The server logs and counts it, and answers in the format of this wire.
        guard !failure.mayPass else { throw failure }
        failure.log(to: context.logger)
        return try .json(WireRefusal(failure, of: error), status: .internalServerError)
    }
}

extension WireRefusal {
    /// The response to a request that reached no route, and to a temporary error. The client
    /// retries after a network failure, so temporary errors are reported as one.
    static func response(to failure: HTTPFailure) -> WholeResponse {
        .json(
            WireRefusal(failure, of: failure),
            status: failure.mayPass ? failure.status : .internalServerError)
    }
}

/// An invalid archive or multipart body is a refusal; a disk error is a server error. Other errors
/// are returned unchanged.
func translated(_ error: any Error) -> any Error {
    switch error {
    case let error as MultipartError: WireRefusal.rejected(error.description)
    case let error as ArchiveError: translated(error)
    case SystemFileError.outOfSpace: SyncError.store(.outOfSpace)
    case SystemFileError.failed(let reason): SyncError.store(.failed(reason))
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
    /// Whether another login or password could help.
    fileprivate var isAboutSigningIn: Bool {
        guard case .signIn(let error) = self else { return false }
        return switch error {
        case .wrongCredentials, .tooManyAttempts, .tokenUnknown, .roleUnknown: true
        case .deviceIdentifierIllegal: false
        }
    }
}
