import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// Thinks up what happens next. Every history has a temper of its own: in one everything is lost,
/// in another nobody moves, in a third all change one record.
struct Storyteller: Sendable {
    private let setting: Setting
    private let temper: Temper
    private var dice: Dice
    private var step = 0
    /// By client, the step until which it is offline.
    private var offline: [Int: Int] = [:]
    private var madeRecords: [Int: Int] = [:]

    init(_ setting: Setting, seed: UInt64) {
        self.setting = setting
        dice = Dice(seed: seed)
        temper = Temper(&dice, hasApps: setting.realClient != nil)
    }

    mutating func next(in world: World) -> Step {
        step += 1
        if dice.chance(temper.eventPercent), let event = event(in: world) { return event }
        let client = dice.roll(world.clients.count)
        let isOffline = offline[client].map { $0 > step } ?? false
        if isOffline || dice.chance(temper.editPercent), world.clients[client].session != nil,
            let edit = edit(by: world.clients[client], world.server.versions)
        {
            return edit
        }
        if isOffline { return .answer(client: client) }
        if dice.chance(temper.leavePercent) { offline[client] = step + dice.roll(setting.steps) }
        return sync(client)
    }
}

// MARK: - What is not an edit

extension Storyteller {
    private mutating func sync(_ client: Int) -> Step {
        let fate = dice.chance(temper.faultPercent) ? dice.one(of: temper.faults) : nil
        return .sync(
            client: client, changes: dice.chance(70) ? Step.plenty : 1 + dice.roll(4),
            limit: temper.hasSmallPages ? 1 + dice.roll(5) : Step.plenty, fate: fate ?? .answered)
    }

    private mutating func event(in world: World) -> Step? {
        let client = dice.roll(world.clients.count)
        let login = world.clients[client].player.login
        switch dice.one(of: temper.events) {
        case .none: return nil
        case .arrival: return .arrival
        case .answer: return .answer(client: client)
        case .regroup:
            return dice.one(of: setting.definition.groups).map {
                .server(.regroup(login: login, group: $0))
            }
        case .endSessions: return .server(.endSessions(login: login))
        case .restart: return .server(.restart)
        case .deploy: return .server(.deploy(variant: dice.roll(setting.definition.roles.count)))
        case .reassign: return reassignment(in: world)
        case .sweep: return .server(.sweep(seconds: Int64(dice.one(of: [0, 10, 60]) ?? 0)))
        case .browse:
            return dice.one(of: world.clients[client].everythingSeen()).map {
                .browse(client: client, guid: $0.guid, model: $0.model)
            }
        case .resolveAll:
            return .resolveAll(client: client, choosing: dice.chance(50) ? .mine : .theirs)
        case .clientClock:
            let years = Int64(dice.roll(21) - 10)
            return .clientClock(client: client, seconds: years * 365 * 24 * 3600)
        case .appEnd: return .appEnds(client: client, atWrite: dice.roll(5))
        case .serverClock: return .server(.clock(seconds: dice.chance(70) ? -3600 : 7200))
        }
    }
}

extension Storyteller {
    private mutating func reassignment(in world: World) -> Step? {
        let records = world.ledger.records.values.sorted { $0.stored.guid < $1.stored.guid }
        guard let record = dice.one(of: records)?.stored else { return nil }
        let owner = dice.one(of: world.clients)?.player.login
        let group = dice.one(of: setting.definition.groups)
        let both = dice.chance(30)
        let onlyOwner = dice.chance(50)
        return .server(
            .reassign(
                guid: record.guid, model: record.model, owner: both || onlyOwner ? owner : nil,
                group: both || !onlyOwner ? group : nil))
    }
}

// MARK: - Edits

