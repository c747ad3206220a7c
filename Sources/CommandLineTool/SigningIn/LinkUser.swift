import Administration
import ArgumentParser
import JSON
import SyncEngine
import UserAccounts

struct LinkUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Let a user sign in with a provider instead of a password.",
        discussion: """
            The password is forgotten and the sessions end. The first person whom the provider \
            names with this login is the user from then on. 'set-password' is the way back.
            """)

    @Argument(help: "The user's login at the provider.")
    var login: String

    @Option(help: "The name of the provider in signInProviders.")
    var provider: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let link = try providerLink(provider)
        try await UserCommand.changing(
            options, .changeUser, login, after: .object(["provider": .string(provider)])
        ) { accounts throws(AccountError) in
            try await accounts.edit(login, UserEdit(passwordHash: link), at: .now)
        }
        Terminal.printMessage("'\(login)' signs in with '\(provider)'; their sessions have ended")
    }
}

/// The text in the place of a password's hash for users of a provider.
func providerLink(_ name: String) throws(ToolFailure) -> String {
    guard IdentityLink.isLegal(provider: name) else {
        throw ToolFailure(
            .wrongUsage, "'\(name)' is no name of a provider",
            help: "use 1 to 32 letters, digits, '-' and '_', as in signInProviders")
    }
    return IdentityLink(provider: name).text
}
