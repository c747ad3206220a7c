import HTTPTypes
import Hummingbird
import MailDelivery
import OpenIDConnect
import SyncEngine
import SyncServer

/// The routes of the native wire. A route decodes the message, calls the engine, and encodes the
/// result.
struct Routes: Sendable {
    let heartbeatSeconds: Int
    let providers: SignInProviders
    /// Nil if nothing is mailed.
    let mails: MailDesk?
    let resetRequests = RequestAllowance()
    /// Counts browsers from providers. Each may make the server call its provider.
    let browserReturns = RequestAllowance(max: ProviderLimits.returnsOfAddress)

    typealias Handler = @Sendable (Exchange) async throws -> Response

    /// Paths relative to `/v1/ENVIRONMENT`.
    var table: [(path: String, handlers: [HTTPRequest.Method: Handler])] {
        [
            ("health", [.get: health]),
            ("session", [.get: ownSession, .post: signIn, .delete: signOut]),
            ("session/password", [.put: changePassword]),
            ("providers", [.get: listProviders]),
            ("sign-in", [.get: beginBrowserSignIn]),
            ("sign-in/:provider", [.get: finishBrowserSignIn]),
            ("signUp", [.post: signUp]),
            ("passwordReset", [.post: resetPassword]),
            ("reset-requests", [.post: requestReset]),
            ("sessions", [.get: ownSessions]),
            ("sessions/:device", [.delete: endOwnSession]),
            ("sync", [.post: sync]),
            ("files/:guid", [.get: download, .head: download, .put: upload]),
            ("files/:guid/upload", [.get: uploadState]),
            ("users", [.get: users, .post: addUser]),
            ("users/:login", [.patch: changeUser, .delete: removeUser]),
            ("records/:model", [.get: find]),
            ("records/:model/:guid", [.get: record]),
            ("records/:model/:guid/ownership", [.patch: reassign]),
            ("records/:model/:guid/history", [.get: history]),
            ("conflicts", [.get: conflicts, .post: resolve]),
            ("pushTokens", [.get: pushTokens]),
            ("pushTokens/:type", [.put: register, .delete: unregister]),
            ("notifications", [.post: send]),
            ("live", [.get: live]),
        ]
    }

    /// Whether a route uses the names of models and fields of the client's version.
    static func isInWordsOfVersion(_ path: String) -> Bool {
        path == "sync" || path == "conflicts" || path.hasPrefix("records/")
    }

    /// The limit in bytes for requests without a token.
    static let maxSignInBytes = 8 << 10
    /// The limit in bytes for requests that may have an ID token.
    static let maxProofBytes = 32 << 10
}
