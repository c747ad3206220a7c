import HTTPTypes
import Hummingbird

/// The routes of the wire, relative to the root or to `/azure/ENVIRONMENT`.
enum AzureRoutes {
    typealias Handler = @Sendable (AzureCall) async throws -> Response

    private static let rows: [HTTPRequest.Method: Handler] = [
        .get: { try await $0.rows() }, .post: { try await $0.postToTable() },
    ]

    private static let row: [HTTPRequest.Method: Handler] = [
        .get: { try await $0.row() }, .post: { try await $0.postToRow() },
        .patch: { try await $0.update() }, .put: { try await $0.update() },
        .delete: { try await $0.delete() },
    ]

    private static let provider: [HTTPRequest.Method: Handler] = [
        .get: { try await $0.beginBrowserSignIn() }, .post: { try await $0.signIn() },
    ]

    static let table: [(path: String, handlers: [HTTPRequest.Method: Handler])] =
        [
            ("tables/:table", rows), ("Tables/:table", rows),
            ("tables/:table/:id", row), ("Tables/:table/:id", row),
            (".auth/login/:provider", provider), ("login/:provider", provider),
            (".auth/login/:provider/callback", [.get: { try await $0.endBrowserSignIn() }]),
            ("login/:provider/callback", [.get: { try await $0.endBrowserSignIn() }]),
            (".auth/login/:provider/token", [.get: { try await $0.signInByCode() }]),
            ("login/:provider/token", [.get: { try await $0.signInByCode() }]),
            (".auth/login/done", [.get: { $0.signedInPage() }]),
            ("login/done", [.get: { $0.signedInPage() }]),
            (".auth/refresh", [.get: { try await $0.refresh() }]),
            (".auth/me", [.get: { try await $0.identity() }]),
            (
                "push/installations/:id",
                [.put: { try await $0.install() }, .delete: { try await $0.uninstall() }]
            ),
            // Clients write it in two ways.
            ("push/registrationids", [.post: { try await $0.registrationID() }]),
            ("push/registrationIds", [.post: { try await $0.registrationID() }]),
            ("push/registrations", [.get: { try await $0.registrations() }]),
            (
                "push/registrations/:id",
                [.put: { try await $0.register() }, .delete: { try await $0.unregister() }]
            ),
            ("api/:name", all { try await $0.noScript() }),
            ("api/:name/**", all { try await $0.noScript() }),
        ] + unserved.map { ($0, all { try await $0.nothing() }) }

    /// Paths of the same services that are not served. Their answers have the shape of the
    /// client's generation too.
    private static let unserved =
        ["tables", "Tables", "api", "login", "push", ".auth", ".auth/login", "push/installations"]
        + ["tables/:table/:id/**", "Tables/:table/:id/**", "login/:provider/**", "push/**"]
        + [".auth/login/:provider/**", ".auth/**"]

    private static func all(_ handler: @escaping Handler) -> [HTTPRequest.Method: Handler] {
        [.get: handler, .post: handler, .put: handler, .patch: handler, .delete: handler]
    }
}
