package import AccessPolicy
package import ChangeRules
import DefinitionCompiler
package import DefinitionModel
package import Foundation
package import JSON
import NativeCalls
package import SQLiteStore
package import SyncEngine
package import SyncProtocol
package import UserAccounts

/// An engine on a database in a temporary folder, with users who push and pull.
package final class TestBench: Sendable {
    package let engine: Engine
    package let store: SQLiteDatabase
    package let folder: URL

    /// - Parameter naming: Nil for an engine that serves no opaque ids.
    package init(
        _ document: String, limits: Limits = Limits(), naming: RecordNaming? = nil,
        observer: (any EngineObserver)? = nil
    ) async throws {
        folder = FileManager.default.temporaryDirectory
            .appending(path: "waggle-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        store = try SQLiteDatabase(
            path: folder.appending(path: "test.sqlite").path, observer: observer)
        engine = try await deployed(
            document, to: "test", on: store, limits: limits, naming: naming)
    }

    deinit {
        try? store.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Deploys another definition, and returns the engine of a restarted server.
    package func deploying(
        _ document: String, to environment: String = "test", filling fills: [FillRule] = []
    ) async throws -> Engine {
        try await deployed(
            document, to: environment, on: store, limits: engine.limits, naming: engine.naming,
            filling: fills)
    }

    package var accountEngine: AccountEngine { AccountEngine(engine: engine, store: store) }

    package var accounts: UserDirectory {
        UserDirectory(
            store: store, environment: engine.environment, definition: engine.rules.definition)
    }

    package func person(_ login: String, group: String = "users", device: String? = nil) -> Person {
        let role = Role(group: group, deviceCategory: "mobile")
        return Person(
            bench: self, asker: Asker(login: login, group: group, role: role),
            device: device ?? "\(login)-phone")
    }
}

/// Deploys a definition, and returns an engine for it.
private func deployed(
    _ document: String, to environment: String, on store: SQLiteDatabase, limits: Limits,
    naming: RecordNaming? = nil, filling fills: [FillRule] = []
) async throws -> Engine {
    let definition = try checked(document)
    let present = try await store.environment(named: environment)
    var versions: [DeployedDefinition] = []
    if let present {
        versions = try await store.versions(of: present.id).map { version in
            DeployedDefinition(
                try checked(String(decoding: version.source, as: UTF8.self)),
                sequence: version.sequence, number: version.number, fill: version.fill,
                followsBack: version.followsBack)
        }
    }
    let deployment = Deployment(
        of: definition, source: Array(document.utf8), at: Instant(milliseconds: 0),
        instance: UUID().uuidString, replacing: present, after: versions,
        filling: fills)
    let deployed = try await store.deploy(to: environment, deciding: deployment.decide).get()
    versions.append(
        DeployedDefinition(
            definition, sequence: 0, number: deployed.state.deployment,
            fill: fills.isEmpty ? nil : DeploymentFill(fills)))
    versions = versions.followingBack
    return Engine(
        rules: Rules(deployment.definition, filling: FillRules(of: versions)),
        formerly: versions.dropLast().map { Rules($0.definition) },
        environment: deployed.state, store: store, seal: .plain, naming: naming, limits: limits)
}

extension CursorSeal {
    /// Leaves cursors readable.
    package static let plain = CursorSeal(
        seal: { String(decoding: $0, as: UTF8.self) }, open: { Array($0.utf8) })
}

/// A user on a device. Stateless: cursors hold the progress.
package struct Person: Sendable {
    package let bench: TestBench
    package let asker: Asker
    package let device: String

    /// Uses the bench's engine by default. Checks that the encoded answer equals that of an
    /// ordinary encoder.
    package func sync(
        _ changes: [ChangeMessage] = [], with engine: Engine? = nil, cursor: String? = nil,
        limit: Int? = nil, acknowledging: [String] = [], at milliseconds: Int64 = 1000
    ) async throws -> SyncResponse {
        let answer = try await (engine ?? bench.engine).answer(
            SyncRequest(
                cursor: cursor, limit: limit, changes: changes, acknowledged: acknowledging),
            from: try await caller(), at: Instant(milliseconds: milliseconds))
        let message = try answer.message()
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let written = String(decoding: try answer.json(), as: UTF8.self)
        let expected = String(decoding: try encoder.encode(message), as: UTF8.self)
        guard written == expected else {
            throw BenchFailure("the answer is \(written), an encoder writes \(expected)")
        }
        return message
    }

    /// The caller as after signing in.
    package func caller(isAdmin: Bool = false) async throws -> Caller {
        let afterAll = PageRequest(
            environment: bench.engine.environment, afterSequence: 1 << 39, limit: 1,
            maxScanned: 1, maxBytes: 1, skipsDeleted: false, knownSequence: 0)
        let purgeHorizon = try await bench.store.page(afterAll).purgeHorizon
        let state = try await bench.store.environment(named: "test")
            .orFail("there is no environment 'test'")
        return Caller(
            asker: asker, deviceIdentifier: device, isAdmin: isAdmin,
            moment: EnvironmentMoment(
                deployment: state.deployment, sequence: state.sequence, purgeHorizon: purgeHorizon))
    }

    package func push(_ changes: ChangeMessage...) async throws -> [OutcomeMessage] {
        try await sync(changes).outcomes
    }

    /// All visible records, from all pages.
    package func everything(limit: Int = 100) async throws -> [RecordMessage] {
        var records: [RecordMessage] = []
        var cursor: String?
        while true {
            let answer = try await sync(cursor: cursor, limit: limit)
            records += answer.records
            cursor = answer.cursor
            if !answer.more { return records }
        }
    }

    package func record(_ guid: String) async throws -> RecordMessage? {
        try await everything().last { $0.guid == guid }
    }
}

/// The compiled definition, without the analysis of its rights.
package func checked(_ document: String) throws -> Definition {
    let source = SourceFile(name: "application.xml", bytes: Array(document.utf8))
    let compilation = recompile(source)
    return try compilation.definition.orFail(renderForPeople(compilation, of: source))
}

/// A guid for a number.
package func guid(_ number: Int) -> String {
    let digits = String(number, radix: 16)
    return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
}

package func create(
    _ number: Int, id: String? = nil, model: String = "Note", _ fields: [String: JSONValue]
) -> ChangeMessage {
    ChangeMessage(
        id: id ?? "create-\(number)", action: .create, model: model, guid: guid(number),
        fields: fields)
}

package func update(
    _ number: Int, id: String, base: Int64?, model: String = "Note", _ fields: [String: JSONValue]
) -> ChangeMessage {
    ChangeMessage(
        id: id, action: .update, model: model, guid: guid(number), base: base, fields: fields)
}

package func delete(
    _ number: Int, id: String, base: Int64?, model: String = "Note"
) -> ChangeMessage {
    ChangeMessage(id: id, action: .delete, model: model, guid: guid(number), base: base)
}

package func resolve(
    _ number: Int, id: String, base: Int64?, _ fields: [String: JSONValue] = [:]
) -> ChangeMessage {
    ChangeMessage(
        id: id, action: .resolve, model: "Note", guid: guid(number), base: base, fields: fields)
}
