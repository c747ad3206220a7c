import ArgumentParser
import DefinitionCompiler
import DefinitionModel
import SyncEngine

struct DeployCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "deploy",
        abstract: "Make a definition the current one of an environment.",
        discussion: """
            The environment is made if it is not there. A definition under which stored values \
            would be of another type than their field is refused, and nothing is changed. A server \
            that is running has to be started again.
            """)

    @Argument(help: ArgumentHelp("An application.xml; '-' is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var options: DatabaseOptions

    @OptionGroup var limits: CompilerLimitOptions

    func run() async throws {
        let settings = try await Settings(options)
        let file = try DefinitionFile(file, within: limits.limits())
        let database = try OpenDatabase(settings.database, creating: true)
        let present = try await database.environment(named: settings.environment)
        let place = "environment '\(settings.environment)' of \(settings.database)"
        if present?.fingerprint == file.definition.fingerprint {
            Terminal.tell("\(place) has this definition already")
        } else {
            if let present {
                try await checkStoredRecords(of: present, in: database, fit: file.definition)
            }
            let state = try await database.deploy(
                file, to: settings.environment, replacing: present)
            Terminal.tell("deployed to \(place), \(versionName(of: state))")
        }
        try database.close()
    }

    /// Compares with every version there was: a field that an earlier one had may come back, and
    /// its values are still stored.
    private func checkStoredRecords(
        of present: EnvironmentState, in database: OpenDatabase, fit definition: Definition
    ) async throws {
        guard present.hasRecords else { return }
        var clashes: [StoredTypeClash] = []
        for source in try await database.versions(of: present) {
            let old = try DefinitionFile(
                deployed: SourceFile(
                    name: "a version of environment \(present.name)", bytes: source))
            clashes += storedTypeClashes(from: old.definition, to: definition)
        }
        guard clashes.isEmpty else {
            let lines = clashes.map { clash in
                "\(file):\(clash.place.line):\(clash.place.column): field '\(clash.field)' of "
                    + "'\(clash.model)' was \(clash.old.rawValue) and would be "
                    + clash.new.rawValue
            }
            throw ToolFailure(
                .inputAtFault,
                "records of environment '\(present.name)' do not fit this definition\n"
                    + lines.joined(separator: "\n"),
                help: "give a field of another type another name")
        }
    }
}
