import AccessPolicy
import DefinitionModel
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
            throw ParseFailure.forbidden("the definition has the groups")
        }
        let groups = engine.servedDefinition.groups.filter { group in
            rest.first.map { $0 == id(of: group, in: "_Role") } ?? true
        }
        if !rest.isEmpty {
            guard let group = groups.first else { throw ParseFailure.objectNotFound }
            return ParseAnswer(role(group))
        }
        let parameters = try ParseParameters(call.parameters)
        guard case .object(let members) = parameters.filter else {
            throw ParseFailure.badJSON("'where' is no object")
        }
        let found = try groups.filter { try matches($0, members, caller) }
        let answered = found.dropFirst(parameters.skip).prefix(parameters.limit)
        var answer: [String: JSONValue] = ["results": .array(answered.map { .object(role($0)) })]
        if parameters.counts { answer["count"] = .integer(Int64(found.count)) }
        return ParseAnswer(answer)
    }

    private func matches(
        _ group: String, _ members: [String: JSONValue], _ caller: Caller
    ) throws -> Bool {
        for (name, value) in members {
            switch name {
            case "name": if !value.isOrLists(.string(group)) { return false }
            case "objectId":
                if !value.isOrLists(.string(id(of: group, in: "_Role"))) { return false }
            case "users":
                let own = ParsePointer(className: Self.userClass, objectID: userID(of: caller))
                if ParsePointer(value) != own || group != caller.asker.group { return false }
            case _: throw ParseFailure.badQuery("roles are found by 'name', 'objectId' and 'users'")
            }
        }
        return true
    }

    private func role(_ group: String) -> [String: JSONValue] {
        [
            "objectId": .string(id(of: group, in: "_Role")), "name": .string(group),
            "users": .object([
                "__type": .string("Relation"), "className": .string(Self.userClass),
            ]),
            "createdAt": .string(parseEpoch), "updatedAt": .string(parseEpoch),
        ]
    }

    /// The kind of the device, which clients send with the first save of an installation only.
    private var deviceType: String? {
        if case .string(let type)? = call.body["deviceType"] { return type }
        return call.credentials.deviceType
    }

    /// Keeps the push token of a device whose user is signed in. Nothing else of an installation
    /// is kept.
    func installations(_ rest: [String]) async throws -> ParseAnswer {
        guard call.verb == .post || call.verb == .put else {
            throw ParseFailure.forbidden("clients do not find installations")
        }
        guard
            case .string(let name)? = call.body["installationId"]
                ?? call.credentials.installationID.map({ .string($0) })
        else { throw ParseFailure(135, "an installation has an installationId") }
        if tokenHash != nil, case .string(let token)? = call.body["deviceToken"],
            let type = deviceType
        {
            let isReached = try await exchange.environment.notifications.register(
                token: token, type: type, by: try await caller(), at: exchange.now)
            if !isReached {
                exchange.logger.notice(
                    "a push token is kept, but nothing here delivers to it",
                    metadata: ["type": "\(type)"])
            }
        }
        let now = JSONValue.string(preciseInstant(milliseconds: exchange.now.milliseconds))
        guard call.verb == .post else { return ParseAnswer(["updatedAt": now]) }
        let id = id(of: name, in: "_Installation")
        return .created(
            ["objectId": .string(id), "createdAt": now], at: "\(base)/installations/\(id)")
    }
}
