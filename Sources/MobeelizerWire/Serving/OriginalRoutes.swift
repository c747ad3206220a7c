import HTTPTypes
import Hummingbird
import NIOCore
import SyncEngine
import SyncServer

/// The routes of the original clients.
struct OriginalRoutes: Sendable {
    let versions: ServedVersionsCache
    let sessions: OpenSessions
    let folder: TransferFolder
    let limits: WireLimits

    typealias Handler =
        @Sendable (_ exchange: Exchange, _ client: SignedInClient) async throws -> Response

    var table: [(method: HTTPRequest.Method, path: String, handler: Handler)] {
        [
            (.get, "authenticate", authenticate),
            (.post, "synchronize", synchronize),
            (.post, "synchronizeAll", synchronizeAll),
            (.get, "checkStatus", checkStatus),
            (.get, "data", data),
            (.post, "confirm", confirm),
            (.get, "conflictHistory", conflictHistory),
            (.get, "client/user/groups", groups),
            (.get, "client/user/list", users),
            (.get, "client/user/get", user),
            (.post, "client/user/create", createUser),
            (.post, "client/user/update", updateUser),
            (.post, "client/user/delete", deleteUser),
            (.post, "registerPushToken", registerPushToken),
            (.post, "unregisterPushToken", unregisterPushToken),
            (.post, "push", push),
        ]
    }

    /// A parameter of the URL's query, which may not be empty.
    func parameter(_ name: String, of request: Request) throws(WireRefusal) -> String {
        guard let value = try optionalParameter(name, of: request), !value.isEmpty else {
            throw .parameterMissing(name)
        }
        return value
    }

    /// A parameter of the URL's query; nil if it is absent.
    func optionalParameter(_ name: String, of request: Request) throws(WireRefusal) -> String? {
        do {
            return try request.queryValue(name)
        } catch {
            throw .parameterIllegible(name)
        }
    }
}

extension Response {
    /// Plain text: clients expect tickets without quotation marks.
    static func text(_ text: String) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}
