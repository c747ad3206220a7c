import MailDelivery
import SyncEngine
import UserAccounts

/// How the text of a code gets to its person: by mail, or by whoever reads standard output.
struct CodeHanding {
    private let mail: (sender: MailSender, texts: MailTexts, recipient: MailAddress)?
    private let application: String
    private let texts: MailTexts

    /// Throws before a code is made if it could not be mailed.
    init(_ address: String?, _ options: MailOptions, _ database: DatabaseOptions) async throws {
        let settings = try await ResolvedSettings(database)
        texts = try await options.texts(settings)
        guard let address else {
            (mail, application) = (nil, "")
            return
        }
        guard let recipient = MailAddress(address) else {
            throw ToolFailure(
                .wrongUsage, "'\(address)' is not a mail address to which a code can be sent",
                help: "write it as in 'cleo@example.org'")
        }
        guard let server = try await options.server(settings) else {
            throw ToolFailure(
                .wrongUsage, "nothing says which server sends mails",
                help: "set mailServer, or leave '--mail' out and hand the code out yourself")
        }
        mail = (MailSender(server), texts, recipient)
        var name = ""
        try await OpenDatabase.opened(database.place) { opened in
            name = try await opened.application(of: settings.environment)
        }
        application = name
    }

    func hand(_ text: String, of code: AccountCode, at now: Instant) async throws {
        guard let mail else {
            Terminal.write(text + "\n")
            if let address = texts.address(of: text, for: code.purpose) {
                Terminal.printMessage("its address is \(address)")
            }
            return
        }
        let letter =
            switch code.purpose {
            case .invitation:
                mail.texts.invitation(
                    text, to: mail.recipient, of: application, until: code.expiresAt)
            case .reset(let login):
                mail.texts.reset(
                    text, of: login, to: mail.recipient, of: application, until: code.expiresAt)
            }
        do throws(MailFailure) {
            try await mail.sender.send(letter, at: now)
        } catch {
            throw ToolFailure(
                .machineFailed, "the mail was not sent: \(error.reason)",
                help: "revoke the code with 'waggle user revoke \(code.name)', and look at "
                    + "mailServer")
        }
        Terminal.printMessage("mailed it to \(mail.recipient.text)")
    }
}
