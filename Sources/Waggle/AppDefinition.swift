import DefinitionModel
import JSON
import SyncProtocol

/// A checked definition, as a client needs it. Generated code has one.
public struct AppDefinition: Sendable {
    let definition: Definition

    /// Takes what `waggle compile` writes.
    public init(json: String) throws(DefinitionError) {
        do {
            let compiled = try decodeMessage(CompiledDefinition.self, from: Array(json.utf8))
            definition = try compiled.definition()
        } catch {
            throw DefinitionError(reason: "\(error)")
        }
    }

    public var application: String { definition.application }

    /// Names the content; the server knows which one it was deployed with.
    public var digest: String { definition.digest }
}

/// Why a text is no compiled definition.
public struct DefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
    let reason: String

    public var description: String {
        "this is no compiled definition, make it with 'waggle compile': \(reason)"
    }
}
