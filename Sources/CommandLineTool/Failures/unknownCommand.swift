import ArgumentParser
import DefinitionCompiler

/// The failure to show if the arguments name a command that does not exist; nil if they name one,
/// or none.
func unknownCommand(in arguments: some Sequence<String>) -> ToolFailure? {
    var command: any ParsableCommand.Type = RootCommand.self
    var path = command._commandName
    for argument in arguments {
        let subcommands = command.configuration.subcommands
        guard !subcommands.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return nil }
        guard let next = subcommands.first(where: { $0._commandName == argument }) else {
            return ToolFailure(
                .wrongUsage, "'\(path)' has no command '\(argument)'",
                help: nearest(to: argument, in: subcommands.map { $0._commandName })
                    .map { "did you mean '\(path) \($0)'?" } ?? "'\(path) --help' lists them all")
        }
        command = next
        path += " \(argument)"
    }
    return nil
}
