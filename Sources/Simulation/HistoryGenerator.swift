import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import SyncEngine
import SyncProtocol

/// Generates the steps of a history. Each history has a workload of its own, with different faults,
/// events and contention.
struct HistoryGenerator: Sendable {
    let scenario: Scenario
    private let workload: Workload
    var random: SeededRandom
    private var step = 0
    /// The number of requests and of deleted rows of other services so far.
    var madeRequests = 0
    /// By client, the step until which it is offline.
    private var offline: [Int: Int] = [:]
    private var madeRecords: [Int: Int] = [:]

    init(_ scenario: Scenario, seed: UInt64) {
        self.scenario = scenario
        random = SeededRandom(seed: seed)
        workload = Workload(&random, hasApps: scenario.realClient != nil)
    }

    mutating func next(in world: World) -> Step {
        step += 1
        if let step = evolution(in: world) { return step }
        if let update = appUpdate(in: world) { return update }
        if let fill = fill(in: world) { return fill }
        if let request = request(in: world) { return request }
        if random.chance(workload.eventPercent), let event = event(in: world) { return event }
        let client = random.int(below: world.clients.count)
        let isOffline = offline[client].map { $0 > step } ?? false
        if isOffline || random.chance(workload.editPercent), world.clients[client].session != nil,
            let edit = edit(by: world.clients[client], world.rules(on: world.clients[client]))
        {
            return edit
        }
        if isOffline { return .answer(client: client) }
        if random.chance(workload.leavePercent) {
            offline[client] = step + random.int(below: scenario.steps)
        }
        return sync(client)
    }
}

// MARK: - Syncs and events

extension HistoryGenerator {
    private mutating func sync(_ client: Int) -> Step {
        let fault = random.chance(workload.faultPercent) ? random.one(of: workload.faults) : nil
        return .sync(
            client: client, changes: random.chance(70) ? Step.largePage : 1 + random.int(below: 4),
            limit: workload.hasSmallPages ? 1 + random.int(below: 5) : Step.largePage,
            fault: fault ?? .answered)
    }

    /// An earlier app is updated at some time, or never.
    private mutating func appUpdate(in world: World) -> Step? {
        guard scenario.earlierApp != nil, random.chance(3) else { return nil }
        let earlier = world.clients.indices.filter { world.clients[$0].app != nil }
        return random.one(of: earlier).map { .appUpdate(client: $0) }
    }

    /// A field is required from some time on, and values are filled in slowly.
    private mutating func fill(in world: World) -> Step? {
        guard scenario.requiredField != nil else { return nil }
        if world.server.requiresField { return random.chance(5) ? .server(.fill) : nil }
        return random.chance(4) ? .server(.require) : nil
    }

    private mutating func event(in world: World) -> Step? {
        let client = random.int(below: world.clients.count)
        let login = world.clients[client].participant.login
        switch random.one(of: workload.events) {
        case .none: return nil
        case .arrival: return .arrival
        case .answer: return .answer(client: client)
        case .regroup:
            return random.one(of: scenario.definition.groups).map {
                .server(.regroup(login: login, group: $0))
            }
        case .endSessions: return .server(.endSessions(login: login))
        case .restart: return .server(.restart)
        case .deploy:
            return .server(.deploy(variant: random.int(below: scenario.definition.roles.count)))
        case .reassign: return reassignment(in: world)
        case .foreignPush: return foreignPush(by: client, in: world)
        case .sweep: return .server(.sweep(seconds: Int64(random.one(of: [0, 10, 60]) ?? 0)))
        case .browse:
            return random.one(of: world.clients[client].everythingSeen()).map {
                .browse(client: client, guid: $0.guid, model: $0.model)
            }
        case .resolveAll:
            return .resolveAll(client: client, choosing: random.chance(50) ? .mine : .theirs)
        case .clientClock:
            let years = Int64(random.int(below: 21) - 10)
            return .clientClock(client: client, seconds: years * 365 * 24 * 3600)
        case .appEnd: return .appEnds(client: client, atWrite: random.int(below: 5))
        case .serverClock: return .server(.clock(seconds: random.chance(70) ? -3600 : 7200))
        }
    }
}

