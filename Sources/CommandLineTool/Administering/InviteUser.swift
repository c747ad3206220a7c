import Administration
import ArgumentParser
import JSON
import Secrets
import SyncEngine
import UserAccounts

struct InviteUser: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "invite",
        abstract: "Make an invitation, with which somebody signs up, and write its code.",
        discussion: """
            The code is on standard output; the database has only its hash. People sign up with it \
            by POST /v1/ENVIRONMENT/signUp.
            """)

    @Option(help: "The group of those who sign up.")
    var group: String

    @Option(help: "How many people may sign up with it, 1 to \(AccountCodeLimits.uses).")
    var uses: Int64 = 1

    @Option(help: "The days for which it is valid, 1 to \(AccountCodeLimits.days).")
    var days = AccountCodeLimits.usualDays

    @Option(help: "The mail address to which the code is sent, instead of to standard output.")
    var mail: String?

    @OptionGroup var mailing: MailOptions

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let after: JSONValue = .object([
            "group": .string(group), "uses": .integer(uses), "days": .integer(days),
        ])
        let handing = try await CodeHanding(mail, mailing, options)
        try await UserCommand.makingCode(
            options, .addInvitation, group, after: after, handing
        ) { users, hash, author throws(AccountError) in
            try await users.invite(
                to: group, uses: uses, days: days, hash: hash, by: author, at: .now)
        }
    }
}

struct ResetUserPassword: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reset-password",
        abstract:
            "Make a code with which a user chooses a new password within a day, and write it.",
        discussion: """
            The code is on standard output; the database has only its hash. The user sends it to \
            POST /v1/ENVIRONMENT/passwordReset. The present password stays valid until then.
            """)

    @Argument(help: "The name to sign in with.")
    var login: String

    @Option(help: "The mail address to which the code is sent, instead of to standard output.")
    var mail: String?

    @OptionGroup var mailing: MailOptions

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        let handing = try await CodeHanding(mail, mailing, options)
        try await UserCommand.makingCode(
            options, .resetPassword, login, handing
        ) { users, hash, author throws(AccountError) in
            try await users.reset(login, hash: hash, by: author, at: .now)
        }
    }
}

struct ListCodes: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "codes",
        abstract: "List the valid invitations and resets of passwords, without their codes.")

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        var codes: [AccountCode] = []
        try await UserCommand.withAccounts(options) { users throws(AccountError) in
            codes = try await users.codes(at: .now)
        }
        Terminal.write(
            textTable(
                [["NAME", "FOR", "USES LEFT", "VALID UNTIL", "AUTHOR"]]
                    + codes.map { code in
                        [
                            code.name, code.subject, "\(code.usesLeft)", code.expiresAt.iso8601,
                            code.author,
                        ]
                    }))
    }
}

struct RevokeCode: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke", abstract: "Revoke an invitation or a reset of a password.")

    @Argument(help: "Its name, as 'waggle user codes' shows it.")
    var name: String

    @OptionGroup var options: DatabaseOptions

    func run() async throws {
        try await UserCommand.changing(options, .removeCode, name) { users throws(AccountError) in
            try await users.revoke(name, at: .now)
        }
        Terminal.printMessage("revoked '\(name)'")
    }
}

extension UserCommand {
    /// Makes a code, logs the act, and writes the code to standard output.
    fileprivate static func makingCode(
        _ options: DatabaseOptions, _ act: AdminOperation, _ target: String,
        after: JSONValue? = nil, _ handing: CodeHanding,
        _ make: (UserDirectory, _ hash: [UInt8], _ author: String) async throws(AccountError) ->
            AccountCode
    ) async throws {
        let text = BearerToken.make()
        var made: AccountCode?
        try await changing(options, act, target, after: after) { users throws(AccountError) in
            made = try await make(users, BearerToken.hash(text), DeploymentAuthor.tool.name)
        }
        guard let code = made else { return }
        Terminal.printMessage(
            "made code '\(code.name)' for \(code.subject), valid until \(code.expiresAt.iso8601)")
        try await handing.hand(text, of: code, at: .now)
    }
}

extension AccountCode {
    fileprivate var subject: String {
        switch purpose {
        case .invitation(let group): "group \(group)"
        case .reset(let login): "the password of \(login)"
        }
    }
}
