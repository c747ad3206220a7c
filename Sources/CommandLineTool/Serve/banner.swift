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

/// The lines on the administration that follow the banner; empty if the administration is off.
///
/// - Parameter token: That of the first operator; nil if there is an operator. It is in the
///   fragment of the console's address, which browsers send to nobody.
func administrationBanner(token: String?, console: Bool, at host: String, _ port: Int) -> String {
    let address = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    let setup = token.map {
        "no operator yet: add the first with POST /admin/v1/setup in 30 minutes, token \($0)\n"
    }
    let page = token.map { "setup#\($0)" } ?? ""
    return (console ? "console http://\(address)/console/\(page)\n" : "") + (setup ?? "")
}
