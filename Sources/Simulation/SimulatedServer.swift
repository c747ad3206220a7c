import AccessPolicy
import ChangeRules
import DefinitionModel
import NativeCalls
import SyncEngine
import SyncProtocol
import UserAccounts
import VersionTranslation

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
    let scenario: Scenario
    /// The version of each deployment; the last one is current.
    private(set) var deployed: [AppVersion] = []
    /// Their rules, in lasting words.
    private(set) var versions: [Rules] = []
    /// Whether a field is required that was not at first.
    private(set) var requiresField = false
    /// The versions of a definition that changes; nil if it does not change.
    var evolution: EvolutionState?
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
        if scenario.evolves { evolution = EvolutionState(scenario.definition) }
        let version = evolution?.present.version ?? AppVersion(scenario.definition)
        let deployment = Deployment(
            of: version.definition, source: [], at: now, instance: "simulated",
            replacing: nil, after: [])
        let state = try await referenceStore.deploy(
            to: Self.environment, deciding: deployment.decide
        ).get().state
        engines = []
        note(version)
        try await start(in: state)
    }

    /// The engine of the process that answers now.
    var engine: Engine { engines[turn % engines.count] }

    private var store: any Store { stores[turn % stores.count] }

    /// The current rules in lasting words, without a mutation.
    var rules: Rules { versions[versions.count - 1] }

    /// The current version.
    var present: AppVersion { deployed[deployed.count - 1] }

    /// By model, the fields to which deployments bring values.
    var filledFields: [String: Set<String>] {
        guard requiresField, let required = scenario.requiredField else { return present.filled }
        return [required.model: [required.field]]
    }

    private mutating func note(_ version: AppVersion) {
        deployed.append(version)
        versions.append(version.rules)
    }

    /// Replaces all processes; the new ones continue with what is stored.
    mutating func restart() async throws {
        guard let state = try await store.environment(named: Self.environment) else { return }
        try await start(in: state)
    }

    private mutating func start(in state: EnvironmentState) async throws {
        var fills = FillRules.none
        if scenario.evolves { fills = FillRules(of: try await deployedDefinitions(in: state.id)) }
        if requiresField, let required = scenario.requiredField {
            fills = FillRules([required.rule], for: present.definition)
        }
        var names = VersionNames()
        let followsBack = scenario.mutation.knowsNamesBack
        let versions = deployed.map { names.next($0.definition, followsBack: followsBack) }
        engines = stores.map { store in
            Engine(
                versions, after: scenario.earlierApp?.version.definition,
                environment: state, store: store, scenario.mutation, filling: fills)
        }
    }

    private func deployedDefinitions(
        in environment: EnvironmentID
    ) async throws -> [DeployedDefinition] {
        zip(deployed, try await referenceStore.versions(of: environment)).map { version, stored in
            DeployedDefinition(
                version.definition, sequence: stored.sequence, number: stored.number,
                fill: stored.fill)
        }.followingBack
    }

    /// Fills in the next values of a deployment. Returns whether any may be left.
    mutating func fill() async throws -> Bool {
        let pending = try await referenceStore.fills().first { !$0.fill.isDone }
        guard let stored = pending else { return false }
        turn += 1
        let rules =
            scenario.evolves
            ? FillRules(
                of: try await deployedDefinitions(in: engine.environment),
                broughtBy: stored.deployment) : engine.rules.fills
        let next = try await engine.advance(
            stored.fill, by: rules, ofDeployment: stored.deployment, at: now)
        try await referenceStore.update(next, ofDeployment: stored.deployment)
        return true
    }
}

// MARK: - Deployments

extension SimulatedServer {
    /// Does nothing if the definition is the current one.
    mutating func deploy(_ definition: Definition) async throws {
        _ = try await deploy(AppVersion(definition))
    }

    /// Deploys the current version with other rights. Does nothing if it has them already.
    mutating func deploy(variant: Int) async throws {
        guard let evolution else {
            let definition =
                requiresField ? scenario.requiredField?.definition : scenario.definition
            return try await deploy((definition ?? scenario.definition).variant(variant))
        }
        _ = try await deploy(evolution.present.version.variant(variant))
    }

    /// Deploys the definition that requires a field. Does nothing if there is none, or if it is
    /// required already.
    mutating func requireField() async throws {
        guard let required = scenario.requiredField, !requiresField else { return }
        requiresField = true
        _ = try await deploy(AppVersion(required.definition, fills: [required.rule]))
    }

    /// Returns whether the version has been deployed. It is not if it is the current one, or if
    /// what is stored stands against it.
    mutating func deploy(_ version: AppVersion) async throws -> Bool {
        guard version.definition.fingerprint != present.definition.fingerprint,
            let state = try await store.environment(named: Self.environment)
        else { return false }
        var earlier = versions.map { DeployedDefinition($0.definition, sequence: nil) }
        if scenario.evolves { earlier = try await deployedDefinitions(in: state.id) }
        earlier = earlier.map {
            DeployedDefinition(
                scenario.mutation.earlier($0.definition, version.definition),
                sequence: $0.sequence)
        }
        let deployment = Deployment(
            of: scenario.mutation.deployment(version.definition), source: [], at: now,
            instance: state.instance, replacing: state, after: earlier, filling: version.fills)
        switch try await store.deploy(to: Self.environment, deciding: deployment.decide) {
        case .success: break
        case .failure(.typesClash), .failure(.valuesNotUnique): return false
        case .failure(let refusal): throw refusal
        }
        note(version)
        try await restart()
        return true
    }

    /// The engine for an app of another version than the current one; nil for one of that.
    func client(with app: AppVersion) -> ClientEngine? {
        let (version, mutation) = (app.definition.fingerprint, scenario.mutation)
        guard scenario.evolves else { return mutation.client(engine, version) }
        guard version != present.definition.fingerprint else { return nil }
        if deployed.contains(where: { $0.definition.fingerprint == version }) {
            return mutation.client(engine, version)
        }
        let path = VersionPath(from: app.definition, to: engine.rules.definition)
        return engine.serving(ClientTranslation(of: app.definition, along: path))
    }
}

extension Engine {
    fileprivate init(
        _ definitions: [Definition], after first: Definition?, environment: EnvironmentState,
        store: any Store, _ mutation: Mutation, filling fills: FillRules
    ) {
        let all = (first.map { [$0] } ?? []) + definitions
        let last = all.count - 1
        let versions = all.map(mutation.definition)
        let former = mutation.knowsCursors ? versions[..<last] : []
        self.init(
            rules: Rules(
                versions[last], filling: mutation.knowsFills ? fills : .none),
            formerly: former.map { Rules($0) }, along: versions,
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
            passwordHash: participant.login, at: now)
    }

    func move(_ login: String, to group: String) async throws {
        try await accounts.edit(login, UserEdit(group: group), at: now)
    }

    func endSessions(of login: String) async throws {
        try await accounts.edit(login, UserEdit(passwordHash: login), at: now)
    }

    /// Does nothing if the record does not exist.
    func reassign(
        _ guid: String, of model: String, to ownership: NewOwnership
    ) async throws(SyncError) {
        guard let role = rules.definition.roles.first, rules.model(named: model) != nil else {
            return
        }
        let admin = Caller(
            asker: Asker(login: "admin", group: role.group, role: role),
            deviceIdentifier: "office", isAdmin: true, moment: .none)
        do {
            _ = try await engine.reassign(
                guid, of: present.vocabulary.own(model), to: ownership, by: admin, at: now)
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
}
