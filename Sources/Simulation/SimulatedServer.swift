import AccessPolicy
import ChangeRules
import DefinitionModel
import NativeCalls
import SyncEngine
import SyncProtocol
import Synchronization
import UserAccounts

/// The engine with its store, clock and users, as one process or as several that answer in turn.
struct SimulatedServer: Sendable {
    /// The store itself, without a mutation.
    let referenceStore: any Store & AccountStore
    private var engines: [Engine]
    private let stores: [any Store]
    /// The stores of the processes, without a mutation.
    private let accountStores: [any AccountStore]
    /// Selects the process that answers.
    private var turn = 0
    private let scenario: Scenario
    /// The rules of all deployed definitions; the last ones are current.
    private(set) var versions: [Rules]
    /// Whether a field is required that was not at first.
    private(set) var requiresField = false
    private var openedSessions = 0
    var now = Instant(milliseconds: 1_800_000_000_000)

    private static let environment = "simulation"

    init(_ scenario: Scenario) async throws {
        self.scenario = scenario
        let all = try await scenario.stores()
        guard let first = all.first else { throw StoreError.failed("no process has a store") }
        referenceStore = first
        accountStores = all
        stores = all.map { scenario.mutation.store($0) }
        let deployment = Deployment(
            of: scenario.definition, source: [], at: now, instance: "simulated",
            replacing: nil, after: [])
        let deployed = try await referenceStore.deploy(
            to: Self.environment, deciding: deployment.decide
        ).get()
        versions = [Rules(scenario.definition)]
        engines = []
        start(in: deployed.state)
    }

    /// The engine of the process that answers now.
    var engine: Engine { engines[turn % engines.count] }

    private var store: any Store { stores[turn % stores.count] }

    /// The current rules, without a mutation.
    var rules: Rules { versions[versions.count - 1] }

    /// Replaces all processes; the new ones continue with what is stored.
    mutating func restart() async throws {
        guard let state = try await store.environment(named: Self.environment) else { return }
        start(in: state)
    }

    private mutating func start(in state: EnvironmentState) {
        engines = stores.map {
            Engine(
                versions, after: scenario.earlierApp?.definition, environment: state, store: $0,
                scenario.mutation, filling: requiresField ? scenario.requiredField : nil)
        }
    }

    /// Does nothing if the definition is the current one.
    mutating func deploy(_ definition: Definition) async throws {
        try await deploy(definition, filling: [])
    }

    /// Deploys the definition that requires a field. Does nothing if there is none, or if it is
    /// required already.
    mutating func requireField() async throws {
        guard let required = scenario.requiredField, !requiresField else { return }
        requiresField = true
        try await deploy(required.definition, filling: [required.rule])
    }

    /// Fills in the next values of a deployment. Returns whether any may be left.
    mutating func fill() async throws -> Bool {
        let pending = try await referenceStore.fills().first { !$0.fill.isDone }
        guard let stored = pending else { return false }
        turn += 1
        let next = try await engine.advance(
            stored.fill, by: engine.rules.fills, ofDeployment: stored.deployment, at: now)
        try await referenceStore.update(next, ofDeployment: stored.deployment)
        return true
    }

    private mutating func deploy(
        _ definition: Definition, filling fills: [FillRule]
    ) async throws {
        guard definition.fingerprint != rules.definition.fingerprint,
            let state = try await store.environment(named: Self.environment)
        else { return }
        let deployment = Deployment(
            of: definition, source: [], at: now, instance: state.instance, replacing: state,
            after: versions.map { DeployedDefinition($0.definition, sequence: nil) },
            filling: fills)
        _ = try await store.deploy(to: Self.environment, deciding: deployment.decide).get()
        versions.append(Rules(definition))
        try await restart()
    }
}

extension Engine {
    fileprivate init(
        _ versions: [Rules], after first: Definition?, environment: EnvironmentState,
        store: any Store, _ mutation: Mutation, filling required: RequiredField?
    ) {
        let definitions = (first.map { [$0] } ?? []) + versions.map(\.definition)
        let rules = definitions.map { definition in
            let definition = mutation.definition(definition)
            return Rules(
                definition, filling: FillRules(required.map { [$0.rule] } ?? [], for: definition))
        }
        self.init(
            rules: rules[rules.count - 1], formerly: Array(rules.dropLast()),
            environment: environment, store: store, seal: .none, limits: .ofSimulation)
    }
}

extension Limits {
    /// So small that histories are read inside transactions as well as before them, and that
    /// related records are not always looked at.
    fileprivate static let ofSimulation: Limits = {
        var limits = Limits()
        limits.pushHistoryEntries = 2
        limits.relatedRecords = 5
        return limits
    }()
}

