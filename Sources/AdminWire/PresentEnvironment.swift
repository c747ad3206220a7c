import Administration
import DefinitionCompiler
import DefinitionModel
import SyncEngine
import SyncServer

/// An environment with its present definition.
struct PresentEnvironment: Sendable {
    let state: EnvironmentState
    let definition: Definition
}

extension AdminExchange {
    /// The environment that the path names. Throws `environmentUnknown`.
    func environment() async throws -> PresentEnvironment {
        let name = try context.pathPart("environment")
        guard let present = try await environment(named: name) else {
            throw HTTPFailure.environmentUnknown(name)
        }
        return present
    }

    /// Nil if there is no such environment.
    func environment(named name: String) async throws -> PresentEnvironment? {
        guard EnvironmentName.isLegal(name) else { return nil }
        let state = try await storing { () async throws(StoreError) in
            try await desk.store.environment(named: name)
        }
        return try state.map { state in
            PresentEnvironment(
                state: state, definition: try definition(stored: state.source))
        }
    }

    /// Throws if this version of Waggle does not take the definition.
    func definition(stored bytes: [UInt8]) throws -> Definition {
        let definition = desk.storedDefinitions.definition(of: bytes) {
            recompile(SourceFile(name: "", bytes: bytes)).definition
        }
        guard let definition else { throw HTTPFailure.versionUnusable() }
        return definition
    }

    /// Compiles a definition of a request. Throws `definitionFaulty`.
    func definition(sent text: String) throws -> Definition {
        let source = SourceFile(name: "", bytes: Array(text.utf8))
        var fault: Diagnostic?
        let definition = desk.sentDefinitions.definition(of: source.bytes) {
            let compilation = compile(source)
            fault = compilation.diagnostics.first { $0.severity == .error }
            return compilation.definition
        }
        guard let definition else { throw HTTPFailure.definitionFaulty(fault) }
        return definition
    }
}
