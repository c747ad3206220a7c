import DefinitionCompiler
import DefinitionModel
import FileVault
import Foundation
import SQLiteStore
import Secrets
import SyncEngine

/// A database that a command works on.
struct OpenDatabase {
    let store: SQLiteDatabase
    let path: String

    /// With `creating` a file that is not there is made.
    init(
        _ path: String, creating: Bool, commits: CommitLimits = CommitLimits()
    ) throws(ToolFailure) {
        self.path = path
        guard creating || FileManager.default.fileExists(atPath: path) else {
            throw ToolFailure(
                .inputAtFault, "there is no database '\(path)'",
                help: "make it with 'waggle deploy FILE --database \(path)', or name another")
        }
        do {
            store = try SQLiteDatabase(path: path, commits: commits)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    func environment(named name: String) async throws(ToolFailure) -> EnvironmentState? {
        do {
            return try await store.environment(named: name)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    /// Makes the definition current, if it is not, unless another one became it since `present` was
    /// read, or what is stored does not fit it.
    func deploy(
        _ file: DefinitionFile, to name: String, replacing present: EnvironmentState?
    ) async throws -> Deployed {
        let deployment = Deployment(
            of: file.definition, source: file.bytes, at: .now,
            instance: freshGuid(),
            replacing: present, after: try await versions(of: present))
        switch try await deploy(deployment, to: name) {
        case .success(let deployed): return deployed
        case .failure(.isCurrent(let state)): return Deployed(state: state, renamedRecords: 0)
        case .failure(.overtaken):
            throw ToolFailure(
                .inputAtFault, "someone else deployed another definition just now",
                help: "look at it, and try again")
        case .failure(.typesClash(let clashes)):
            throw ToolFailure(clashes, in: file, environment: name)
        case .failure(.valuesNotUnique(let fields)):
            throw ToolFailure(fields, in: file, environment: name)
        }
    }

    private func deploy(
        _ deployment: Deployment, to name: String
    ) async throws(ToolFailure) -> Result<Deployed, DeploymentRefusal> {
        do {
            return try await store.deploy(to: name, deciding: deployment.decide)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    /// Each is compiled once, however often it was deployed.
    private func versions(
        of present: EnvironmentState?
    ) async throws -> [DeployedDefinition] {
        guard let present else { return [] }
        var compiled: [[UInt8]: Definition] = [:]
        return try await storedVersions(of: present).map { version in
            let definition =
                try compiled[version.source]
                ?? definition(stored: version.source, in: present.name)
            compiled[version.source] = definition
            return DeployedDefinition(definition, sequence: version.sequence)
        }
    }

    /// The last versions that were current before, for clients that come from them. One that
    /// today's compiler does not take is left out.
    func formerDefinitions(of present: EnvironmentState) async throws -> [Definition] {
        let mostFormer = 16
        var definitions: [String: Definition] = [:]
        var sources: Set<[UInt8]> = [present.source]
        for version in try await storedVersions(of: present).reversed()
        where definitions.count < mostFormer && sources.insert(version.source).inserted {
            let file = SourceFile(name: "", bytes: version.source)
            if let definition = recompile(file).definition {
                definitions[definition.fingerprint] = definition
            }
        }
        return Array(definitions.values)
    }

    /// Seals cursors with the environment's own key.
    func cursorSeal(of present: EnvironmentState) async throws(ToolFailure) -> CursorSeal {
        do {
            let key = try await store.cursorKey(of: present.id, orStoring: TokenSeal.makeKey())
            let seal = TokenSeal(key: key)
            return CursorSeal(seal: { seal.seal($0) }, open: { seal.open($0) })
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    /// Contents of files lie in a folder beside the database.
    func files(of engine: Engine) -> FileEngine {
        FileEngine(engine: engine, ledger: store, vault: vault)
    }

    func sweepFiles(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(ToolFailure) -> SweptFiles {
        do {
            return try await FileSweep(ledger: store, vault: vault)
                .run(in: environment, before: moment)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    func notifications(
        of engine: Engine, senders: NotificationSenders, deliveries: [any NotificationDelivery]
    ) -> NotificationEngine {
        NotificationEngine(
            engine: engine, ledger: store, senders: senders, deliveries: deliveries)
    }

    func sweepNotifications(
        in environment: EnvironmentID, before moment: Instant
    ) async throws(ToolFailure) -> Int {
        do {
            return try await NotificationSweep(ledger: store).run(in: environment, before: moment)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    private var vault: FolderVault { FolderVault(path: path + ".files") }

    private func storedVersions(
        of present: EnvironmentState
    ) async throws(ToolFailure) -> [StoredVersion] {
        do {
            return try await store.versions(of: present.id)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    private func definition(stored bytes: [UInt8], in name: String) throws -> Definition {
        try DefinitionFile(stored: bytes, environment: name).definition
    }

    func existingEnvironment(named name: String) async throws(ToolFailure) -> EnvironmentState {
        guard let state = try await environment(named: name) else {
            throw ToolFailure(
                .inputAtFault, "'\(path)' has no environment '\(name)'",
                help: "make it with 'waggle deploy FILE --database \(path) --environment \(name)'")
        }
        return state
    }

    func sweep(_ request: SweepRequest) async throws(ToolFailure) -> Swept {
        do {
            return try await store.sweep(request)
        } catch {
            throw ToolFailure(error, database: path)
        }
    }

    func accounts(of name: String) async throws -> Accounts {
        let state = try await existingEnvironment(named: name)
        return Accounts(
            store: store, environment: state.id,
            definition: try definition(stored: state.source, in: name))
    }

    /// Lets go of the file.
    func close() throws(ToolFailure) {
        do {
            try store.close()
        } catch {
            throw ToolFailure(error, database: path)
        }
    }
}

extension Instant {
    static var now: Instant {
        Instant(milliseconds: Int64((Date().timeIntervalSince1970 * 1000).rounded(.down)))
    }
}
