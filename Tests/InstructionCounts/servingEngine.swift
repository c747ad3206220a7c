import DefinitionCompiler
import DefinitionModel
import Foundation
import SQLiteStore
import Secrets
import SyncEngine

/// An engine for a definition, which is deployed if necessary.
func servingEngine(of source: [UInt8], on store: SQLiteDatabase) async throws -> Engine {
    let compilation = compile(SourceFile(name: "application.xml", bytes: source))
    guard let definition = compilation.definition else {
        throw WrongDefinition(description: "\(compilation.diagnostics)")
    }
    let environment = try await environment(of: definition, source, on: store)
    let seal = TokenSeal(key: [UInt8](repeating: 7, count: 32))
    return Engine(
        rules: Rules(definition), formerly: [], environment: environment, store: store,
        seal: CursorSeal(seal: { seal.seal($0) }, open: { seal.open($0) }),
        naming: RecordNaming(key: [UInt8](repeating: 9, count: 32)))
}

private func environment(
    of definition: Definition, _ source: [UInt8], on store: SQLiteDatabase
) async throws -> EnvironmentState {
    if let present = try await store.environment(named: "counts") { return present }
    let deployment = Deployment(
        of: definition, source: source, at: Instant(milliseconds: 0),
        instance: guid("instance", 0), replacing: nil, after: [])
    return try await store.deploy(to: "counts", deciding: deployment.decide).get().state
}

struct WrongDefinition: Error {
    let description: String
}

extension FilledSite.Person {
    var group: String {
        switch self {
        case .dispatcher: "dispatchers"
        case .technician: "technicians"
        }
    }

    var deviceCategory: String {
        switch self {
        case .dispatcher: "office"
        case .technician: "mobile"
        }
    }

    var token: String {
        switch self {
        case .dispatcher: "dispatcher"
        case .technician: "technician"
        }
    }

    var tokenHash: [UInt8] {
        switch self {
        case .dispatcher: Self.dispatcherHash
        case .technician: Self.technicianHash
        }
    }

    // Made once: a path does not count how its client gets a token.
    private static let dispatcherHash = BearerToken.hash(Self.dispatcher.token)
    private static let technicianHash = BearerToken.hash(Self.technician.token)
}