extension Storyteller {
    /// Something that the device's rules allow, if that is found soon; or what they may forbid.
    private mutating func edit(by client: Client, _ versions: [Rules]) -> Step? {
        guard let session = client.session else { return nil }
        let rules = versions[session.version]
        let seen = client.everythingSeen()
        let isReckless = dice.chance(temper.recklessPercent)
        for _ in 0..<6 {
            let draft = draft(by: client, seen, isReckless, rules)
            if let draft, isReckless || client.allows(draft, in: session.role, by: rules) {
                return .edit(client: client.number, draft)
            }
        }
        return nil
    }

    private mutating func draft(
        by client: Client, _ seen: [SeenRecord], _ isReckless: Bool, _ rules: Rules
    ) -> Draft? {
        let conflicted = seen.filter(\.isConflicted)
        if !conflicted.isEmpty, dice.chance(30) {
            return change(.resolve, of: dice.one(of: conflicted), by: client, isReckless, rules)
        }
        if seen.isEmpty || dice.chance(temper.creationPercent) {
            return creation(by: client, seen, isReckless)
        }
        // The first ones are the same on all devices that see them.
        let few = dice.chance(temper.quarrelPercent) ? Array(seen.prefix(2)) : seen
        return change(
            dice.chance(15) ? .delete : .update, of: dice.one(of: few), by: client, isReckless,
            rules)
    }

    private mutating func creation(
        by client: Client, _ seen: [SeenRecord], _ isReckless: Bool
    ) -> Draft? {
        guard let model = dice.one(of: setting.definition.models) else { return nil }
        var fields: [String: JSONValue] = [:]
        for field in model.fields {
            let isNeeded = field.isRequired && field.defaultValue == nil
            guard isNeeded || dice.chance(60) else { continue }
            fields[field.name] = value(of: field, by: client, seen, isReckless)
        }
        madeRecords[client.number, default: 0] += 1
        let fresh = guid(ofRecord: madeRecords[client.number] ?? 1, by: client.number)
        let taken = isReckless && dice.chance(20) ? dice.one(of: seen)?.guid : nil
        return Draft(
            .create, model: model.name, guid: taken ?? fresh, fields: fields,
            isReckless: isReckless, falseBase: nil)
    }

    private mutating func change(
        _ action: ChangeMessage.Action, of record: SeenRecord?, by client: Client,
        _ isReckless: Bool, _ rules: Rules
    ) -> Draft? {
        let models = setting.definition.models
        guard let record, let model = models.first(where: { $0.name == record.model }) else {
            return nil
        }
        var fields: [String: JSONValue] = [:]
        let names = action == .delete ? 0 : 1 + dice.roll(2)
        for _ in 0..<names {
            let possible = isReckless ? model.fields : updatable(model, record, client, rules)
            guard let field = dice.one(of: possible) else { break }
            fields[field.name] = value(of: field, by: client, nil, isReckless)
        }
        guard action != .update || !fields.isEmpty else { return nil }
        return Draft(
            action, model: record.model, guid: record.guid, fields: fields,
            isReckless: isReckless,
            falseBase: isReckless && dice.chance(30) ? Int64(dice.roll(6)) : nil)
    }

    private func updatable(
        _ model: Model, _ record: SeenRecord, _ client: Client, _ rules: Rules
    ) -> [Field] {
        guard let role = client.session?.role else { return [] }
        let asker = Asker(login: client.player.login, group: role.group, role: role)
        return model.fields.filter {
            asker.may(
                .update, .field($0.name, of: model.name), of: record.ownership, rules)
        }
    }

    /// Mostly a legal value.
    private mutating func value(
        of field: Field, by client: Client, _ seen: [SeenRecord]?, _ isReckless: Bool
    ) -> JSONValue? {
        if isReckless, dice.chance(30) { return illegalValue() }
        if !field.isRequired, dice.chance(10) { return .null }
        let others = seen ?? client.everythingSeen()
        return legalValue(of: field, number: step, among: others, on: client, &dice)
            .map { JSONValue($0) }
    }

    private mutating func illegalValue() -> JSONValue {
        dice.one(of: [.null, .string(""), .integer(.max), .boolean(true), .array([])]) ?? .null
    }
}
