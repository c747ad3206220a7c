import ArgumentParser
import Foundation

/// The only place where the process ends: an error becomes a message and an exit code.
@main
enum Main {
    static func main() async {
        let command: any ParsableCommand
        do {
            command = try RootCommand.parseAsRoot()
        } catch {
            if !RootCommand.exitCode(for: error).isSuccess,
                let failure = unknownCommand(in: CommandLine.arguments.dropFirst())
            {
                end(with: failure)
            }
            end(with: error)
        }
        await run(command)
    }

    private static func run(_ command: any ParsableCommand) async {
        var command = command
        do {
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let code as ExitCode {
            exit(code.rawValue)
        } catch let failure as ToolFailure {
            end(with: failure)
        } catch {
            let code = RootCommand.exitCode(for: error)
            if code.isSuccess || code == .validationFailure { end(with: error) }
            Terminal.printMessage("error: \(error)")
            exit(ToolFailure.Kind.machineFailed.exitCode)
        }
    }

    private static func end(with failure: ToolFailure) -> Never {
        Terminal.printMessage(failure.text)
        exit(failure.kind.exitCode)
    }

    /// Handles errors of the argument parser: requests for help or the version, and wrong usage.
    private static func end(with error: any Error) -> Never {
        let text = RootCommand.fullMessage(for: error)
        guard !RootCommand.exitCode(for: error).isSuccess else {
            Terminal.write(text + "\n")
            exit(0)
        }
        Terminal.printMessage(text)
        exit(ToolFailure.Kind.wrongUsage.exitCode)
    }
}

struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "waggle",
        abstract: "Describe an app's data once; check it, generate its models, and serve it.",
        discussion: """
            Everything starts from an application.xml: models, fields, limits, who may see and \
            change what, and how conflicts are handled.

              waggle check application.xml
              waggle rights application.xml --format html --output rights.html
              waggle generate application.xml --language swift --prefix MMD --output Models
              waggle new Notes --definition application.xml
              waggle serve application.xml --database app.sqlite
              waggle user add anna --group users --database app.sqlite

            Data goes to standard output, messages for people to standard error. The exit code is \
            0 when all is well, 1 when the input is at fault, 2 for a wrong usage, and 3 when the \
            machine failed.
            """,
        version: versionText(),
        subcommands: [
            CheckCommand.self, CompileCommand.self, RightsCommand.self, ExplainCommand.self,
            DiagramCommand.self, DiffCommand.self, GenerateCommand.self, NewCommand.self,
            ImportSchemaCommand.self,
            SimulateCommand.self, DeployCommand.self, ServeCommand.self, SweepCommand.self,
            EnvironmentCommand.self, UserCommand.self, RefusedCommand.self, ImportCommand.self,
            ExportCommand.self, CopyCommand.self, BackupCommand.self, RestoreCommand.self,
            VersionsCommand.self, DefinitionCommand.self, LockCommand.self,
            OperatorCommand.self, ActivityCommand.self, OpenAPICommand.self,
        ])
}
