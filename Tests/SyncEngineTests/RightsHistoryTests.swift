import AccessPolicy
import DefinitionModel
import EngineKit
import JSON
import NativeCalls
import SyncProtocol
import TestKit
import Testing
import UserAccounts

@testable import SyncEngine

/// Random histories of changes, rights and retention: after each sync, an old client has exactly
/// the records of a fresh one.
@Suite struct RightsHistoryTests {
    @Test(arguments: seeds(40))
    func oldClientHasRecordsOfFreshOne(seed: UInt64) async throws {
        var story = try await RightsStory(seed: seed)
        for _ in 0..<60 { try await story.step() }
        for login in RightsStory.logins { try await story.compare(login) }
    }

    /// In most of these histories no client has to start over.
    @Test func startingOverIsRare() async throws {
        var (resyncs, pulls) = (0, 0)
        for seed in UInt64(0)..<10 {
            var story = try await RightsStory(seed: seed, sweeps: false, isPatient: true)
            for _ in 0..<60 { try await story.step() }
            resyncs += story.replicas.values.reduce(0) { $0 + $1.resyncs }
            pulls += story.pulls
        }
        #expect(resyncs == 0 && pulls > 100)
    }
}

private struct RightsStory {
    static let logins = ["a", "b", "c"]
    private static let groups = ["users", "guests"]

    private(set) var replicas: [String: Replica] = [:]
    private(set) var pulls = 0
    private let bench: TestBench
    private var engine: Engine
    private var random: SplitMix64
    private let sweeps: Bool
    /// Whether a client always pulls until nothing is new.
    private let isPatient: Bool
    private var groups: [String: String] = [:]
    private var records = 0
    private var changes = 0

    init(seed: UInt64, sweeps: Bool = true, isPatient: Bool = false) async throws {
        var random = SplitMix64(seed: seed)
        bench = try await TestBench(document(&random))
        engine = bench.engine
        self.random = random
        self.sweeps = sweeps
        self.isPatient = isPatient
        for login in Self.logins {
            try await bench.accounts.add(
                login: login, group: "users", mail: "", isAdmin: false, passwordHash: "")
        }
    }

    private func person(_ login: String) -> Person {
        bench.person(login, group: groups[login] ?? "users")
    }

    private var told: [String] = []

    mutating func step() async throws {
        let login = Self.logins.randomElement(using: &random) ?? "a"
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<5: try await create(by: login)
        case 5..<9: try await change(by: login)
        case 9..<11: try await reassign()
        case 11..<13:
            groups[login] = Self.groups.randomElement(using: &random)
            told.append("\(login) is in \(groups[login] ?? "")")
        case 13:
            engine = try await bench.deploying(document(&random))
            told.append("deployed")
        case 14:
            if sweeps { _ = try await engine.sweep(before: Instant(milliseconds: 9_999_999)) }
        case 15..<18: try await compare(login)
        case _: try await glance(login)
        }
    }

    /// Pulls one page only.
    private mutating func glance(_ login: String) async throws {
        guard !isPatient else { return try await compare(login) }
        var replica = replicas[login] ?? Replica()
        replica.apply(
            try await person(login).sync(with: engine, cursor: replica.cursor, limit: 2))
        replicas[login] = replica
    }

    mutating func compare(_ login: String) async throws {
        pulls += 1
        var replica = replicas[login] ?? Replica()
        let limit = Int.random(in: 1...7, using: &random)
        try await person(login).follow(&replica, with: engine, limit: limit)
        replicas[login] = replica
        var fresh = Replica()
        try await person(login).follow(&fresh, with: engine)
        try await compareKept(login)
        let guids = Set(replica.records.keys).union(fresh.records.keys).sorted()
        for guid in guids {
            #expect(replica.records[guid] == fresh.records[guid], "\(login) in \(told)")
        }
    }

    /// Compares cached pages with fresh ones.
    private mutating func compareKept(_ login: String) async throws {
        let bare = engine.keepingNothing
        for limit in [1, 3] {
            var cursor: String?
            var hasMore = true
            while hasMore {
                let kept = try await person(login).sync(with: engine, cursor: cursor, limit: limit)
                let read = try await person(login).sync(with: bare, cursor: cursor, limit: limit)
                #expect(kept == read, "\(login) in \(told)")
                cursor = read.cursor
                hasMore = read.more
            }
        }
    }

    private mutating func create(by login: String) async throws {
        records += 1
        let model = Bool.random(using: &random) ? "Note" : "Memo"
        _ = try await push(
            EngineKit.create(
                records, model: model, ["one": "1", "two": "2", "three": "3"]), by: login)
    }

    private mutating func change(by login: String) async throws {
        guard records > 0 else { return }
        changes += 1
        let number = Int.random(in: 1...records, using: &random)
        guard let stored = try await bench.stored(guid(number)) else { return }
        let base = Int64.random(in: 1...stored.revision, using: &random)
        let field = ["one", "two", "three"].randomElement(using: &random) ?? "one"
        let isDeletion = Int.random(in: 0..<4, using: &random) == 0
        _ = try await push(
            isDeletion
                ? delete(number, id: "d\(changes)", base: base, model: stored.model)
                : update(
                    number, id: "u\(changes)", base: base, model: stored.model,
                    [field: .string("\(changes)")]), by: login)
    }

    private func push(
        _ change: ChangeMessage, by login: String
    ) async throws -> OutcomeMessage? {
        try await person(login).sync([change], with: engine).outcomes.first
    }

    private mutating func reassign() async throws {
        guard records > 0 else { return }
        let number = Int.random(in: 1...records, using: &random)
        guard let stored = try await bench.stored(guid(number)) else { return }
        let ownership = NewOwnership(
            owner: Self.logins.randomElement(using: &random),
            group: Self.groups.randomElement(using: &random))
        _ = try await engine.reassign(
            guid(number), of: stored.model, to: ownership,
            by: bench.person("admin").caller(isAdmin: true), at: Instant(milliseconds: 5))
    }
}

/// Two models with the same fields and random read rights.
private func document(_ random: inout SplitMix64) -> String {
    let mode: ConflictMode = [.manual, .overwrite, .merge].randomElement(using: &random) ?? .manual
    var models = ""
    for name in ["Note", "Memo"] {
        var fields = ""
        for field in ["one", "two", "three"] {
            fields += """
                <field name="\(field)" type="TEXT">\(credentials(&random))</field>
                """
        }
        let own = #"deleteAllowed="ALL" resolveConflictAllowed="true""#
        models += """
            <model name="\(name)">
              <fields>\(fields)</fields>
              \(credentials(&random, own))
            </model>
            """
    }
    return Documents.document(mode, models: models)
}

private func credentials(_ random: inout SplitMix64, _ more: String = "") -> String {
    var text = ""
    for role in ["users-mobile", "guests-mobile"] {
        let level = AccessLevel.allCases.randomElement(using: &random) ?? .all
        text += """
            <credential role="\(role)" createAllowed="ALL" readAllowed="\(level.rawValue)"
              updateAllowed="ALL" \(more)/>
            """
    }
    return "<credentials>\(text)</credentials>"
}
