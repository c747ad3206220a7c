import Administration
import ChangeRules
import DefinitionCompiler
import DefinitionModel
import FileExchange
import Notifications
import Secrets
import SyncEngine
import SyncServer
import UserAccounts
import WholeRecordSync

/// The environments of an open database.
struct DatabaseEnvironments: EnvironmentSource {
    let database: OpenDatabase
    let limits: Limits
    let senders: NotificationSenders
    let deliveries: [any NotificationDelivery]

    /// The number of former versions whose cursors are followed. Clients with older cursors start
    /// over, and are served in the words of their own version all the same.
    private static let mostFormer = 64

    func checkHealth() async throws(SyncError) {
        do {
            try await database.store.checkHealth()
        } catch {
            throw .store(error)
        }
    }

    func deployments() async throws(SyncError) -> [EnvironmentDeployment] {
        do {
            return try await database.store.environments().filter {
                EnvironmentName.isLegal($0.name)
            }
        } catch {
            throw .store(error)
        }
    }

    func load(_ name: String) async throws(SyncError) -> ServedEnvironment? {
        guard EnvironmentName.isLegal(name) else { return nil }
        do {
            guard let state = try await database.store.environment(named: name) else { return nil }
            return try await environment(state)
        } catch {
            throw .store(error)
        }
    }

    func definition(
        withFingerprint fingerprint: String
    ) async throws(SyncError) -> Definition? {
        do {
            return compiled(try await database.store.catalogSource(withFingerprint: fingerprint))
        } catch {
            throw .store(error)
        }
    }

    func definition(withDigest digest: String) async throws(SyncError) -> Definition? {
        do {
            return compiled(try await database.store.catalogSource(withDigest: digest))
        } catch {
            throw .store(error)
        }
    }

    private func compiled(_ source: [UInt8]?) -> Definition? {
        source.flatMap { recompile(SourceFile(name: "", bytes: $0)).definition }
    }

    func fingerprint(ofVersion name: String) async throws(SyncError) -> String? {
        do {
            return try await database.store.catalogVersion(named: name)?.fingerprint
        } catch {
            throw .store(error)
        }
    }

    private func environment(
        _ state: EnvironmentState
    ) async throws(StoreError) -> ServedEnvironment {
        let written = try currentDefinition(of: state)
        let stored = try await database.store.versions(of: state.id)
        let deployed = deployedDefinitions(stored)
        let definition =
            deployed.last { $0.definition.fingerprint == written.fingerprint }?.definition
            ?? written
        let versions = deployed.map(\.definition)
        let former = distinct(versions, besides: state.fingerprint)
        let store = database.store
        let brought = stored.contains { $0.fill != nil } ? deployed : []
        let engine = Engine(
            rules: Rules(definition, filling: FillRules(of: brought)),
            formerly: former.suffix(Self.mostFormer).map { Rules($0) },
            along: versions, environment: state, store: store,
            seal: try await cursorSeal(of: state),
            naming: try await naming(of: state), limits: limits)
        return ServedEnvironment(
            state, engine: engine, accounts: AccountEngine(engine: engine, store: store),
            files: FileEngine(engine: engine, store: store, blobs: database.blobs),
            notifications: NotificationEngine(
                engine: engine, store: store, senders: senders, deliveries: deliveries),
            tickets: TicketEngine(engine: engine, store: store),
            formerDefinitions: versions.dropLast(),
            fills: Dictionary(
                brought.compactMap { version in
                    version.fill.map { _ in
                        (version.number, FillRules(of: brought, broughtBy: version.number))
                    }
                }, uniquingKeysWith: { first, _ in first }))
    }

    /// All versions, each compiled once, with the names that they follow back. One that this
    /// compiler rejects is left out.
    private func deployedDefinitions(_ versions: [StoredVersion]) -> [DeployedDefinition] {
        var compiled: [[UInt8]: Definition?] = [:]
        return versions.compactMap { version in
            let definition =
                compiled[version.source]
                ?? recompile(SourceFile(name: "", bytes: version.source)).definition
            compiled[version.source] = definition
            return definition.map {
                DeployedDefinition(
                    $0, sequence: version.sequence, number: version.number, fill: version.fill,
                    followsBack: version.followsBack)
            }
        }.followingBack
    }

    private func currentDefinition(
        of state: EnvironmentState
    ) throws(StoreError) -> Definition {
        let compilation = recompile(SourceFile(name: "", bytes: state.source))
        guard let definition = compilation.definition else {
            let reason = compilation.diagnostics.first { $0.severity == .error }?.message ?? ""
            throw .unreadable(
                "this version of waggle does not take the definition of environment "
                    + "'\(state.name)': \(reason)", remedy: .laterWaggle)
        }
        guard definition.fingerprint == state.fingerprint else {
            throw .unreadable(
                "the definition of environment '\(state.name)' was deployed by another version "
                    + "of waggle", remedy: .laterWaggle)
        }
        return definition
    }

    /// The versions with other fingerprints, each once, in the order of their last deployment.
    private func distinct(
        _ versions: [Definition], besides fingerprint: String
    ) -> [Definition] {
        var fingerprints: Set<String> = [fingerprint]
        return versions.reversed()
            .filter { fingerprints.insert($0.fingerprint).inserted }.reversed()
    }

    /// Derives the guids of opaque ids with the key of the environment.
    private func naming(of state: EnvironmentState) async throws(StoreError) -> RecordNaming {
        RecordNaming(
            key: try await database.store.key(
                .names, of: state.id, orStoring: TokenSeal.makeKey()))
    }

    /// Seals cursors with the key of the environment.
    private func cursorSeal(of state: EnvironmentState) async throws(StoreError) -> CursorSeal {
        let key = try await database.store.key(
            .cursors, of: state.id, orStoring: TokenSeal.makeKey())
        let seal = TokenSeal(key: key)
        return CursorSeal(seal: { seal.seal($0) }, open: { seal.open($0) })
    }
}
