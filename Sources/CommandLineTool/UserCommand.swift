import AdminWire
import Administration
import ArgumentParser
import DefinitionModel
import Foundation
import JSON
import Secrets
import SyncEngine
import UserAccounts

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Add, list, change and remove the users of an environment.",
        discussion: """
            Works on the database directly, also while a server is running: changes apply from the \
            user's next request on.
            """,
        subcommands: [
            AddUser.self, ImportUsers.self, ListUsers.self, SetPassword.self, LinkUser.self,
            SetGroup.self, RemoveUser.self,
            InviteUser.self, ResetUserPassword.self, ListCodes.self, RevokeCode.self,
            EraseUser.self, ListErasures.self,
        ])

    /// Opens the database, runs `body` with the environment's accounts, and closes the database.
    /// For what changes nothing.
    static func withAccounts(
        _ options: DatabaseOptions, _ body: (UserDirectory) async throws(AccountError) -> Void
    ) async throws {
        let settings = try await ResolvedSettings(options)
        let database = try await OpenDatabase(settings.database, creating: false)
        do {
            let accounts = try await database.accounts(of: settings.environment)
            try await body(accounts)
        } catch let error as AccountError {
            throw ToolFailure(error, database: "\(settings.database)")
        }
        try database.close()
    }

    /// Opens the database, logs the act, and runs `body` with the environment's accounts. No values
    /// of a person are logged beside the login.
    static func changing(
        _ options: DatabaseOptions, _ act: AdminOperation, _ target: String,
        after: JSONValue? = nil,
        _ body: (UserDirectory) async throws(AccountError) -> Void
    ) async throws {
        let environment = try await ResolvedSettings(options).environment
        try await OpenDatabase.opened(options.place) { database in
            let accounts = try await database.accounts(of: environment)
            try await database.log(
                act, environment: environment, target: target,
                before: try await database.former(of: act, target, in: environment), after: after)
            do throws(AccountError) {
                try await body(accounts)
            } catch {
                throw ToolFailure(error, database: "\(database.address)")
            }
        }
    }
}

extension OpenDatabase {
    /// The state before an act, for the activity log: of the user or code that it changes.
    fileprivate func former(
        of act: AdminOperation, _ target: String, in environment: String
    ) async throws -> JSONValue? {
        if act == .removeCode {
            let accounts = try await accounts(of: environment)
            do throws(AccountError) {
                return try await accounts.codes(at: .now)
                    .first { $0.name.hasSameBytes(as: target) }.map { .object($0.members) }
            } catch {
                throw ToolFailure(error, database: "\(address)")
            }
        }
        guard [.changeUser, .removeUser].contains(act), let login = Login.normalized(target) else {
            return nil
        }
        let id = try await existingEnvironment(named: environment).id
        let user = try await calling { store throws(StoreError) in
            try await store.user(login, in: id)
        }
        return user?.logged
    }
}

/// Options for a new password.
struct NewPasswordOptions: ParsableArguments {
    @Flag(help: "Read the password from the first line of standard input.")
    var passwordStdin = false

    @Option(ServeSettings.minPasswordLength) var minPasswordLength: Int?

    /// Reads a new password and hashes it.
    func hash(_ settings: ResolvedSettings) async throws -> String {
        let minLength = try await settings.value(
            of: ServeSettings.minPasswordLength, given: minPasswordLength)
        let password = try Terminal.newPassword(fromStandardInput: passwordStdin)
        guard PasswordHash.isAcceptable(password, minLength: minLength) else {
            let isTooLong = password.utf8.count > PasswordHash.maxPasswordBytes
            let length =
                isTooLong
                ? "\(password.utf8.count) bytes" : characters(password.unicodeScalars.count)
            throw ToolFailure(
                .inputAtFault, "the password has \(length)",
                help: isTooLong
                    ? "use at most \(PasswordHash.maxPasswordBytes) bytes"
                    : "use at least \(characters(minLength)); the setting "
                        + "'\(ServeSettings.minPasswordLength.name)' is the minimum")
        }
        return try PasswordHash.make(of: password)
    }

    private func characters(_ count: Int) -> String {
        counted(count, "character")
    }
}

