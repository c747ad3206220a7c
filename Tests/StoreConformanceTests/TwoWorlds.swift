import AccessPolicy
import DefinitionModel
import JSON
import NativeCalls
import SyncEngine
import SyncProtocol
import TestKit
import Testing

/// Two environments with the same history, except for the values that a reader may see in neither
/// of the reader's groups. These differ in length.
struct TwoWorlds {
    /// The authors of pushes. The reader's own records are of the group `users`.
    private static let authors: [(login: String, group: String)] = [
        ("reader", "users"), ("ann", "users"), ("gil", "guests"),
    ]

    private let bench: StoreBench
    private(set) var engines: [Engine] = []
    private let rights: RandomReadRights
    private var random: SplitMix64
    private var records: [Target] = []
    private var changes = 0

    /// A record that was created.
    private struct Target {
        let guid: String
        let model: String
        let owner: String
        let group: String
        var revision: Int64
        var isDeleted = false
    }

    init(_ kind: StoreKind, seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        rights = RandomReadRights(using: &random)
        bench = try await kind.open()
        var limits = Limits()
        limits.pageBytes = random.one(of: [1, 150, 400, 1500]) ?? 400
        limits.scannedRecords = random.one(of: [3, 7, 10_000]) ?? 7
        limits.filteredRecords = random.one(of: [5, 100_000]) ?? 5
        limits.filteredBytes = limits.pageBytes == 400 ? 600 : 1 << 30
        self.random = random
        let definition = rights.definition
        for name in ["one", "two"] {
            let deployed = try await bench.store.deploy(to: name) { _ in
                .success(.test(definition.fingerprint))
            }
            engines.append(
                Engine(
                    rules: Rules(definition), formerly: [],
                    environment: try deployed.get().state, store: bench.store,
                    seal: CursorSeal(
                        seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }),
                    limits: limits))
        }
    }

    mutating func number(in range: ClosedRange<Int>) -> Int { random.number(in: range) }
    mutating func flip() -> Bool { random.flip() }
    mutating func one<Element>(of elements: [Element]) throws -> Element {
        let element = random.one(of: elements)
        return try #require(element)
    }

    func reader(of world: Int, in group: String) async throws -> Caller {
        try await caller("reader", group, world)
    }

    private func caller(_ login: String, _ group: String, _ world: Int) async throws -> Caller {
        let name = ["one", "two"][world]
        let state = try #require(try await bench.store.environment(named: name))
        return Caller(
            asker: Asker(
                login: login, group: group, role: Role(group: group, deviceCategory: "mobile")),
            deviceIdentifier: "phone", isAdmin: false,
            moment: EnvironmentMoment(
                deployment: state.deployment, sequence: state.sequence, purgeHorizon: 0))
    }
}

// MARK: - Changes

extension TwoWorlds {
    /// Creations, updates, stale updates, which open conflicts, and deletions.
    mutating func change(times: Int) async throws {
        for _ in 0..<times {
            let living = records.indices.filter { !records[$0].isDeleted }
            guard let place = random.one(of: living), random.number(in: 0..<10) > 3 else {
                try await create()
                continue
            }
            switch random.number(in: 0..<8) {
            case 0: try await push(.delete, to: place, from: records[place].revision)
            case 1...3 where records[place].revision > 1:
                try await push(.update, to: place, from: 1)
            default: try await push(.update, to: place, from: records[place].revision)
            }
        }
    }

    private mutating func create() async throws {
        let (login, group) = try one(of: Self.authors)
        let digits = String(records.count + 1)
        records.append(
            Target(
                guid: "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count)
                    + digits,
                model: try one(of: RandomReadRights.models), owner: login, group: group,
                revision: 0))
        try await push(.create, to: records.count - 1, from: nil, by: (login, group))
    }

