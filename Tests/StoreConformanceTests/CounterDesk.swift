import AccessPolicy
import ChangeRules
import DefinitionModel
import JSON
import RecordSearch
import SyncEngine
import TestKit
import Testing

/// A store with an engine and counters.
struct CounterDesk: Sendable {
    private let bench: StoreBench
    let engine: Engine

    init(_ kind: StoreKind, limits: Limits = Limits()) async throws {
        bench = try await kind.open()
        let definition = Definition.counters
        let deployed = try await bench.store.deploy(to: "test") { _ in
            .success(.test(definition.fingerprint))
        }
        engine = Engine(
            rules: Rules(definition), formerly: [], environment: try deployed.get().state,
            store: bench.store,
            seal: CursorSeal(
                seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) }),
            limits: limits)
    }

    func caller(_ device: String) -> Caller {
        Caller(
            asker: Asker(login: "ann", group: "users", role: .counting), deviceIdentifier: device,
            isAdmin: false, moment: .none)
    }

    func push(
        _ changes: [Change], by device: String = "a", isWhole: Bool = false
    ) async throws -> [Outcome] {
        try await engine.push(
            changes, keepingOutcomesFor: 100, isWhole: isWhole, by: caller(device),
            at: Instant(milliseconds: 1)
        ).outcomes
    }

    func make(_ number: Int, _ values: [String: JSONValue] = [:]) async throws {
        let fields = engine.rules.book.values(values, of: "Counter")
        let outcomes = try await push([.counter(number, fields)])
        try #require(outcomes.first?.kind == .accepted, "\(outcomes)")
    }

    /// The causes of a refusal, after another update.
    func causes(of change: Change, after values: [String: FieldValue] = [:]) async throws -> [Cause]
    {
        if !values.isEmpty {
            let number = Int(change.guid.suffix(2)) ?? 0
            let outcomes = try await push([.update(number, values.mapValues { .value($0) })])
            try #require(outcomes.first?.kind == .accepted)
        }
        return try await push([change]).first?.causes ?? []
    }

    /// Nil if there is no such record.
    func value(_ field: String, of number: Int) async throws -> JSONValue? {
        try await found(number).map { $0.record.fields?[field] ?? .null }
    }

    /// Nil if there is no such record.
    func found(_ number: Int) async throws -> FoundView? {
        let query = FindQuery(
            filter: .compare(
                .eq, operand: "$guid", with: .value(.string(counterGuid(number)))))
        return try await engine.find(query, of: "Counter", for: caller("a")).found.first
    }

    /// The stamps that a push tells, by guid.
    func stamps(of changes: [Change]) async throws -> [String: Instant] {
        try await engine.push(
            changes, keepingOutcomesFor: nil, by: caller("a"), at: Instant(milliseconds: 1)
        ).stamps
    }
}

/// The guid of a record of a desk.
func counterGuid(_ number: Int) -> String {
    "00000000-0000-4000-8000-0000000000\(number < 10 ? "0" : "")\(number)"
}

/// Changes of a desk's records.
extension Change {
    static func counter(
        _ number: Int, _ fields: [String: GivenValue] = [:]
    ) -> Change {
        Change(
            id: "create-\(number)", action: .create, model: "Counter", guid: counterGuid(number),
            baseRevision: nil, fields: fields)
    }

    static func update(
        _ number: Int, _ fields: [String: GivenValue], partOf whole: String? = nil
    ) -> Change {
        present(.update, number, fields, partOf: whole)
    }

    /// Asks for a record, at a revision unless that is nil.
    static func question(_ number: Int, _ revision: Int64? = nil) -> Change {
        present(.update, number, [:], base: revision, onlyAsks: true)
    }

    static func deletion(_ number: Int) -> Change { present(.delete, number, [:]) }

    private static func present(
        _ action: ChangeAction, _ number: Int, _ fields: [String: GivenValue],
        base: Int64? = nil, onlyAsks: Bool = false, partOf whole: String? = nil
    ) -> Change {
        var random = SystemRandomNumberGenerator()
        return Change(
            id: "\(action)-\(random.next())", action: action, model: "Counter",
            guid: counterGuid(number), baseRevision: base, fields: fields,
            isRefusedIfStale: base != nil, followsPresent: base == nil, onlyAsks: onlyAsks,
            partOf: whole)
    }
}

extension Role {
    static let counting = Role(group: "users", deviceCategory: "mobile")
}

extension Definition {
    /// `secret` can be changed and not read.
    static var counters: Definition {
        let place = SourcePlace(line: 1, column: 1)
        let json = TextLimits(maxLength: 2000, format: TextFormat(.json, maxBytes: 1000))
        func field(_ name: String, _ type: FieldType, read: AccessLevel = .all) -> Field {
            Field(
                name: name, type: type, isRequired: false, defaultValue: nil,
                credentials: [
                    .counting: FieldCredential(
                        create: .all, read: read, update: .all, place: place)
                ], writtenOptions: [], writtenDefault: nil, place: place)
        }
        return Definition(
            application: "a", vendor: "v", conflictMode: .manual, deviceCategories: ["mobile"],
            groups: ["users"], roles: [.counting],
            models: [
                Model(
                    name: "Counter",
                    fields: [
                        field("title", .text(TextLimits())),
                        field("count", .integer(IntegerLimits(minValue: -100, maxValue: 100))),
                        field("total", .integer(IntegerLimits(minValue: .min, maxValue: .max))),
                        field("price", .decimal(DecimalLimits())),
                        field("secret", .integer(IntegerLimits()), read: .none),
                        field("meta", .text(json)), field("hidden", .text(json), read: .none),
                    ],
                    credentials: [
                        .counting: ModelCredential(
                            create: .all, read: .all, update: .all, delete: .all,
                            resolvesConflicts: true, place: place)
                    ], place: place)
            ], digest: "digest")
    }
}
