import DefinitionCompiler
import SyncServer

/// Reasons why a server does not start.
extension ToolFailure {
    init(_ error: ListenError) {
        self.init(
            .machineFailed,
            "cannot serve on \(error.host), port \(error.port): \(error.reason)",
            help: "choose another --host or --port, or --metrics-host or --metrics-port, or "
                + "end the program that has it")
    }

    /// A database has other environments than the named one, which would have no users and no
    /// records.
    init(noEnvironment name: String, beside others: [String], in database: String, file: String) {
        let known = others.sorted().map { "'\($0)'" }.joined(separator: ", ")
        let place = "--database \(database) --environment \(name)"
        self.init(
            .inputAtFault, "'\(database)' has no environment '\(name)', but has \(known)",
            help: (nearest(to: name, in: others).map { "did you mean '\($0)'? " } ?? "")
                + "a new one is empty: make it with 'waggle deploy \(file) \(place)', and add "
                + "its users with 'waggle user add LOGIN --group GROUP \(place)'")
    }
}
