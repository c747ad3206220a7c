import Hummingbird
import JSON
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Signing in.
extension AzureCall {
    private static let maxSignInBytes = 8 << 10

    /// Only the provider `custom` is served: the users of the environment with their passwords.
    func signIn() async throws -> Response {
        guard try exchange.parameter("provider").lowercased() == "custom",
            clients.accepts(key: header("X-ZUMO-APPLICATION"))
        else { throw AzureRefusal(.unauthorized, "This provider is not served: use 'custom'.") }
        let body = try await exchange.wholeBody(upTo: Self.maxSignInBytes)
        guard let json = try? parseJSON(body), case .object(let members) = json,
            case .string(let login)? = members["username"],
            case .string(let password)? = members["password"]
        else {
            throw AzureRefusal(
                .badRequest, "The body must have the texts 'username' and 'password'.")
        }
        let opened = try await exchange.host.passwords.signIn(
            Credentials(
                login: login, password: password, deviceCategory: clients.deviceCategory,
                deviceIdentifier: installation),
            to: exchange.environment.accounts, from: exchange.context.clientAddress)
        return session(login: opened.session.login, token: opened.token.text)
    }

    /// Answers the same token while it lives.
    func refresh() async throws -> Response {
        guard let token else { throw AzureRefusal(.unauthorized, Self.signInFirst) }
        return session(login: try await caller().login, token: token)
    }

    func identity() async throws -> Response {
        guard token != nil else { throw AzureRefusal(.unauthorized, Self.signInFirst) }
        let login = try await caller().login
        let identity = JSONValue.object([
            "provider_name": "custom", "user_id": .string(login), "user_claims": .array([]),
        ])
        return .row(bytes: Array(JSONValue.array([identity]).text.utf8))
    }

    func noScript() async throws -> Response {
        throw AzureRefusal(.notFound, "This server has no scripts of applications.")
    }

    private static let signInFirst = "You must be logged in to use this application"

    private func session(login: String, token: String) -> Response {
        .object([
            "user": .object(["userId": .string(login)]), "authenticationToken": .string(token),
        ])
    }
}
