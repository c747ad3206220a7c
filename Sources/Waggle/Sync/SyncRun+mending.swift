import GRDB
import SyncProtocol

/// How much goes into one request. It becomes less where the server does not take that much.
struct RequestSize: Hashable, Sendable {
    /// And ids to acknowledge.
    var changes = 1000

    /// Of a request's changes as they are stored; the server takes twice as many, unless it was
    /// told otherwise.
    static let maxBytes = 4 << 20

    /// Half of what was asked for; false where it cannot be less.
    mutating func shrink(from request: SyncRequest) -> Bool {
        let asked = max(request.changes.count, request.acknowledged.count)
        guard asked > 1 else { return false }
        changes = min(changes, asked) / 2
        return true
    }
}

extension SyncRun {
    /// After a request that the server refused as a whole, and which therefore changed nothing:
    /// makes sure that the next one can be taken, or throws the failure on.
    func mend(
        _ request: SyncRequest, after failure: SyncFailure, _ size: inout RequestSize
    ) async throws(SyncFailure) -> SyncSummary {
        switch failure {
        case .server(_, "cursorForeign", _), .server(_, "cursorUnreadable", _):
            // The server was put back to an earlier state: from nothing again, without losing what
            // was not sent.
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
        case .notLoggedIn, .unreachable, .wrongCredentials, .roleUnknown, .sessionEnded, .busy,
            .server, .unexpectedAnswer, .cancelled, .database:
            throw failure
        }
    }
}
