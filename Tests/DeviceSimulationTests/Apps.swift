import DefinitionModel
import SyncProtocol
import Synchronization

@testable import Waggle

/// The apps of definitions, each created once. Several histories have other definitions by the same
/// fingerprint.
final class Apps: Sendable {
    private let made = Mutex<[Definition: AppDefinition]>([:])

    func app(with definition: Definition) throws -> AppDefinition {
        if let app = made.withLock({ $0[definition] }) { return app }
        let app = try AppDefinition(json: StoredJSON.encode(CompiledDefinition(definition)))
        made.withLock { $0[definition] = app }
        return app
    }
}
