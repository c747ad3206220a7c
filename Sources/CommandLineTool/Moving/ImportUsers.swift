import Administration
import ArgumentParser
import DataExchange
import JSON
import Secrets
import SyncEngine
import UserAccounts

struct ImportUsers: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add the users of a Parse server, without passwords.",
        discussion: """
            Reads the rows of _User, as GET /users answers them with the master key and the \
            dashboard exports them: 'username' becomes the login, and 'email' the mail address. No \
            export has passwords, so nobody signs in as such a user until they have set one: by \
            mail where the server sends any, or with a code of 'waggle user reset-password'.

              waggle user import _User.json --group users --dry-run
              waggle user import _User.json --group users

            Users who are there already stay as they are. Anonymous users are left out.
            """)

    @Argument(help: "The file to import; - is standard input.")
    var file: String

    @Option(help: "A group of the definition, for all of them.")
    var group: String

    @Flag(help: "Check all rows, and add nobody.")
    var dryRun = false

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let input = try InputChunks(path: file)
        let environment = try await ResolvedSettings(options).environment
        var summary = Summary()
        try await OpenDatabase.opened(options.place) { database in
            let accounts = try await database.accounts(of: environment)
            do {
                summary.known = Set(try await accounts.list().map(\.login))
                var reader = UserRowReader()
                while let chunk = try input.next() {
                    for item in reader.read(chunk) {
                        try await take(item, accounts, database, environment, &summary)
                    }
                }
                for item in reader.finish() {
                    try await take(item, accounts, database, environment, &summary)
                }
            } catch let error as AccountError {
                throw ToolFailure(error, database: "\(database.address)")
            }
        }
        Terminal.printMessage(
            (dryRun ? "would add: " : "added: ")
                + "\(summary.added) users, \(summary.present) were there already, "
                + "\(summary.anonymous) anonymous were left out, "
                + "\(summary.refused) refused")
        guard summary.refused == 0 else {
            throw ToolFailure(
                .inputAtFault, "\(summary.refused) users were not imported",
                help: "correct the rows above, and import again")
        }
    }

    private struct Summary {
        /// The logins of all users.
        var known: Set<String> = []
        var added = 0
        var present = 0
        var anonymous = 0
        var refused = 0
    }

    private func take(
        _ item: UserRowReader.Item, _ accounts: UserDirectory, _ database: OpenDatabase,
        _ environment: String, _ summary: inout Summary
    ) async throws {
        switch item {
        case .anonymous: summary.anonymous += 1
        case .problem(let problem): report(problem.line, problem.message, &summary)
        case .user(let row):
            do {
                let login = try accounts.checked(login: row.login, group: group, mail: row.mail)
                guard summary.known.insert(login).inserted else {
                    summary.present += 1
                    return
                }
                if !dryRun { try await add(login, row.mail, accounts, database, environment) }
                summary.added += 1
            } catch AccountError.loginIllegal {
                report(row.line, "the username is no valid login: see 'waggle user add'", &summary)
            } catch AccountError.mailIllegal {
                report(row.line, "the mail address is too long, or no plain text", &summary)
            }
        }
    }

    private func report(_ line: Int, _ message: String, _ summary: inout Summary) {
        Terminal.printMessage("\(file == "-" ? "standard input" : file):\(line): \(message)")
        summary.refused += 1
    }

    private func add(
        _ login: String, _ mail: String, _ accounts: UserDirectory, _ database: OpenDatabase,
        _ environment: String
    ) async throws {
        try await database.log(
            .addUser, environment: environment, target: login,
            after: .object([
                "group": .string(group), "admin": .boolean(false),
                "mail": .boolean(!mail.isEmpty), "password": .boolean(false), "provider": .null,
            ]))
        try await accounts.add(
            login: login, group: group, mail: mail, isAdmin: false,
            passwordHash: PasswordHash.none, at: .now)
    }
}