    private mutating func push(
        _ action: ChangeMessage.Action, to place: Int, from base: Int64?,
        by author: (login: String, group: String)? = nil
    ) async throws {
        let author = try author ?? one(of: Self.authors)
        changes += 1
        let fields = fields(for: action, of: records[place])
        var outcomes: [OutcomeMessage] = []
        for (world, fields) in fields.enumerated() {
            let change = ChangeMessage(
                id: "\(changes)", action: action, model: records[place].model,
                guid: records[place].guid, base: base, fields: fields)
            let answer = try await engines[world].sync(
                SyncRequest(changes: [change]),
                from: caller(author.login, author.group, world),
                at: Instant(milliseconds: Int64(changes)))
            outcomes.append(try #require(answer.outcomes.first))
        }
        try #require(outcomes[0] == outcomes[1] && outcomes[0].outcome != .refused)
        records[place].revision = outcomes[0].revision ?? 0
        records[place].isDeleted = action == .delete && outcomes[0].outcome == .accepted
    }

    /// The values in each world. No value is one that the field had before.
    private mutating func fields(
        for action: ChangeMessage.Action, of record: Target
    ) -> [[String: JSONValue]] {
        guard action != .delete else { return [[:], [:]] }
        var fields: [[String: JSONValue]] = [[:], [:]]
        let names =
            action == .create ? RandomReadRights.fields : random.some(of: RandomReadRights.fields)
        for name in names.isEmpty ? [RandomReadRights.fields[0]] : names {
            let isHidden = !["users", "guests"].contains { group in
                rights.shows(
                    name, of: record.model, owner: record.owner, group: record.group, to: group)
            }
            let value = value()
            fields[0][name] = value
            fields[1][name] = isHidden ? self.value() : value
            // Empty in one of them.
            if isHidden, action == .create, random.flip() { fields[1][name] = nil }
        }
        return fields
    }

    private mutating func value() -> JSONValue {
        changes += 1
        let letters = ["x", "é", "\"", "\n", "🐝"]
        let length = random.one(of: [0, 3, 40, 300]) ?? 3
        let letter = random.one(of: letters) ?? "x"
        return .string("\(changes) " + String(repeating: letter, count: length))
    }
}

/// Random read rights on records and fields. Everybody may change everything.
struct RandomReadRights {
    static let models = ["Note", "Page"]
    static let fields = ["a", "b", "c"]

    private let levels: [String: AccessLevel]

    init(using random: inout SplitMix64) {
        var levels: [String: AccessLevel] = [:]
        for group in ["users", "guests"] {
            for model in Self.models {
                levels["\(group) \(model)"] = Self.level(&random)
                for field in Self.fields {
                    levels["\(group) \(model) \(field)"] = Self.level(&random)
                }
            }
        }
        self.levels = levels
    }

    private static func level(_ random: inout SplitMix64) -> AccessLevel {
        random.one(of: [.all, .all, .own, .group, .none]) ?? .all
    }

    /// Whether a field of a record is shown to the reader in a group.
    func shows(
        _ field: String, of model: String, owner: String, group: String, to readers: String
    ) -> Bool {
        ["\(readers) \(model)", "\(readers) \(model) \(field)"].allSatisfy {
            switch levels[$0] {
            case .all?: true
            case .own?: owner == "reader"
            case .group?: group == readers
            case .some(.none), nil: false
            }
        }
    }

    var definition: Definition {
        let roles = ["users", "guests"].map { Role(group: $0, deviceCategory: "mobile") }
        return Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: ["mobile"],
            groups: ["users", "guests"], roles: roles,
            models: Self.models.map { model in
                Model(
                    name: model, fields: Self.fields.map { field(model, $0, roles) },
                    credentials: RoleTable(
                        roles.map { (key: $0, value: record(model, $0)) }),
                    place: RandomDefinition.place)
            }, digest: "digest")
    }

    private func record(_ model: String, _ role: Role) -> ModelCredential {
        ModelCredential(
            create: .all, read: levels["\(role.group) \(model)"] ?? .all, update: .all,
            delete: .all, resolvesConflicts: true, place: RandomDefinition.place)
    }

    private func field(_ model: String, _ name: String, _ roles: [Role]) -> Field {
        Field(
            name: name, type: .text(TextLimits(maxLength: 1000)), isRequired: false,
            isUnique: false, defaultValue: nil,
            credentials: RoleTable(
                roles.map { (key: $0, value: rights(model, name, $0)) }), writtenOptions: [],
            writtenDefault: nil, place: RandomDefinition.place)
    }

    private func rights(_ model: String, _ field: String, _ role: Role) -> FieldCredential {
        FieldCredential(
            create: .all, read: levels["\(role.group) \(model) \(field)"] ?? .all, update: .all,
            place: RandomDefinition.place)
    }
}
