import ArgumentParser
import DefinitionModel
import SyncEngine

struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Make a definition the current one of an environment.",
        discussion: """
            The environment is made if it is not there. A definition under which stored values \
            would be of another type than their field, or be there more than once where they would \
            be unique, is refused, and nothing is changed. What a model or a field was called \
            before (its attribute 'renamedFrom') is stored under its new name then. An environment \
            belongs to one application, by vendor and name, and takes no definition of another. \
            Servers that are running go on with the new definition at once.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var options: DatabaseOptions

    @OptionGroup var limits: CompilerLimitOptions

    func run() async throws {
        let settings = try await Settings(options)
        let file = try DefinitionFile(file, within: limits.limits())
        let database = try await OpenDatabase(settings.database, creating: true)
        let present = try await database.environment(named: settings.environment)
        let place = "environment '\(settings.environment)' of \(settings.database)"
        if present?.fingerprint == file.definition.fingerprint {
            Terminal.tell("\(place) has this definition already")
        } else {
            let deployed = try await database.deploy(
                file, to: settings.environment, replacing: present)
            Terminal.tell("deployed to \(place), \(versionName(of: deployed.state))")
            if deployed.renamedRecords > 0 {
                Terminal.tell("records with new names: \(deployed.renamedRecords)")
            }
        }
        try database.close()
    }
}
