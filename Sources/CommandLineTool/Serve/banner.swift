import DefinitionModel
import SyncServer

/// The text on standard output when the server is ready.
func banner(
    of served: [ServedEnvironment], in database: OpenDatabase, at host: String, _ port: Int
) -> String {
    let environments = served.map { environment in
        let definition = environment.definition
        let models = definition.models.count == 1 ? "1 model" : "\(definition.models.count) models"
        return "environment '\(environment.name)': \(definition.vendor)/\(definition.application) "
            + "(\(models), conflict mode \(definition.conflictMode.rawValue)), "
            + versionName(of: definition)
    }
    let none = "no environment yet: one that is deployed is served at once"
    return
        (["listening on http://\(host):\(port)", "database \(database.address)"]
        + (environments.isEmpty ? [none] : environments)).joined(separator: "\n") + "\n"
}
