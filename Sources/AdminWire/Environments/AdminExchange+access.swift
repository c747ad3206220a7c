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
        let days = try await lastDays(of: sessions)
        return .json(
            .array(
                sessions.map { session in
                    .object(
                        session.members.merging([
                            "lastSeen": days[session.seenDevice].map {
                                .integer(Instant(day: $0).milliseconds)
                            } ?? .null
                        ]) { first, _ in first })
                }))
    }

    /// The last days on which the devices of sessions were seen, by any process of the database,
    /// and by this one also those that it has yet to store.
    private func lastDays(of sessions: [Session]) async throws -> [[UInt8]: Int64] {
        let devices = Set(sessions.map(\.seenDevice))
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
    fileprivate var members: [String: JSONValue] {
        [
            "device": .string(deviceIdentifier), "deviceCategory": .string(deviceCategory),
            "expiresAt": .integer(expiresAt.milliseconds),
        ]
    }

    /// The device as `SeenClient` tells it apart.
    fileprivate var seenDevice: [UInt8] { SeenClient.device(withIdentifier: deviceIdentifier) }
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
