import Administration
import ArgumentParser
import DefinitionModel
import JSON
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

            Every deployed definition becomes a version of the database. --version deploys one \
            again, to this or another environment: the way back to an earlier one. To a locked \
            environment, see 'waggle lock', only the token of a deployer in WAGGLE_DEPLOY_TOKEN \
            deploys.

            Original Mobeelizer clients name their local database after the instance of the \
            environment. With the instance that they know from another server, they keep their \
            data. It can be set until the first user signs in:

              waggle deploy application.xml --instance 6f3ab0f2-6a5c-4c39-8d43-0a2f3c4b5d6e
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A version of the database instead of a file, by number or tag.", valueName: "version"))
    var version: String?

    @Option(
        help: ArgumentHelp(
            "The instance of the environment, if clients know it by one already.",
            valueName: "guid"))
    var instance: String?

    @OptionGroup var options: DatabaseOptions

    @OptionGroup var limits: CompilerLimitOptions

    func validate() throws {
        guard (file == nil) != (version == nil) else {
            throw ValidationError("name either a file or a --version")
        }
        if let instance, !isGuid(instance) {
            throw ValidationError(
                "'\(instance)' is not a guid; write it as clients have it, such as "
                    + "6f3ab0f2-6a5c-4c39-8d43-0a2f3c4b5d6e")
        }
    }

    func run() async throws {
        let settings = try await Settings(options)
        let sent = try file.map { try DefinitionFile($0, within: limits.limits()) }
        let database = try await OpenDatabase(settings.database, creating: sent != nil)
        let file = try await definition(sent, in: database)
        let present = try await database.environment(named: settings.environment)
        let place = "environment '\(settings.environment)' of \(settings.database)"
        let author = try await DeploymentAuthor.current(
            in: settings.environment, of: database)
        if let present, present.fingerprint == file.definition.fingerprint,
            instance?.hasSameBytes(as: present.instance) ?? true
        {
            Terminal.printMessage("\(place) has this definition already")
        } else {
            try await database.log(
                .deploy, environment: settings.environment, target: file.definition.fingerprint,
                before: JSONValue(text: present?.fingerprint),
                after: .string(file.definition.fingerprint), by: author.name)
            let deployed = try await database.deploy(
                file, to: settings.environment, instance: instance, replacing: present,
                by: author)
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

    /// The definition of the file or of the version.
    private func definition(
        _ sent: DefinitionFile?, in database: OpenDatabase
    ) async throws -> DefinitionFile {
        if let sent { return sent }
        return try await database.definitionFile(
            try await database.catalogVersion(version ?? ""))
    }
}
