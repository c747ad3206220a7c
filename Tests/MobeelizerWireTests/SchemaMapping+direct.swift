import DefinitionModel
import SyncEngine
import VersionTranslation

@testable import MobeelizerWire

extension SchemaMapping {
    /// Without versions between these two.
    init(now: Definition, client: Definition) {
        self.init(
            ClientTranslation(of: client, along: VersionPath(from: client, to: now)),
            under: Rules(now))
    }
}
