import HTTPTypes
import Hashing
import Hummingbird
import JSON
import Notifications
import Secrets
import SyncEngine
import SyncServer
import UserAccounts

/// Push registrations, which become push tokens of the device. Templates and tags are lost.
extension AzureCall {
    private static let platforms = ["apns", "gcm", "fcmv1", "wns", "mpns"]
    private static let maxBytes = 64 << 10

    /// The second generation.
    func install() async throws -> Response {
        try await store(token: "pushChannel", id: try exchange.parameter("id"))
        return .empty()
    }

    func uninstall() async throws -> Response {
        try await remove(id: try exchange.parameter("id"))
        return .empty()
    }

    /// The first generation asks for an id, and then registers under it.
    func registrationID() async throws -> Response {
        _ = try await caller()
        // Some clients cannot take a URL apart that has no host.
        let folder = exchange.request.uri.path.dropLast("registrationids".utf8.count)
        let url = wholeURL(of: "\(folder)registrations/\(freshGuid())")
        var response = Response.empty(.created)
        response.headers[.location] = url
        return response
    }

    /// The registrations of the device, which clients ask for to renew or to forget them.
    func registrations() async throws -> Response {
        let caller = try await device(installation)
        let (platform, text) = (parameters["platform"]?.lowercased(), parameters["deviceid"])
        let tokens = try await exchange.environment.notifications.tokens(of: caller)
        let told = tokens.filter { token in
            Self.platforms.contains(token.type) && (platform ?? token.type) == token.type
                && (text ?? token.text) == token.text
        }
        let rows = told.map { token in
            JSONValue.object([
                "registrationId": .string(registrationID(of: token.device, token.type)),
                "deviceId": .string(token.text), "platform": .string(token.type),
                "tags": .array([]),
            ])
        }
        return .row(bytes: Array(JSONValue.array(rows).text.utf8))
    }

    /// The id under which the registration of a platform is told: a device has one of each.
    private func registrationID(of device: DeviceKey, _ platform: String) -> String {
        let text = [device.login, device.deviceIdentifier, platform].joined(separator: "\0")
        return guid(ofHash: SHA256.hash(Array(text.utf8)))
    }

    func register() async throws -> Response {
        try await store(token: "deviceId", id: installation)
        return .empty()
    }

    /// An id that was told stands for one platform. One from before the device had a platform
    /// stands for all of the device.
    func unregister() async throws -> Response {
        let id = try exchange.parameter("id").lowercased()
        let device = try await device(installation).device
        let own = Self.platforms.filter { registrationID(of: device, $0) == id }
        try await remove(id: installation, platforms: own.isEmpty ? Self.platforms : own)
        return .empty(.ok)
    }

    private func store(token name: String, id: String) async throws {
        let caller = try await device(id)
        let body = try await exchange.wholeBody(upTo: Self.maxBytes)
        guard let json = try? parseJSON(body), case .object(let members) = json,
            case .string(let token)? = members[name],
            case .string(let platform)? = members["platform"],
            Self.platforms.contains(platform.lowercased())
        else {
            throw AzureRefusal(
                .badRequest,
                "The body must have '\(name)', and 'platform' as one of "
                    + "\(Self.platforms.joined(separator: ", ")).")
        }
        let source = self.token == nil ? shortHash(of: exchange.context.clientAddress) : nil
        try await exchange.environment.notifications.register(
            token: token, type: platform.lowercased(), by: caller, ofGuestFrom: source,
            at: exchange.now)
    }

    private func remove(id: String, platforms: [String] = AzureCall.platforms) async throws {
        let caller = try await device(id)
        for platform in platforms {
            try await exchange.environment.notifications.unregister(type: platform, by: caller)
        }
    }

    /// The caller on the device of an installation: that of the session, or the installation's own
    /// for a guest, and for a session of a browser, which is another device at each sign-in.
    ///
    /// Guests are one user, whose devices are told apart by the ids of the installations alone: one
    /// that sends none has no device, or it would share that of all others who send none.
    private func device(_ id: String) async throws -> Caller {
        let caller = try await caller()
        let namesInstallation = id != Self.commonInstallation
        if token != nil {
            let isBrowser = SigningDevice.isBrowser(caller.deviceIdentifier)
            guard isBrowser, namesInstallation else { return caller }
        }
        guard namesInstallation else {
            throw AzureRefusal(
                .badRequest,
                "Without a sign-in, a push registration needs X-ZUMO-INSTALLATION-ID.")
        }
        try engine.engine.checkDevice(id)
        return Caller(
            asker: caller.asker, deviceIdentifier: id, isAdmin: false, moment: caller.moment)
    }
}
