import DefinitionModel
import SyncProtocol
import Synchronization

@testable import Waggle

/// The apps of a definition and its variants, each created once.
final class Apps: Sendable {
    private let made = Mutex<[String: AppDefinition]>([:])

    func app(with definition: Definition) throws -> AppDefinition {
        if let app = made.withLock({ $0[definition.fingerprint] }) { return app }
        let app = try AppDefinition(json: StoredJSON.encode(CompiledDefinition(definition)))
        made.withLock { $0[definition.fingerprint] = app }
        return app
    }
}
