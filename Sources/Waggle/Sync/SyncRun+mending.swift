import GRDB
import SyncProtocol

/// The limits of one request. They shrink if the server does not accept that much.
struct RequestSize: Hashable, Sendable {
    /// The number of changes, and of ids to acknowledge.
    var changes = 1000

    /// The limit for the changes of a request in their stored form. By default the server accepts
    /// twice as much.
    static let maxBytes = 4 << 20

    /// Halves the size of the request; false if it cannot be smaller.
    mutating func shrink(from request: SyncRequest) -> Bool {
        let asked = max(request.changes.count, request.acknowledged.count)
        guard asked > 1 else { return false }
        changes = min(changes, asked) / 2
        return true
    }
}

extension SyncRun {
    /// Prepares the next request after the server refused one as a whole, which therefore changed
    /// nothing. Throws the failure if no other request can succeed.
    func mend(
        _ request: SyncRequest, after failure: SyncFailure, _ size: inout RequestSize
    ) async throws(SyncFailure) -> SyncSummary {
        switch failure {
        case .server(_, "cursorForeign", _), .server(_, "cursorUnreadable", _):
            // The server was restored to an earlier state: start over, and keep unsent changes.
            guard request.cursor != nil else { throw failure }
            try await stored { db in try store.set(.cursor, to: nil, db) }
            return SyncSummary()
        case .server(408, _, _) where size.shrink(from: request): return SyncSummary()
        case .server(413, let code, let message):
            if size.shrink(from: request) { return SyncSummary() }
            guard let change = request.changes.first else { throw failure }
            let cause = CauseMessage(
                code: code.isEmpty ? "bodyTooLarge" : code, message: message)
            return try await stored { db in
                try store.refuse(change.id, [cause], by: rules, db)
            }
        case .notLoggedIn, .unreachable, .wrongCredentials, .signIn, .roleUnknown, .sessionEnded,
            .busy, .server, .unexpectedAnswer, .cancelled, .database:
            throw failure
        }
    }
}