extension HistoryGenerator {
    private mutating func reassignment(in world: World) -> Step? {
        let records = world.auditor.records.values.sorted { $0.stored.guid < $1.stored.guid }
        guard let record = random.one(of: records)?.stored else { return nil }
        let owner = random.one(of: world.clients)?.participant.login
        let group = random.one(of: scenario.definition.groups)
        let both = random.chance(30)
        let onlyOwner = random.chance(50)
        return .server(
            .reassign(
                guid: record.guid, model: record.model, owner: both || onlyOwner ? owner : nil,
                group: both || !onlyOwner ? group : nil))
    }
}

// MARK: - Other wires

extension HistoryGenerator {
    private mutating func foreignPush(by client: Int, in world: World) -> Step? {
        let records = world.auditor.records.values.sorted { $0.stored.guid < $1.stored.guid }
        let models = world.server.rules.definition.models
        let push: ForeignPush? =
            switch random.int(below: 4) {
            case 0: restoration(of: records)
            case 1: addition(to: records, of: models)
            case 2: element(of: records, of: models)
            default: wholeBatch(on: records, of: models, by: world.clients[client])
            }
        return push.map { .foreign(client: client, $0) }
    }

    private mutating func restoration(of records: [AuditedRecord]) -> ForeignPush? {
        random.one(of: records.filter(\.stored.isDeleted)).map {
            .restoration(guid: $0.stored.guid, model: $0.stored.model)
        }
    }

    private mutating func addition(
        to records: [AuditedRecord], of models: [Model]
    ) -> ForeignPush? {
        guard let record = random.one(of: records)?.stored,
            let model = models.first(where: { $0.name == record.model }),
            let field = random.one(of: model.fields.filter { $0.type.name == .integer })
        else { return nil }
        return .addition(
            guid: record.guid, model: record.model, field: field.name,
            amount: Int64(random.int(below: 4)) - 1)
    }

    private mutating func element(
        of records: [AuditedRecord], of models: [Model]
    ) -> ForeignPush? {
        guard let record = random.one(of: records)?.stored,
            let model = models.first(where: { $0.name == record.model }),
            let field = random.one(of: model.fields.filter { $0.type.format?.kind == .json })
        else { return nil }
        return .element(
            Int64(random.int(below: 4)), guid: record.guid, model: record.model,
            field: field.name)
    }

    /// Sometimes one of the records is not there, or a value is not allowed.
    private mutating func wholeBatch(
        on records: [AuditedRecord], of models: [Model], by client: Client
    ) -> ForeignPush? {
        var drafts: [Draft] = []
        for _ in 0..<2 {
            guard let record = random.one(of: records)?.stored,
                let model = models.first(where: { $0.name == record.model }),
                let field = random.one(of: model.fields)
            else { return nil }
            let isMissing = random.chance(20)
            drafts.append(
                Draft(
                    .update, model: model.name,
                    guid: isMissing ? guid(ofRecord: 0xFFFF, by: client.number) : record.guid,
                    fields: [field.name: value(of: field, by: client, nil, false) ?? .null]))
        }
        return .wholeBatch(drafts)
    }
}

// MARK: - Edits

extension HistoryGenerator {
    /// An edit that the device's rules allow, if one is found quickly, or sometimes one that they
    /// may forbid.
    private mutating func edit(by client: Client, _ rules: Rules) -> Step? {
        guard let session = client.session else { return nil }
        let seen = client.everythingSeen()
        let isUnchecked = random.chance(workload.uncheckedPercent)
        for _ in 0..<6 {
            let draft = draft(by: client, seen, isUnchecked, rules)
            if let draft, isUnchecked || client.allows(draft, in: session.role, by: rules) {
                return .edit(client: client.number, draft)
            }
        }
        return nil
    }

