import DefinitionModel
import JSON
import SyncProtocol

/// A checked definition, as a client needs it. Generated code has one.
public struct AppDefinition: Sendable {
    let definition: Definition

    /// Reads the JSON that `waggle compile` writes. Throws if the text is anything else.
    public init(json: String) throws(DefinitionError) {
        do {
            let compiled = try decodeMessage(CompiledDefinition.self, from: Array(json.utf8))
            definition = try compiled.definition()
        } catch {
            throw DefinitionError(reason: "\(error)")
        }
    }

    /// The name of the application, as the definition has it.
    public var application: String { definition.application }

    /// Names the content of the definition: a SHA-256 in 64 hexadecimal digits.
    public var digest: String { definition.digest }

    /// Names the content including what only Waggle knows, in the form of the digest. The server
    /// answers an app in the words of the version with this fingerprint.
    public var fingerprint: String { definition.fingerprint }
}

/// The reason why a text is not a compiled definition.
public struct DefinitionError: Error, Hashable, Sendable, CustomStringConvertible {
    let reason: String

    /// The reason, and how to get a compiled definition.
    public var description: String {
        "this is no compiled definition, make it with 'waggle compile': \(reason)"
    }
}
