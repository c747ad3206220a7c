import HTTPTypes
import Hummingbird
import SyncEngine

/// Who answers which request. Each answer is: read the message, ask the engine, write the message.
struct Routes: Sendable {
    let services: WireServices
    let streams: LiveStreams
    let environmentName: String
    let maxBodyBytes: Int
    let beatSeconds: Int

    var engine: Engine { services.engine }
    var files: FileEngine { services.files }
    var notifications: NotificationEngine { services.notifications }
    var passwords: PasswordGuard { services.passwords }
    var uploads: UploadGuard { services.uploads }
    var bodies: BodyGuard { services.bodies }
    var maxBodySeconds: Int { services.maxBodySeconds }
    var now: @Sendable () -> Instant { services.now }

    typealias Context = ConnectionContext
    typealias Answer = @Sendable (Request, Context) async throws -> Response

    /// Path to method to answer. A method that is not here is refused with those that are.
    var table: [(path: RouterPath, answers: [HTTPRequest.Method: Answer])] {
        [
            ("health", [.get: health]),
            ("v1/:environment/session", [.post: signIn, .delete: signOut]),
            ("v1/:environment/sync", [.post: sync]),
            ("v1/:environment/files/:guid", [.get: download, .head: download, .put: upload]),
            ("v1/:environment/files/:guid/upload", [.get: uploadState]),
            ("v1/:environment/users", [.get: users, .post: addUser]),
            ("v1/:environment/users/:login", [.patch: changeUser, .delete: removeUser]),
            ("v1/:environment/records/:model", [.get: find]),
            ("v1/:environment/records/:model/:guid", [.get: record]),
            ("v1/:environment/records/:model/:guid/ownership", [.patch: reassign]),
            ("v1/:environment/records/:model/:guid/history", [.get: history]),
            ("v1/:environment/conflicts", [.get: conflicts, .post: resolve]),
            ("v1/:environment/pushTokens", [.get: pushTokens]),
            ("v1/:environment/pushTokens/:type", [.put: register, .delete: unregister]),
            ("v1/:environment/notifications", [.post: send]),
            ("v1/:environment/live", [.get: live]),
        ]
    }

    func router() -> Router<Context> {
        let router = Router(context: Context.self)
        router.add(middleware: RequestLog())
        router.add(middleware: ErrorShape())
        for (path, answers) in table {
            for (method, answer) in answers { router.on(path, method: method, use: answer) }
            let allowed = answers.keys.map(\.rawValue).sorted()
            for method in Self.methods where answers[method] == nil {
                router.on(path, method: method) { _, _ -> Response in
                    throw HTTPFailure.methodNotAllowed(method.rawValue, allowed: allowed)
                }
            }
        }
        return router
    }

    /// Without a token nobody may send more.
    static let maxSignInBytes = 8 << 10

    private static let methods: [HTTPRequest.Method] = [
        .get, .head, .post, .put, .patch, .delete, .options, .trace,
    ]
}
