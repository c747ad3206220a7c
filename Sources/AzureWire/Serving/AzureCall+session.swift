import Hummingbird
import JSON
import OpenIDConnect
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Signing in.
extension AzureCall {
    private static let maxSignInBytes = 32 << 10

    /// The provider `custom` stands for the users of the environment with their passwords. Others
    /// are those of the settings, whose ID tokens clients send.
    func signIn() async throws -> Response {
        let provider = try exchange.parameter("provider")
        try checkApplicationKey()
        let body = try await exchange.wholeBody(upTo: Self.maxSignInBytes)
        guard let json = try? parseJSON(body), case .object(let members) = json else {
            throw AzureRefusal(.unauthorized, "The body must be a JSON object.")
        }
        guard provider.lowercased() == "custom" else {
            return try await signIn(members, provider: provider)
        }
        guard case .string(let login)? = members["username"],
            case .string(let password)? = members["password"]
        else {
            throw AzureRefusal(
                .unauthorized, "The body must have the texts 'username' and 'password'.")
        }
        let opened = try await exchange.host.passwords.signIn(
            Credentials(
                login: login, password: password, deviceCategory: clients.deviceCategory,
                deviceIdentifier: installation,
                identifiesDevice: installation != Self.commonInstallation),
            to: exchange.environment.accounts, from: exchange.context.clientAddress)
        return session(login: opened.session.login, token: opened.token.text)
    }

    /// Clients without a session must send the key, if there is one.
    func checkApplicationKey() throws {
        guard clients.accepts(key: header("X-ZUMO-APPLICATION")) else {
            throw AzureRefusal(.unauthorized, "The application key is missing or wrong.")
        }
    }

    private func signIn(
        _ members: [String: JSONValue], provider: String
    ) async throws -> Response {
        guard case .string(let token)? = members["id_token"] else {
            throw AzureRefusal(
                .unauthorized,
                "This provider is not served so: send 'id_token', or use 'custom'.")
        }
        var nonce: String?
        if case .string(let text)? = members["nonce"] { nonce = text }
        return try await session {
            try await providers.signIn(
                idToken: token, nonce: nonce, of: provider, in: exchange.environment.name,
                on: device, from: exchange.context.clientAddress,
                to: exchange.environment.accounts, at: exchange.now)
        }
    }

    /// Opens a session by the code with which a browser has returned to the app.
    func signInByCode() async throws -> Response {
        try exchange.countSignInCode()
        return try await session {
            try await providers.signIn(
                code: parameters["authorization_code"] ?? "",
                verifier: parameters["code_verifier"] ?? "", on: device,
                from: exchange.context.clientAddress, to: exchange.environment.accounts,
                at: exchange.now)
        }
    }

    private var device: SigningDevice {
        SigningDevice(category: clients.deviceCategory, identifier: installation)
    }

    private func session(
        opening: () async throws -> (session: SignedIn, token: NewToken)
    ) async throws -> Response {
        do {
            let opened = try await opening()
            return session(login: opened.session.login, token: opened.token.text)
        } catch let refusal as ProviderRefusal {
            note(refusal)
            throw AzureRefusal(
                refusal.isTemporary ? .serviceUnavailable : .unauthorized,
                "\(refusal.sentence.prefix(1).uppercased())\(refusal.sentence.dropFirst()).")
        }
    }

    func note(_ refusal: ProviderRefusal) {
        exchange.note(refusedSignIn: refusal.code.rawValue, cause: refusal.loggedSentence)
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

    func nothing() async throws -> Response {
        throw AzureRefusal(.notFound, "Nothing is served at this path.")
    }

    static let signInFirst = "You must be logged in to use this application"

    private func session(login: String, token: String) -> Response {
        .object(Self.members(ofSession: token, login: login))
    }

    static func members(ofSession token: String, login: String) -> [String: JSONValue] {
        [
            "user": .object(["userId": .string(login)]), "authenticationToken": .string(token),
        ]
    }
}
