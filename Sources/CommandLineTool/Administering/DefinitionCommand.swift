import ArgumentParser
import SyncEngine

struct DefinitionCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "definition",
        abstract: "Show the definition that an environment has.",
        subcommands: [ShowDefinition.self])
}

struct ShowDefinition: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Write the application.xml of an environment, byte for byte as it was deployed.")

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        let state = try await database.existingEnvironment(named: settings.environment)
        Terminal.write(bytes: state.source)
        try database.close()
    }
}
