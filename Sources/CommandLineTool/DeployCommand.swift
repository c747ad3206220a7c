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

            Original Mobeelizer clients name their local database after the instance of the \
            environment. With the instance that they know from another server, they keep their \
            data. It can be set until the first user signs in:

              waggle deploy application.xml --instance 6f3ab0f2-6a5c-4c39-8d43-0a2f3c4b5d6e
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @Option(
        help: ArgumentHelp(
            "The instance of the environment, if clients know it by one already.",
            valueName: "guid"))
    var instance: String?

    @OptionGroup var options: DatabaseOptions

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws {
        if let instance, !isGuid(instance) {
            throw ValidationError(
                "'\(instance)' is not a guid; write it as clients have it, such as "
                    + "6f3ab0f2-6a5c-4c39-8d43-0a2f3c4b5d6e")
        }
    }

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let file = try DefinitionFile(file, within: limits.limits())
        let database = try await OpenDatabase(settings.database, creating: true)
        let present = try await database.environment(named: settings.environment)
        let place = "environment '\(settings.environment)' of \(settings.database)"
        if let present, present.fingerprint == file.definition.fingerprint,
            instance?.hasSameBytes(as: present.instance) ?? true
        {
            Terminal.printMessage("\(place) has this definition already")
        } else {
            let deployed = try await database.deploy(
                file, to: settings.environment, instance: instance, replacing: present)
            Terminal.printMessage("deployed to \(place), \(versionName(of: deployed.state))")
            if instance != nil {
                Terminal.printMessage("its instance is \(deployed.state.instance)")
            }
            if deployed.renamedRecords > 0 {
                Terminal.printMessage("records with new names: \(deployed.renamedRecords)")
            }
        }
        try database.close()
    }
}