struct AddUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Add a user.")

    @Argument(help: "The name to sign in with.")
    var login: String

    @Option(help: "A group of the definition.")
    var group: String

    @Option(help: "Their mail address.")
    var mail = ""

    @Flag(help: "Make the user an admin of the environment.")
    var admin = false

    @Option(
        help: """
            The provider of signInProviders with which the user signs in; without one the user \
            gets a password.
            """)
    var provider: String?

    @OptionGroup var password: NewPasswordOptions

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let hash =
            if let provider { try providerLink(provider) } else {
                try await password.hash(try await ResolvedSettings(options))
            }
        let after: JSONValue = .object([
            "group": .string(group), "admin": .boolean(admin), "mail": .boolean(!mail.isEmpty),
            "password": .boolean(provider == nil), "provider": JSONValue(text: provider),
        ])
        try await UserCommand.changing(
            options, .addUser, login, after: after
        ) { accounts throws(AccountError) in
            try await accounts.add(
                login: login, group: group, mail: mail, isAdmin: admin, passwordHash: hash,
                at: .now)
        }
        Terminal.printMessage("added user '\(login)' to group '\(group)'")
    }
}

struct ListUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the users.")

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case text, json
    }

    @Option(help: "How to write them: text for people, json for tools.")
    var format: Format = .text

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        var users: [ListedUser] = []
        try await UserCommand.withAccounts(options) { accounts throws(AccountError) in
            users = try await accounts.listed()
        }
        switch format {
        case .text: Terminal.write(table(of: users))
        case .json: Terminal.write(try json(of: users))
        }
    }

    private func table(of users: [ListedUser]) -> String {
        let rows =
            [["LOGIN", "GROUP", "ADMIN", "PASSWORD", "PROVIDER", "LAST SEEN", "MAIL"]]
            + users.map { listed in
                let user = listed.user
                let day = listed.lastDay.map { String(Instant(day: $0).iso8601.prefix(10)) }
                return [
                    user.login, user.group, user.isAdmin ? "yes" : "no",
                    user.hasPassword ? "yes" : "no",
                    IdentityLink(user.passwordHash)?.provider ?? "-", day ?? "-", user.mail,
                ]
            }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                .joined(separator: "  ").trimmingCharacters(in: .whitespaces) + "\n"
        }.joined()
    }

    private func json(of users: [ListedUser]) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let bytes = try encoder.encode(users.map(PrintedUser.init))
        return String(decoding: bytes, as: UTF8.self) + "\n"
    }
}

/// A user in a list, without the password hash.
private struct PrintedUser: Encodable {
    let login: String
    let group: String
    let mail: String
    let admin: Bool
    let hasPassword: Bool
    let provider: String?
    /// The beginning of the day, in milliseconds since 1970.
    let lastSeen: Int64?

    init(_ listed: ListedUser) {
        let user = listed.user
        login = user.login
        group = user.group
        mail = user.mail
        admin = user.isAdmin
        hasPassword = user.hasPassword
        provider = IdentityLink(user.passwordHash)?.provider
        lastSeen = listed.lastDay.map { Instant(day: $0).milliseconds }
    }
}

struct SetPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Give a user a new password, and end their sessions.")

    @Argument(help: "The name to sign in with.")
    var login: String

    @OptionGroup var password: NewPasswordOptions

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let hash = try await password.hash(try await ResolvedSettings(options))
        try await UserCommand.changing(
            options, .changeUser, login, after: .object(["password": .boolean(true)])
        ) { accounts throws(AccountError) in
            try await accounts.edit(login, UserEdit(passwordHash: hash), at: .now)
        }
        Terminal.printMessage("set the password of '\(login)' and ended their sessions")
    }
}

struct SetGroup: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Move a user to another group.",
        discussion: "The records of the user stay in the group in which they were created.")

    @Argument(help: "The name to sign in with.")
    var login: String

    @Argument(help: "A group of the definition.")
    var group: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await UserCommand.changing(
            options, .changeUser, login, after: .object(["group": .string(group)])
        ) { accounts throws(AccountError) in
            try await accounts.edit(login, UserEdit(group: group), at: .now)
        }
        Terminal.printMessage("moved '\(login)' to group '\(group)'")
    }
}

struct RemoveUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a user and end their sessions; their records stay."
    )

    @Argument(help: "The name to sign in with.")
    var login: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await UserCommand.changing(
            options, .removeUser, login
        ) { accounts throws(AccountError) in
            try await accounts.remove(login)
        }
        Terminal.printMessage("removed '\(login)'")
    }
}
