import DefinitionModel
import SyncServer

/// The text on standard output when the server is ready. `created` is the name of an environment
/// that has no users yet.
func banner(
    of served: [ServedEnvironment], in database: OpenDatabase, at host: String, _ port: Int,
    created: String?
) -> String {
    let environments = served.map { environment in
        let definition = environment.definition
        let models = counted(definition.models.count, "model")
        return "environment '\(environment.name)': \(definition.vendor)/\(definition.application) "
            + "(\(models), conflict mode \(definition.conflictMode.rawValue)), "
            + versionName(of: definition)
    }
    let none = "no environment yet: one that is deployed is served at once"
    let group = served.first { $0.name == created }?.definition.groups.first ?? "GROUP"
    let hint = created.map {
        "'\($0)' is new and has no users: add one with 'waggle user add LOGIN --group \(group) "
            + "--database \(database.address) --environment \($0)'"
    }
    return
        (["listening on http://\(authority(host, port))", "database \(database.address)"]
        + (environments.isEmpty ? [none] : environments) + (hint.map { [$0] } ?? []))
        .joined(separator: "\n") + "\n"
}

/// The lines on the administration that follow the banner; empty if the administration is off.
///
/// - Parameter token: The token for the first operator; nil if there is an operator. It is in the
///   fragment of the console's address, which browsers send to nobody.
func administrationBanner(token: String?, console: Bool, at host: String, _ port: Int) -> String {
    let setup = token.map {
        "no operator yet: add the first with POST /admin/v1/setup in 30 minutes, token \($0)\n"
    }
    let page = token.map { "setup#\($0)" } ?? ""
    let line = "console http://\(authority(host, port))/console/\(page)\n"
    return (console ? line : "") + (setup ?? "")
}

/// Host and port as in a URL, which has an IPv6 address in brackets.
private func authority(_ host: String, _ port: Int) -> String {
    host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
}