    private mutating func draft(
        by client: Client, _ seen: [DisplayedRecord], _ isUnchecked: Bool, _ rules: Rules
    ) -> Draft? {
        let conflicted = seen.filter(\.isConflicted)
        if !conflicted.isEmpty, random.chance(30) {
            return change(.resolve, of: random.one(of: conflicted), by: client, isUnchecked, rules)
        }
        if seen.isEmpty || random.chance(workload.creationPercent) {
            return creation(by: client, seen, isUnchecked, rules)
        }
        // The first ones are the same on all devices that show them.
        let few = random.chance(workload.contentionPercent) ? Array(seen.prefix(2)) : seen
        return change(
            random.chance(15) ? .delete : .update, of: random.one(of: few), by: client, isUnchecked,
            rules)
    }

    private mutating func creation(
        by client: Client, _ seen: [DisplayedRecord], _ isUnchecked: Bool, _ rules: Rules
    ) -> Draft? {
        guard let model = random.one(of: rules.definition.models) else { return nil }
        var fields: [String: JSONValue] = [:]
        for field in model.fields {
            let isNeeded = field.isRequired && field.defaultValue == nil
            guard isNeeded || random.chance(60) else { continue }
            fields[field.name] = value(of: field, by: client, seen, isUnchecked)
        }
        madeRecords[client.number, default: 0] += 1
        let fresh = guid(ofRecord: madeRecords[client.number] ?? 1, by: client.number)
        let taken = isUnchecked && random.chance(20) ? random.one(of: seen)?.guid : nil
        return Draft(
            .create, model: model.name, guid: taken ?? fresh, fields: fields,
            isUnchecked: isUnchecked, falseBase: nil)
    }

    private mutating func change(
        _ action: ChangeMessage.Action, of record: DisplayedRecord?, by client: Client,
        _ isUnchecked: Bool, _ rules: Rules
    ) -> Draft? {
        let models = rules.definition.models
        guard let record, let model = models.first(where: { $0.name == record.model }) else {
            return nil
        }
        var fields: [String: JSONValue] = [:]
        let names = action == .delete ? 0 : 1 + random.int(below: 2)
        for _ in 0..<names {
            let possible = isUnchecked ? model.fields : updatable(model, record, client, rules)
            guard let field = random.one(of: possible) else { break }
            fields[field.name] = value(of: field, by: client, nil, isUnchecked)
        }
        guard action != .update || !fields.isEmpty else { return nil }
        return Draft(
            action, model: record.model, guid: record.guid, fields: fields,
            isUnchecked: isUnchecked,
            falseBase: isUnchecked && random.chance(30) ? Int64(random.int(below: 6)) : nil)
    }

    private func updatable(
        _ model: Model, _ record: DisplayedRecord, _ client: Client, _ rules: Rules
    ) -> [Field] {
        guard let role = client.session?.role else { return [] }
        let asker = Asker(login: client.participant.login, group: role.group, role: role)
        return model.fields.filter {
            asker.may(
                .update, .field($0.name, of: model.name), of: record.ownership, rules)
        }
    }

    /// A valid value most of the time.
    mutating func value(
        of field: Field, by client: Client, _ seen: [DisplayedRecord]?, _ isUnchecked: Bool
    ) -> JSONValue? {
        if isUnchecked, random.chance(30) { return illegalValue() }
        if !field.isRequired, random.chance(10) { return .null }
        let others = seen ?? client.everythingSeen()
        return legalValue(of: field, number: step, among: others, on: client, &random)
            .map { JSONValue($0) }
    }

    private mutating func illegalValue() -> JSONValue {
        random.one(of: [.null, .string(""), .integer(.max), .boolean(true), .array([])]) ?? .null
    }
}
