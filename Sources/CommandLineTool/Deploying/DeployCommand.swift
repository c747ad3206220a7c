import Administration
import ArgumentParser
import ChangeRules
import DefinitionModel
import DefinitionReports
import JSON
import SyncEngine
import UserAccounts

struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Make a definition the current one of an environment.",
        discussion: """
            The environment is created if it does not exist. Otherwise the differences to its \
            present definition are printed, as by 'waggle diff'. A deployment is refused, without \
            effect, if stored values do not have the type of their field, or are duplicates in a \
            unique field. It is also refused if it hides stored values, if stored records break \
            its rules, or if it breaks clients that use the environment. Each of these has a name \
            that the refusal says, with the number of records; --accept takes it:

              waggle deploy application.xml --accept fieldRemoved:Film.score

            Where stored records need values, as in a new required field, the deployment brings \
            them: a value, that of another field of the record, or the default. They are filled \
            in while servers run, and devices get them by their next pull. A deployment that was \
            interrupted goes on in a running server, or when the command is repeated:

              waggle deploy application.xml --fill Film.score=3 --fill-from Film.alt=title

            Stored data of models and fields with an earlier name (the attribute \
            'renamedFrom') is renamed. An environment belongs to one application, by vendor and \
            name, and accepts no definition of another. Running servers use the new definition \
            immediately.

            Every deployed definition becomes a version of the database. --version deploys one \
            again, to this or another environment: the way back to an earlier one. To a locked \
            environment, see 'waggle lock', only the token of a deployer in WAGGLE_DEPLOY_TOKEN \
            deploys.

            With --dry-run, all of this is printed and nothing is deployed. A database of an \
            earlier Waggle is brought up to date all the same, as by every command that opens it. \
            The exit status is 0 if the definition would be deployed, and 1 if it would be \
            refused. The database has to exist:

              waggle deploy application.xml --dry-run

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

    @Option(
        help: ArgumentHelp(
            "A risk to accept, by its name in the refusal; can be repeated.",
            valueName: "name"))
    var accept: [String] = []

    @Flag(help: "Print what would be done, and deploy nothing.")
    var dryRun = false

    @OptionGroup var fills: FillOptions

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
        let settings = try await ResolvedSettings(options)
        let sent = try file.map { try DefinitionFile($0, within: limits.limits()) }
        let database = try await OpenDatabase(settings.database, creating: sent != nil && !dryRun)
        let file = try await definition(sent, in: database)
        let present = try await database.environment(named: settings.environment)
        let place = "environment '\(settings.environment)' of \(settings.database)"
        let author = try await DeploymentAuthor.current(
            in: settings.environment, of: database)
        let rules = fills.rules(for: file.definition)
        if let present, present.fingerprint == file.definition.fingerprint, rules.isEmpty,
            instance?.hasSameBytes(as: present.instance) ?? true
        {
            Terminal.printMessage("\(place) has this definition already")
        } else if dryRun {
            try await database.tryDeployment(
                of: file, to: settings.environment, instance: instance, replacing: present,
                by: author, filling: rules,
                checking: {
                    try await check(file, rules, replacing: present, in: database, by: $0)
                })
            Terminal.printMessage("would deploy to \(place); nothing was changed")
        } else {
            try await deploy(
                file, to: place, settings.environment, replacing: present, in: database,
                by: author, filling: rules)
        }
        if !dryRun { try await completeFills(of: settings.environment, in: database) }
        try database.close()
    }

    private func deploy(
        _ file: DefinitionFile, to place: String, _ name: String,
        replacing present: EnvironmentState?, in database: OpenDatabase,
        by author: DeploymentAuthor, filling rules: [FillRule]
    ) async throws {
        try await database.log(
            .deploy, environment: name, target: file.definition.fingerprint,
            before: present.map { .object(["fingerprint": .string($0.fingerprint)]) },
            after: .object([
                "fingerprint": .string(file.definition.fingerprint),
                "accepting": .array(accept.map { .string($0) }),
                "fill": .array(rules.map(\.json)),
            ]), by: author.name)
        let deployed = try await database.deploy(
            file, to: name, instance: instance, replacing: present, by: author, filling: rules,
            checking: {
                try await check(
                    file, rules, replacing: present, in: database, by: $0, isRepeat: $1)
            })
        Terminal.printMessage("deployed to \(place), \(versionName(of: deployed.state))")
        if instance != nil {
            Terminal.printMessage("its instance is \(deployed.state.instance)")
        }
        if deployed.renamedRecords > 0 {
            Terminal.printMessage("records with new names or types: \(deployed.renamedRecords)")
        }
    }

    private func completeFills(of name: String, in database: OpenDatabase) async throws {
        for stored in try await database.completeFills(of: name) {
            Terminal.printMessage("records with new values: \(stored.fill.filled)")
            if stored.fill.unfilled > 0 {
                Terminal.printMessage("records that still lack one: \(stored.fill.unfilled)")
            }
        }
    }

    /// The definition of the file or of the version.
    private func definition(
        _ sent: DefinitionFile?, in database: OpenDatabase
    ) async throws -> DefinitionFile {
        if let sent { return sent }
        return try await database.definitionFile(
            try await database.catalogVersion(version ?? ""))
    }

    /// Prints the differences. Throws if one of them is neither harmless nor accepted.
    private func check(
        _ file: DefinitionFile, _ rules: [FillRule], replacing present: EnvironmentState?,
        in database: OpenDatabase, by deployment: Deployment, isRepeat: Bool = false
    ) async throws {
        guard let present else { return }
        let old = try DefinitionFile(stored: present.source, environment: present.name)
        let new = deployment.compared
        let comparison = DefinitionComparison(from: old.definition, to: new)
        if isRepeat {
            Terminal.printMessage("records have changed meanwhile, and are counted again")
        } else {
            printDifferences(comparison, ComparedFiles(old: old.name, new: file.name))
        }
        let fills = FillRules(rules, for: new)
        var census = RecordCensus(from: old.definition, to: new, filling: fills)
        let isUsed = try await database.visitRecords(of: present) { guid, model, fields in
            census.add(guid, model: model, fields: fields)
        }
        let faults = FillRule.faults(in: rules, missing: census.missingRecords)
        guard faults.isEmpty else { throw ToolFailure(faults) }
        for field in census.filledFields {
            Terminal.printMessage(
                "records that get a value in '\(field.model).\(field.field)': \(field.records)")
        }
        for line in try await database.prospects(of: deployment, in: present) {
            Terminal.printMessage(line)
        }
        try await printOpenConflicts(of: present, in: database)
        let users = try await database.calling { store throws(StoreError) in
            try await store.userCounts(ofGroups: comparison.removedGroups, in: present.id)
        }
        let risks = deploymentRisks(comparison, census, isUsed: isUsed, users: users)
        let names = Set(risks.map(\.name))
        for name in accept where !names.contains(name) {
            Terminal.printMessage("warning: nothing of this deployment is named '\(name)'")
        }
        let refused = refused(risks, accepting: Set(accept))
        guard refused.isEmpty else { throw ToolFailure(refused, environment: present.name) }
        if dryRun { printAccepted(risks) }
    }

    private func printDifferences(_ comparison: DefinitionComparison, _ files: ComparedFiles) {
        Terminal.write(
            renderAsText(comparison, files: files, style: ColorChoice.auto.reportStyle()))
    }

    /// Conflicts that somebody still has to resolve, with fields that may be gone afterwards.
    private func printOpenConflicts(
        of present: EnvironmentState, in database: OpenDatabase
    ) async throws {
        let open = try await database.calling { store throws(StoreError) in
            try await store.openConflictsByModel(in: present.id)
        }
        guard !open.isEmpty else { return }
        let list = open.map { "\($0.count) in '\($0.model)'" }.joined(separator: ", ")
        Terminal.printMessage("open conflicts: \(list)")
    }

    private func printAccepted(_ risks: [DeploymentRisk]) {
        for risk in risks {
            Terminal.printMessage(
                "accepted: \(risk.name): \(risk.messages.joined(separator: "; "))")
            if !risk.examples.isEmpty {
                Terminal.printMessage("  such as \(risk.examples.joined(separator: ", "))")
            }
        }
    }
}
