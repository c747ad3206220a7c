import AccessPolicy
import DefinitionModel
import NativeCalls
import SyncEngine
import SyncProtocol

/// The engine with its store, its clock and its users: one process, or several that take turns.
struct Server: Sendable {
    /// What is stored, whatever the engine is told.
    let truth: any Store
    private var engines: [Engine]
    private let stores: [any Store]
    /// Of the process whose turn it is.
    private var turn = 0
    private let setting: Setting
    /// Of all definitions that were deployed; the last one is the current one.
    private(set) var versions: [Rules]
    private var openedSessions = 0
    var now = Instant(milliseconds: 1_800_000_000_000)

    private static let environment = "simulation"

    init(_ setting: Setting) async throws {
        self.setting = setting
        let all = try await setting.stores()
        guard let first = all.first else { throw StoreError.failed("no process has a store") }
        truth = first
        stores = all.map(setting.sabotage.store)
        let deployment = Deployment(
            of: setting.definition, source: [], at: now, instance: "simulated",
            replacing: nil, after: [])
        let deployed = try await truth.deploy(
            to: Self.environment, deciding: deployment.decide
        ).get()
        versions = [Rules(setting.definition)]
        engines = []
        start(in: deployed.state)
    }

    /// Of the process that answers now.
    var engine: Engine { engines[turn % engines.count] }

    private var store: any Store { stores[turn % stores.count] }

    /// By which the engine goes, or should.
    var rules: Rules { versions[versions.count - 1] }

    /// The processes end and others take over what is stored.
    mutating func restart() async throws {
        guard let state = try await store.environment(named: Self.environment) else { return }
        start(in: state)
    }

    private mutating func start(in state: EnvironmentState) {
        engines = stores.map {
            Engine(versions, environment: state, store: $0, setting.sabotage)
        }
    }

    /// Does nothing where the definition is the current one.
    mutating func deploy(_ definition: Definition) async throws {
        guard definition.fingerprint != rules.definition.fingerprint,
            let state = try await store.environment(named: Self.environment)
        else { return }
        let deployment = Deployment(
            of: definition, source: [], at: now, instance: state.instance, replacing: state,
            after: versions.map { DeployedDefinition($0.definition, sequence: nil) })
        _ = try await store.deploy(to: Self.environment, deciding: deployment.decide).get()
        versions.append(Rules(definition))
        try await restart()
    }
}

extension Engine {
    fileprivate init(
        _ versions: [Rules], environment: EnvironmentState, store: any Store,
        _ sabotage: Sabotage
    ) {
        let rules = versions.map { Rules(sabotage.definition($0.definition)) }
        self.init(
            rules: rules[rules.count - 1], formerly: rules.dropLast().reversed(),
            environment: environment, store: store, seal: .none)
    }
}

extension CursorSeal {
    /// Here nobody makes cursors up.
    fileprivate static let none = CursorSeal(
        seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) })
}

// MARK: - Administration

extension Server {
    private var accounts: Accounts {
        Accounts(store: store, environment: engine.environment, definition: setting.definition)
    }

    /// A password is its own hash here: what `Secrets` does with them is tested there.
    func add(_ player: Player) async throws {
        let isThere = try await accounts.list().contains { $0.login == player.login }
        guard !isThere else { return }
        try await accounts.add(
            login: player.login, group: player.group, mail: "", isAdmin: false,
            passwordHash: player.login)
    }

    func move(_ login: String, to group: String) async throws {
        try await accounts.edit(login, UserEdit(group: group))
    }

    func endSessions(of login: String) async throws {
        try await accounts.edit(login, UserEdit(passwordHash: login))
    }

    /// Does nothing where there is no such record.
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

extension Server {
    mutating func signIn(_ player: Player) async throws(SyncError) -> ClientSession {
        turn += 1
        openedSessions += 1
        let hash = Array("\(openedSessions)".utf8)
        let answer = try await engine.signIn(
            SessionRequest(
                login: player.login, password: player.login,
                deviceCategory: player.deviceCategory,
                deviceIdentifier: player.deviceIdentifier),
            token: NewToken(text: "", hash: hash), at: now
        ) { password, hash in password == hash }
        return ClientSession(
            tokenHash: hash,
            role: Role(group: answer.group, deviceCategory: player.deviceCategory),
            version: versions.count - 1)
    }

    /// Who asks; what they ask is answered by the process that looked.
    mutating func caller(_ tokenHash: [UInt8]) async throws(SyncError) -> Caller {
        turn += 1
        return try await engine.identify(tokenHash: tokenHash, at: now)
    }

    /// Who asks from a device, whomever the engine takes them for.
    func trueAsker(for player: Player) async throws(BrokenPromise) -> Asker {
        do {
            let user = try await truth.user(player.login, in: engine.environment)
            let group = user?.group ?? player.group
            return Asker(
                login: player.login, group: group,
                role: Role(group: group, deviceCategory: player.deviceCategory))
        } catch {
            throw BrokenPromise(.everyRequestIsAnswered, "the users cannot be read: \(error)")
        }
    }

    /// What a route does with a request.
    func answer(
        _ request: SyncRequest, from caller: Caller
    ) async throws(SyncError) -> SyncResponse {
        setting.sabotage.response(
            try await engine.sync(setting.sabotage.request(request), from: caller, at: now))
    }
}
