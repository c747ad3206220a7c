import Administration
import DefinitionModel
import Hummingbird
import JSON
import Notifications
import SyncEngine
import SyncServer
import UserAccounts

/// Sessions, failed sign-ins and push tokens of users.
extension AdminExchange {
    func listSessions() async throws -> Response {
        let login = try context.pathPart("login")
        let sessions = try await withUsers { users throws(AccountError) in
            try await users.sessions(of: login, at: now)
        }
        let seen = try await lastSeen(sessions.map(\.deviceIdentifier))
        return .json(.array(sessions.map { .object($0.members(lastSeen: seen)) }))
    }

    /// The devices of all users, by login, device and category.
    func listDevices() async throws -> Response {
        let page = try AdminPage(request, most: AdministrationLimits.devicesPage)
        let query = SignedInQuery(
            environment: try await environment().state.id, at: now,
            search: try request.queryValue("search") ?? "",
            after: try page.next.map(SignedInDevice.ListPosition.init(text:)) ?? .start,
            limit: page.limit)
        let found = try await storing { () async throws(StoreError) in
            try await desk.store.signedInDevices(query)
        }
        let seen = try await lastSeen(found.map(\.place.identifier))
        return page.answer(found.map { (.object($0.members(lastSeen: seen)), $0.place.text) })
    }

    /// The beginnings of the last days on which devices with these identifiers were seen, for a
    /// JSON answer; null for those that were not.
    private func lastSeen(_ identifiers: [String]) async throws -> (String) -> JSONValue {
        let devices = identifiers.map { SeenClient.device(withIdentifier: $0) }
        let days = try await lastDays(of: Set(devices))
        return { identifier in
            days[SeenClient.device(withIdentifier: identifier)].map {
                .integer(Instant(day: $0).milliseconds)
            } ?? .null
        }
    }

    /// The last days on which devices were seen, by any process of the database, and by this one
    /// also those that it has yet to store.
    private func lastDays(of devices: Set<[UInt8]>) async throws -> [[UInt8]: Int64] {
        let id = try await environment().state.id
        let stored = try await storing { () async throws(StoreError) in
            try await desk.store.lastDays(ofDevices: devices, in: id)
        }
        return host.clients.waiting(in: id).filter { devices.contains($0.device) }
            .reduce(into: stored) { days, client in
                days[client.device] = max(days[client.device] ?? client.day, client.day)
            }
    }

    func endSessions() async throws -> Response {
        let login = try context.pathPart("login")
        try await log(target: login)
        try await withUsers { users throws(AccountError) in
            try await users.endSessions(of: login)
        }
        return Response(status: .noContent)
    }

    /// Ends the sessions on one device.
    func endSession() async throws -> Response {
        let (login, device) = (try context.pathPart("login"), try context.pathPart("device"))
        try await log(target: "\(login) \(device)")
        let sessions = try await withUsers { users throws(AccountError) in
            try await users.sessions(of: login, at: now)
        }
        for session in sessions where session.deviceIdentifier.hasSameBytes(as: device) {
            try await storing { () async throws(StoreError) in
                try await desk.store.endSession(tokenHash: session.tokenHash)
            }
        }
        return Response(status: .noContent)
    }

    func unlockUser() async throws -> Response {
        let login = try context.pathPart("login")
        try await log(target: login)
        try await withUsers { users throws(AccountError) in try await users.unlock(login) }
        return Response(status: .noContent)
    }

    /// The tokens themselves are secrets of the devices, and stay in the database.
    func listPushTokens() async throws -> Response {
        let page = try CursorPage(request)
        let found = try await serving { environment in
            try await environment.notifications.tokens(
                cursor: page.cursor, limit: page.limit,
                for: try await operatorCaller(in: environment))
        }
        return .json(
            .object([
                "tokens": .array(found.tokens.map(\.json)),
                "cursor": JSONValue(text: found.cursor),
            ]))
    }

    func removePushToken() async throws -> Response {
        let login = try context.pathPart("login")
        let (device, type) = (try context.pathPart("device"), try context.pathPart("type"))
        let id = try await environment().state.id
        try await log(target: "\(login) \(device) \(type)")
        try await storing { () async throws(StoreError) in
            try await desk.store.unregister(
                type: type,
                of: DeviceKey(
                    login: Login.normalized(login) ?? login, deviceIdentifier: device),
                text: nil, in: id)
        }
        return Response(status: .noContent)
    }
}

extension Session {
    fileprivate func members(lastSeen: (String) -> JSONValue) -> [String: JSONValue] {
        [
            "device": .string(deviceIdentifier), "deviceCategory": .string(deviceCategory),
            "expiresAt": .integer(expiresAt.milliseconds), "lastSeen": lastSeen(deviceIdentifier),
        ]
    }
}

extension SignedInDevice {
    fileprivate func members(lastSeen: (String) -> JSONValue) -> [String: JSONValue] {
        [
            "login": .string(place.login), "device": .string(place.identifier),
            "deviceCategory": .string(place.category),
            "expiresAt": .integer(expiresAt.milliseconds), "lastSeen": lastSeen(place.identifier),
        ]
    }
}

extension SignedInDevice.ListPosition {
    /// For the address of the next page.
    fileprivate var text: String {
        JSONValue.array([.string(login), .string(identifier), .string(category)]).text
    }

    /// Throws `parameterIllegal`.
    fileprivate init(text: String) throws(HTTPFailure) {
        guard case .array(let parts)? = try? parseJSON(Array(text.utf8)), parts.count == 3,
            case (.string(let login), .string(let identifier), .string(let category)) =
                (parts[0], parts[1], parts[2])
        else { throw AdminPage.noPlace() }
        self.init(login: login, identifier: identifier, category: category)
    }
}

extension ReachedToken {
    fileprivate var json: JSONValue {
        .object([
            "login": .string(token.device.login),
            "device": .string(token.device.deviceIdentifier),
            "deviceCategory": .string(token.deviceCategory), "type": .string(token.type),
            "at": .integer(token.at.milliseconds), "reached": .boolean(isReached),
        ])
    }
}
