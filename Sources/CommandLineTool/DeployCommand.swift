import ArgumentParser
import DefinitionModel
import SyncEngine

struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Make a definition the current one of an environment.",
        discussion: """
            The environment is created if it does not exist. A deployment is refused, without \
            effect, if stored values do not have the type of their field, or are duplicates in a \
            unique field. Stored data of models and fields with an earlier name (the attribute \
            'renamedFrom') is renamed. An environment belongs to one application, by vendor and \
            name, and accepts no definition of another. Running servers use the new definition \
            immediately.
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
            Terminal.printMessage("\(place) has this definition already")
        } else {
            let deployed = try await database.deploy(
                file, to: settings.environment, replacing: present)
            Terminal.printMessage("deployed to \(place), \(versionName(of: deployed.state))")
            if deployed.renamedRecords > 0 {
                Terminal.printMessage("records with new names: \(deployed.renamedRecords)")
            }
        }
        try database.close()
    }
}
