import Administration
import ArgumentParser
import JSON
import SyncEngine

struct EnvironmentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "environment",
        abstract: "List, show, rename and remove the environments of a database.",
        discussion: """
            Works on the database directly, also while servers run: they notice as they notice a \
            deployment. 'waggle deploy' makes an environment.
            """,
        subcommands: [
            ListEnvironments.self, ShowEnvironment.self, RenameEnvironment.self,
            RemoveEnvironment.self,
        ])
}

struct ListEnvironments: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the environments, oldest first.")

    @Option(help: "How to write them: text for people, json for tools.")
    var format: ListUsers.Format = .text

    @OptionGroup var place: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(place) { database in
            var summaries: [EnvironmentSummary] = []
            for name in try await database.environmentNames() {
                summaries.append(try await database.summary(of: name))
            }
            switch format {
            case .text: Terminal.write(EnvironmentSummary.table(of: summaries))
            case .json: Terminal.write(try jsonLine(summaries))
            }
        }
    }
}

struct ShowEnvironment: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show an environment: its definition, users and records.")

    @Argument(help: "The name of the environment.")
    var name: String

    @Option(help: "How to write it: text for people, json for tools.")
    var format: ListUsers.Format = .text

    @OptionGroup var place: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(place) { database in
            let summary = try await database.summary(of: name)
            switch format {
            case .text: Terminal.write(summary.text)
            case .json: Terminal.write(try jsonLine(summary))
            }
        }
    }
}

struct RenameEnvironment: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Rename an environment.",
        discussion: """
            Its data, users and sessions stay. Clients know it by its name: they continue when \
            they use the new one. Original Mobeelizer clients name an environment too.
            """)

    @Argument(help: "The name of the environment.")
    var name: String

    @Argument(help: ArgumentHelp("The new name.", valueName: "new-name"))
    var newName: String

    @OptionGroup var place: LocationOptions

    func run() async throws {
        let newName = try ResolvedSettings.checkedEnvironment(newName)
        try await OpenDatabase.opened(place) { database in
            let state = try await database.openEnvironment(named: name)
            try await database.log(
                .renameEnvironment, environment: name, target: newName,
                before: .object(["name": .string(name)]),
                after: .object(["name": .string(newName)]))
            guard try await database.rename(state.id, to: newName) else {
                throw ToolFailure(
                    .inputAtFault,
                    "'\(database.address)' has an environment '\(newName)' already",
                    help: "choose another name, or remove that environment first")
            }
        }
        Terminal.printMessage("environment '\(name)' is '\(newName)' now")
    }
}

struct RemoveEnvironment: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an environment with all its users, records and files.",
        discussion: """
            Nothing brings it back but a backup. Asks for the name once more, or takes --yes. \
            Contents of files that no other environment has are removed too; if a backup or a copy \
            runs meanwhile, the next sweep removes them.
            """)

    @Argument(help: "The name of the environment.")
    var name: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var place: LocationOptions

    func run() async throws {
        try await OpenDatabase.opened(place) { database in
            let state = try await database.openEnvironment(named: name)
            let summary = try await database.summary(of: name)
            if !yes { try confirm(summary) }
            try await database.log(
                .removeEnvironment, environment: name, target: name,
                before: .object([
                    "fingerprint": .string(state.fingerprint),
                    "sequence": .integer(state.sequence),
                ]))
            try await database.remove(state.id)
            Terminal.printMessage("removed environment '\(name)'")
            let contents = try await database.sweepContents()
            if contents > 0 { Terminal.printMessage("removed contents: \(contents)") }
        }
    }

    private func confirm(_ summary: EnvironmentSummary) throws(ToolFailure) {
        Terminal.printMessage(
            "environment '\(name)' has \(summary.users) users and \(summary.records) records; "
                + "type its name to remove all of it: ", terminator: "")
        guard readLine(strippingNewline: true) == name else {
            throw ToolFailure(
                .inputAtFault, "nothing was removed",
                help: "type '\(name)', or pass --yes")
        }
    }
}

extension OpenDatabase {
    /// Throws if the environment does not exist or is locked.
    fileprivate func openEnvironment(
        named name: String
    ) async throws(ToolFailure) -> EnvironmentState {
        let state = try await existingEnvironment(named: name)
        guard !state.isLocked else {
            throw ToolFailure(
                .inputAtFault, "environment '\(name)' of \(address) is locked",
                help: "open the lock first, with 'waggle lock off --environment \(name)'")
        }
        return state
    }
}
