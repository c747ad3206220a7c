import ArgumentParser
import Foundation
import MailDelivery
import SyncEngine

/// Options for mails; see `ServeSettings`.
struct MailOptions: ParsableArguments {
    @Option(ServeSettings.mailServer) var mailServer: String?
    @Option(ServeSettings.mailSender) var mailSender: String?
    @Option(ServeSettings.mailUser) var mailUser: String?
    @Option(ServeSettings.mailPasswordFile) var mailPasswordFile: String?
    @Option(ServeSettings.mailLink) var mailLink: String?

    /// Nil if nothing is mailed.
    func server(_ settings: ResolvedSettings) async throws -> MailServer? {
        let text = try await settings.value(of: ServeSettings.mailServer, given: mailServer)
        guard !text.isEmpty else { return nil }
        guard let match = text.wholeMatch(of: Self.form), let port = Int(match.3),
            (1...65535).contains(port), let security = Self.securities[String(match.1)]
        else {
            throw ToolFailure(
                .wrongUsage, "'\(text)' is not the address of an SMTP server",
                help: "write it as in 'smtps://mail.example:465', 'smtp://mail.example:587' or "
                    + "'plain://127.0.0.1:25'")
        }
        let sender = try await settings.value(of: ServeSettings.mailSender, given: mailSender)
        guard let sender = MailAddress(sender) else {
            throw ToolFailure(
                .wrongUsage, "'\(sender)' is not a mail address from which codes can be sent",
                help: "set mailSender, as in 'waggle@example.org'")
        }
        let credentials = try await credentials(settings)
        let isHere = ["127.0.0.1", "localhost", "[::1]"].contains(String(match.2))
        guard security != .none || credentials == nil || isHere else {
            throw ToolFailure(
                .wrongUsage, "the password of mailUser would be sent without TLS",
                help: "use smtps or smtp in mailServer")
        }
        return MailServer(
            host: String(match.2), port: port, security: security, sender: sender,
            credentials: credentials)
    }

    private static var form: Regex<(Substring, Substring, Substring, Substring)> {
        /(smtps|smtp|plain):\/\/([A-Za-z0-9.\-]+|\[[0-9A-Fa-f:.]+\]):([0-9]{1,5})\/?/
    }
    private static let securities: [String: MailServer.Security] = [
        "smtps": .tls, "smtp": .startTLS, "plain": .none,
    ]

    private func credentials(_ settings: ResolvedSettings) async throws -> MailCredentials? {
        let user = try await settings.value(of: ServeSettings.mailUser, given: mailUser)
        let path = try await settings.value(
            of: ServeSettings.mailPasswordFile, given: mailPasswordFile)
        guard !user.isEmpty, !path.isEmpty else {
            guard user.isEmpty, path.isEmpty else {
                throw ToolFailure(
                    .wrongUsage, "a mail user needs a password, and a password a user",
                    help: "set both mailUser and mailPasswordFile, or none of them")
            }
            return nil
        }
        return MailCredentials(user: user, password: try Disk.firstLine(of: path))
    }

    func texts(_ settings: ResolvedSettings) async throws -> MailTexts {
        let link = try await settings.value(of: ServeSettings.mailLink, given: mailLink)
        guard !link.isEmpty else { return MailTexts(link: nil) }
        guard link.contains("CODE"), link.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ToolFailure(
                .wrongUsage, "'\(link)' has no place for a code",
                help: "write it as in 'https://app.example/KIND?code=CODE'")
        }
        return MailTexts(link: link)
    }

    /// Nil if nothing is mailed.
    func desk(_ settings: ResolvedSettings) async throws -> MailDesk? {
        let texts = try await texts(settings)
        return try await server(settings).map { MailDesk(MailSender($0), texts: texts) }
    }
}
