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

            If the definition has a model '_User', each user gets a profile in it, with the \
            'objectId' as id and the other columns: then pointers to users lead to them. A note \
            tells the columns that are left out. Import the users before the classes that point \
            to them.

            Import the users before anybody signs in: a user who signs in without an imported \
            profile gets a new id. A user is added only if the profile can be.

            Users who are there already, by their logins, stay as they are, but get a profile if \
            they have none. One with another mail address may be another person, so the row is \
            refused. Anonymous users are left out.
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
        var result = Result()
        try await OpenDatabase.opened(options.place) { database in
            do {
                result = try await imported(input, database, environment)
            } catch let error as AccountError {
                throw ToolFailure(error, database: "\(database.address)")
            } catch let error as SyncError {
                throw ToolFailure(error, database: "\(database.address)")
            }
        }
        for note in result.notes { Terminal.printMessage("note: \(note)") }
        Terminal.printMessage(result.text(isTrial: dryRun))
        guard result.refused == 0 else {
            throw ToolFailure(
                .inputAtFault, "\(result.refused) users were not imported, or without a profile",
                help: "correct the rows above, and import again")
        }
    }

    fileprivate struct Result {
        /// The mail addresses of all users, by login.
        var known: [String: String] = [:]
        var added = 0
        var present = 0
        var anonymous = 0
        var refusedUsers = 0
        var profiles: ProfileImport?

        var refused: Int { refusedUsers + (profiles?.summary.refused ?? 0) }
    }

    private func imported(
        _ input: InputChunks, _ database: OpenDatabase, _ environment: String
    ) async throws -> Result {
        let accounts = try await database.accounts(of: environment)
        var result = Result()
        for user in try await accounts.list() { result.known[user.login] = user.mail }
        result.profiles = try ProfileImport(
            into: try await database.engine(of: environment), group: group,
            name: "users of \(file)", isTrial: dryRun, at: .now
        ) { Terminal.printMessage($0.text(in: place)) }
        var reader = UserRowReader()
        while let chunk = try input.next() {
            for item in reader.read(chunk) {
                try await take(item, accounts, database, environment, &result)
            }
        }
        for item in reader.finish() {
            try await take(item, accounts, database, environment, &result)
        }
        try await result.profiles?.finish()
        return result
    }

    private func take(
        _ item: UserRowReader.Item, _ accounts: UserDirectory, _ database: OpenDatabase,
        _ environment: String, _ result: inout Result
    ) async throws {
        guard let user = try await named(by: item, accounts, &result) else { return }
        if user.isNew {
            let isTaken = try await result.profiles?.takes(user.row, owner: user.login)
            guard isTaken ?? true else { return }
            result.known[user.login] = user.row.mail
            result.added += 1
            if !dryRun {
                try await add(user.login, user.row.mail, accounts, database, environment)
            }
        } else {
            result.present += 1
        }
        try await result.profiles?.add(user.row, owner: user.login)
    }

    private var place: String { file == "-" ? "standard input" : file }

    /// Counts a row. Returns the user whom it names, with the login as it is stored.
    private func named(
        by item: UserRowReader.Item, _ accounts: UserDirectory, _ result: inout Result
    ) async throws -> (row: UserRow, login: String, isNew: Bool)? {
        switch item {
        case .anonymous: result.anonymous += 1
        case .problem(let problem): refuse(problem, &result)
        case .user(let row):
            do {
                let login = try accounts.checked(login: row.login, group: group, mail: row.mail)
                let known = result.known[login]
                if let known, !isPossible(row.mail, besides: known) {
                    refuse(.otherMail(row.line, of: login), &result)
                    return nil
                }
                return (row, login, known == nil)
            } catch AccountError.loginIllegal {
                refuse(
                    RowProblem(
                        line: row.line, code: "illegalLogin",
                        message: "the username is no valid login: see 'waggle user add'"), &result)
            } catch AccountError.mailIllegal {
                refuse(
                    RowProblem(
                        line: row.line, code: "illegalMail",
                        message: "the mail address is too long, or no plain text"), &result)
            }
        }
        return nil
    }

    /// Whether one person may have both mail addresses, either of which may be empty.
    private func isPossible(_ mail: String, besides known: String) -> Bool {
        mail.isEmpty || known.isEmpty || mail.lowercased() == known.lowercased()
    }

    private func refuse(_ problem: RowProblem, _ result: inout Result) {
        Terminal.printMessage(problem.text(in: place))
        result.refusedUsers += 1
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

extension RowProblem {
    fileprivate static func otherMail(_ line: Int, of login: String) -> RowProblem {
        RowProblem(
            line: line, code: "otherMail",
            message: "'\(login)' is there with another mail address, so may be another person: "
                + "correct either address")
    }
}

extension ImportUsers.Result {
    /// The columns and values that are left out, with names.
    fileprivate var notes: [String] {
        guard let profiles else { return [] }
        let columns = profiles.leftOut.sorted().joined(separator: ", ")
        guard profiles.hasModel else {
            return [
                "the definition has no model '_User', so users have no profiles, and nothing can "
                    + "point to them" + (columns.isEmpty ? "" : "; left out: \(columns)")
            ]
        }
        let left = columns.isEmpty ? [] : ["'_User' has no field for these columns: \(columns)"]
        let unrelated = profiles.summary.unrelated
        let later =
            unrelated == 0
            ? []
            : [
                "objects that are not there yet are left out of \(unrelated) profiles: import "
                    + "their classes, and the users again"
            ]
        return left + later + profiles.summary.notes
    }

    fileprivate func text(isTrial: Bool) -> String {
        let users =
            (isTrial ? "would add: " : "added: ")
            + "\(added) users, \(present) were there already, \(anonymous) anonymous were left "
            + "out, \(refused) refused"
        guard let profiles, profiles.hasModel else { return users }
        let made = profiles.summary
        return users
            + "; profiles: \(made.created) created, \(made.updated) updated, "
            + "\(made.unchanged) were there already"
    }
}
