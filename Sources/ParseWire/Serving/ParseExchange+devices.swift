import AccessPolicy
import DefinitionModel
import ForeignValues
import Hashing
import JSON
import Logging
import Notifications
import SyncEngine
import SyncServer

/// Roles and installations.
extension ParseExchange {
    /// The groups of the definition. They can be read, and found by name and by the own user.
    func roles(_ rest: [String]) async throws -> ParseAnswer {
        let caller = try await caller()
        guard call.verb == .get else {
            throw ParseFailure.forbidden(
                "roles are groups of the definition, which clients cannot change")
        }
        let groups = engine.servedDefinition.groups.filter { group in
            rest.first.map { $0 == roleID(of: group) } ?? true
        }
        let found = groups.map(role)
        if !rest.isEmpty {
            guard let role = found.first else { throw ParseFailure.objectNotFound }
            return ParseAnswer(role)
        }
        let own = ParsePointer(
            className: Self.userClass, objectID: try await userID(of: caller)
        ).json
        let group = JSONValue.string(caller.asker.group)
        return try self.found(found, ParseParameters(call.parameters)) {
            name, condition, role throws(ParseFailure) in
            switch name {
            case "users": try condition.admits(role["name"] == group ? own : nil)
            // Roles are not nested.
            case "roles", "$relatedTo": false
            case _: nil
            }
        }
    }

    /// A definition has its groups from its deployment on.
    private func role(_ group: String) -> [String: JSONValue] {
        func relation(to className: String) -> JSONValue {
            .object(["__type": .string("Relation"), "className": .string(className)])
        }
        return times(madeAt: exchange.environment.deployedAt).merging([
            "objectId": .string(roleID(of: group)), "name": .string(group),
            "users": relation(to: Self.userClass), "roles": relation(to: Self.roleClass),
        ]) { $1 }
    }

    /// The class of roles, which are the groups.
    static let roleClass = "_Role"

    private func roleID(of group: String) -> String { id(of: group, in: Self.roleClass) }

    /// Whether a `$relatedTo` finds the caller among the users of a role. Clients learn nothing of
    /// the groups of others.
    func isMember(_ caller: Caller, byRelation json: JSONValue) -> Bool {
        guard case .object(let members) = json, members["key"] == "users",
            let role = members["object"].flatMap({ ParsePointer($0) }),
            role.className == Self.roleClass
        else { return false }
        return role.objectID == roleID(of: caller.asker.group)
    }

    /// The kind of the device, which clients send with the first save of an installation only.
    private var deviceType: String? {
        if case .string(let type)? = call.body["deviceType"] { return type }
        return call.credentials.deviceType
    }

    /// Keeps the push token of a device: for the user who is signed in, or until one signs in.
    /// Nothing else of an installation is kept.
    func installations(_ rest: [String]) async throws -> ParseAnswer {
        if call.verb == .get, let id = rest.first { return try await installation(id) }
        guard call.verb == .post || call.verb == .put else {
            let wanted = call.verb == .delete ? "remove" : "find"
            throw ParseFailure.forbidden("clients do not \(wanted) installations")
        }
        guard
            case .string(let name)? = call.body["installationId"]
                ?? call.credentials.installationID.map({ .string($0) })
        else { throw ParseFailure(135, "an installation has an installationId") }
        if case .string(let token)? = call.body["deviceToken"], let type = deviceType {
            try await keep(token, type: type, ofInstallation: name)
        } else if tokenHash != nil {
            await attachTokens(to: try await caller())
        }
        guard call.verb == .post else {
            let now = preciseInstant(milliseconds: exchange.now.milliseconds)
            return ParseAnswer(["updatedAt": .string(now)])
        }
        let id = id(of: name, in: Self.installationClass)
        // Many requests make the same installation, and the time of the first is not kept.
        return .created(
            ["objectId": .string(id), "createdAt": .string(parseEpoch)],
            at: ["installations", id], of: base)
    }

    private static let installationClass = "_Installation"

    private func keep(_ token: String, type: String, ofInstallation name: String) async throws {
        let notifications = exchange.environment.notifications
        guard tokenHash != nil else {
            try await notifications.keep(
                token: token, type: type, ofInstallation: name,
                from: shortHash(of: exchange.context.clientAddress), at: exchange.now)
            return
        }
        let isReached = try await notifications.register(
            token: token, type: type, by: try await caller(), at: exchange.now)
        if !isReached {
            exchange.logger.notice(
                "a push token is kept, but nothing here delivers to it",
                metadata: ["type": "\(type)"])
        }
    }

    /// Gives the push tokens that wait for the caller's device to the caller. A failure is logged:
    /// the session is open, and the tokens wait on.
    func attachTokens(to caller: Caller) async {
        do {
            try await exchange.environment.notifications.attachTokens(to: caller, at: exchange.now)
        } catch {
            exchange.logger.error(
                "push tokens still wait for their user", metadata: ["cause": "\(error)"])
        }
    }

    /// `GET /installations/ID`, of the client's own. Others cannot be read, since their ids and
    /// tokens are secrets.
    private func installation(_ id: String) async throws -> ParseAnswer {
        guard let name = call.credentials.installationID,
            id == self.id(of: name, in: Self.installationClass)
        else { throw ParseFailure.objectNotFound }
        var members = times(madeAt: nil)
        members["objectId"] = .string(id)
        members["installationId"] = .string(name)
        guard tokenHash != nil else { return ParseAnswer(members) }
        let caller = try await caller()
        guard caller.deviceIdentifier == name else { return ParseAnswer(members) }
        let tokens = try await exchange.environment.notifications.tokens(of: caller)
        if let token = tokens.first(where: { $0.type == deviceType }) ?? tokens.first {
            members["deviceType"] = .string(token.type)
            members["deviceToken"] = .string(token.text)
            members["updatedAt"] = .string(preciseInstant(milliseconds: token.at.milliseconds))
        }
        return ParseAnswer(members)
    }
}