extension CursorSeal {
    /// Cursors need no protection from forgery here.
    fileprivate static let none = CursorSeal(
        seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) })
}

// MARK: - Administration

extension SimulatedServer {
    private var accountStore: any AccountStore { accountStores[turn % accountStores.count] }

    private var accounts: UserDirectory {
        UserDirectory(
            store: accountStore, environment: engine.environment, definition: scenario.definition)
    }

    /// A password is its own hash here; `Secrets` is tested separately.
    func add(_ participant: Participant) async throws {
        let isThere = try await accounts.list().contains { $0.login == participant.login }
        guard !isThere else { return }
        try await accounts.add(
            login: participant.login, group: participant.group, mail: "", isAdmin: false,
            passwordHash: participant.login)
    }

    func move(_ login: String, to group: String) async throws {
        try await accounts.edit(login, UserEdit(group: group))
    }

    func endSessions(of login: String) async throws {
        try await accounts.edit(login, UserEdit(passwordHash: login))
    }

    /// Does nothing if the record does not exist.
    func reassign(
        _ guid: String, of model: String, to ownership: NewOwnership
    ) async throws(SyncError) {
        guard let role = rules.definition.roles.first else { return }
        let admin = Caller(
            asker: Asker(login: "admin", group: role.group, role: role),
            deviceIdentifier: "office", isAdmin: true, moment: .none)
        do {
            _ = try await engine.reassign(guid, of: model, to: ownership, by: admin, at: now)
        } catch .recordUnknown {
            return
        }
    }

    func sweep(before moment: Instant) async throws(SyncError) {
        _ = try await engine.sweep(before: moment)
    }
}

// MARK: - Requests

extension SimulatedServer {
    mutating func signIn(_ participant: Participant) async throws(SyncError) -> ClientSession {
        turn += 1
        openedSessions += 1
        let hash = Array("\(openedSessions)".utf8)
        let answer = try await AccountEngine(engine: engine, store: accountStore).signIn(
            SessionRequest(
                login: participant.login, password: participant.login,
                deviceCategory: participant.deviceCategory,
                deviceIdentifier: participant.deviceIdentifier),
            token: NewToken(text: "", hash: hash), at: now
        ) { password, hash in password == hash }
        return ClientSession(
            tokenHash: hash,
            role: Role(group: answer.group, deviceCategory: participant.deviceCategory),
            version: versions.count - 1)
    }

    /// Authenticates a request; the process that did so also answers it.
    mutating func caller(_ tokenHash: [UInt8]) async throws(SyncError) -> Caller {
        turn += 1
        return try await engine.identify(tokenHash: tokenHash, at: now)
    }

    /// The asker on a device by the stored accounts, whatever the engine returns.
    func trueAsker(for participant: Participant) async throws(InvariantViolation) -> Asker {
        do {
            let user = try await referenceStore.user(participant.login, in: engine.environment)
            let group = user?.group ?? participant.group
            return Asker(
                login: participant.login, group: group,
                role: Role(group: group, deviceCategory: participant.deviceCategory))
        } catch {
            throw InvariantViolation(.everyRequestIsAnswered, "the users cannot be read: \(error)")
        }
    }

    /// The sequence of the last change.
    func sequence() async throws(StoreError) -> Int64 {
        try await referenceStore.environment(named: Self.environment)?.sequence ?? 0
    }

    /// Decides a request whose caller has gone once its first change is decided. Nobody
    /// needs to know why it would be refused.
    mutating func abandon(_ request: SyncRequest, tokenHash: [UInt8]) async {
        guard let caller = try? await caller(tokenHash) else { return }
        let asked = Atomic(0)
        _ = try? await engine.answer(
            scenario.mutation.request(request), from: caller, at: now,
            whileWanted: { asked.add(1, ordering: .relaxed).oldValue == 0 })
    }

    /// Answers a request of an earlier app as the route of the server does.
    func answer(
        _ request: SyncRequest, from caller: Caller, with app: EarlierApp
    ) async throws -> SyncResponse {
        let mutation = scenario.mutation
        let request = app.former(mutation.request(request))
        let response: SyncResponse
        if let client = mutation.client(engine, app.definition.fingerprint) {
            response = try await client.sync(request, from: caller, at: now)
        } else {
            response = try await engine.sync(request, from: caller, at: now)
        }
        return mutation.response(try app.present(response))
    }

    /// Answers a request as the route of the server does.
    func answer(
        _ request: SyncRequest, from caller: Caller
    ) async throws(SyncError) -> SyncResponse {
        scenario.mutation.response(
            try await engine.sync(scenario.mutation.request(request), from: caller, at: now))
    }
}
