import Foundation
import JSON
import SyncProtocol
import TestKit
import Testing

/// Codes are mailed, and users ask for resets themselves.
@Suite(.serialized, .timeLimit(.minutes(5))) struct MailTests {
    private func ask(_ login: String, at server: RunningServer) async throws -> Answer {
        try await server.request(
            "POST", "/v1/test/reset-requests",
            body: Data(JSONValue.object(["login": .string(login)]).text.utf8))
    }

    private func reset(
        _ code: String, to password: String, at server: RunningServer
    ) async throws -> Answer {
        try await server.request(
            "POST", "/v1/test/passwordReset",
            body: Data(#"{"code":"\#(code)","newPassword":"\#(password)"}"#.utf8))
    }

    /// A server whose user "a" has a mail address.
    private func server(
        _ mails: MailReceiver, _ arguments: [String] = [], processes: Int = Backend.servers
    ) async throws -> RunningServer {
        let server = try await RunningServer(
            site: try await Site(prepared: "Conflicts"), processes: processes,
            arguments: mails.arguments() + arguments)
        let keeper = try await server.operatorSession("mia", "keeper")
        let path = "environments/test/users/a"
        let changed = try await server.admin(
            "PATCH", path, #"{"mail":"anna@example.org"}"#, as: keeper)
        #expect(changed.status == 204)
        return server
    }

    @Test func userAsksForResetByMail() async throws {
        let mails = try await MailReceiver()
        let server = try await server(
            mails, ["--mail-link", "https://app.example/KIND?code=CODE"])
        let asked = try await ask("a", at: server)
        #expect(asked.status == 202 && asked.body.isEmpty)
        let mail = try await mails.next()
        #expect(mail.envelope == ["MAIL FROM:<waggle@example.org>", "RCPT TO:<anna@example.org>"])
        #expect(mail.text.contains("for the user a of conflicts"))
        #expect(mail.text.contains("https://app.example/reset?code=\(mail.code)\n"))
        #expect(mail.headers.contains("Auto-Submitted: auto-generated"))
        #expect(mail.headers.contains("To: <anna@example.org>"))
        #expect(try await reset(mail.code, to: "a new secret", at: server).status == 204)
        #expect(try await server.askToSignIn("a", password: "a new secret").status == 201)
        #expect(try await reset(mail.code, to: "another secret", at: server).status == 403)
        #expect(try !server.log().contains(mail.code) && !server.log().contains("anna@"))
        try await server.line("sent a mail")
    }

    /// Nobody learns which logins there are, and nobody fills a mailbox.
    @Test func everyRequestHasSameAnswer() async throws {
        let mails = try await MailReceiver()
        let server = try await server(mails, processes: 1)
        let linked = try await server.site.waggle("user", "link", "b", "--provider", "company")
        #expect(linked.exitCode == 0)
        var answers: [Answer] = []
        // Those without an address, with a provider, unknown, no login at all, and one again.
        for login in ["a", "b", "nobody", "a b", "", "a", "a"] {
            answers.append(try await ask(login, at: server))
        }
        for answer in answers {
            #expect(answer.status == 202 && answer.body.isEmpty)
            #expect(answer.lastingHeaders == answers[0].lastingHeaders)
        }
        let first = try await mails.next()
        #expect(first.envelope.last == "RCPT TO:<anna@example.org>")
        // The next mail is another one: a code is sent again after 15 minutes.
        let keeper = try await server.operatorSession("karl", "keeper")
        let made = try await server.admin(
            "POST", "environments/test/invitations",
            #"{"group":"users","mail":"cleo@example.org"}"#, as: keeper)
        #expect(made.status == 201 && !made.text.contains(#""code":"#), "\(made.text)")
        #expect(try await mails.next().envelope.last == "RCPT TO:<cleo@example.org>")
        let codes = try await server.site.waggle("user", "codes").output
        #expect(codes.contains("the password of a") && codes.contains("the user"))
    }

    @Test func addressAsksTenTimesInTenMinutes() async throws {
        let mails = try await MailReceiver()
        let server = try await server(mails, processes: 1)
        for _ in 0..<10 { #expect(try await ask("nobody", at: server).status == 202) }
        let refused = try await ask("a", at: server)
        #expect(try refused.status == 429 && refused.error().code == "tooManyResetRequests")
        #expect(refused.header("Retry-After") != nil)
    }

    @Test func requestedResetReplacesNoRecentOne() async throws {
        let mails = try await MailReceiver()
        let server = try await server(mails)
        let keeper = try await server.operatorSession("karl", "keeper")
        let made = try await server.admin(
            "POST", "environments/test/users/a/reset", as: keeper)
        guard case .string(let code) = try made.member("code") else { throw Unexpected(made.text) }
        #expect(try await ask("a", at: server).status == 202)
        let path = "environments/test/users/a/mailed-reset"
        let mailed = try await server.admin("POST", path, as: keeper)
        #expect(mailed.status == 202 && !mailed.text.contains(#""code":"#), "\(mailed.text)")
        let mail = try await mails.next()
        // The operator has replaced the first one; the request has not.
        #expect(try await reset(code, to: "a new secret", at: server).status == 403)
        #expect(try await reset(mail.code, to: "a new secret", at: server).status == 204)
        for (login, expected) in [("nobody", "userUnknown"), ("b", "mailIllegal")] {
            let refused = try await server.admin(
                "POST", "environments/test/users/\(login)/mailed-reset", as: keeper)
            #expect(try refused.error().code == expected)
        }
    }

    @Test func mailIsTriedAgainWhenServerCannotTakeItNow() async throws {
        let mails = try await MailReceiver(replies: ["451 later"])
        let server = try await server(mails)
        #expect(try await ask("a", at: server).status == 202)
        let mail = try await mails.next()
        #expect(try await reset(mail.code, to: "a new secret", at: server).status == 204)
    }

    @Test func mailIsGivenUpWhenServerRefusesIt() async throws {
        let mails = try await MailReceiver(replies: ["554 never"])
        let server = try await server(mails, processes: 1)
        #expect(try await ask("a", at: server).status == 202)
        try await server.line("a mail was not sent")
        let keeper = try await server.operatorSession("karl", "keeper")
        let made = try await server.admin(
            "POST", "environments/test/invitations",
            #"{"group":"users","mail":"cleo@example.org"}"#, as: keeper)
        #expect(made.status == 201)
        #expect(try await mails.next().envelope.last == "RCPT TO:<cleo@example.org>")
    }

    @Test(arguments: [("tls", "smtps"), ("starttls", "smtp")])
    func mailIsSentEncryptedWithCredentials(_ mode: String, _ scheme: String) async throws {
        let mails = try await MailReceiver(mode)
        let site = try await Site(prepared: "Conflicts")
        let password = try site.folder.write("canary of the mail server\n", to: "password")
        let arguments =
            ["user", "invite", "--group", "users", "--mail", "cleo@example.org"]
            + mails.arguments(scheme)
            + ["--mail-user", "waggle", "--mail-password-file", password]
        func invite(_ trust: [String: String]) async throws -> Finished {
            try await Program(
                path: Tool.path, arguments: arguments + ["--database", site.database],
                environment: trust, folder: site.folder
            ).run()
        }
        let distrusted = try await invite([:])
        #expect(distrusted.exitCode == 3 && distrusted.errors.contains("the mail was not sent"))
        let sent = try await invite(MailReceiver.trust)
        #expect(sent.exitCode == 0 && sent.output.isEmpty, "\(sent.errors)")
        let mail = try await mails.next()
        #expect(mail.isSecure && mail.credentials == ["waggle", "canary of the mail server"])
        #expect(mail.text.contains("You are invited to conflicts."))
        #expect(!(distrusted.errors + sent.errors).contains("canary"))
        let server = try await RunningServer(site: site)
        let signedUp = try await server.request(
            "POST", "/v1/test/signUp",
            body: Data(
                #"{"code":"\#(mail.code)","login":"cleo","password":"a new secret"}"#.utf8))
        #expect(signedUp.status == 201)
    }

    /// A server that does not encrypt gets neither password nor mail.
    @Test func serverWithoutEncryptionGetsNothing() async throws {
        let mails = try await MailReceiver("plain")
        let site = try await Site(prepared: "Conflicts")
        let sent = try await Tool.run(
            [
                "user", "reset-password", "a", "--mail", "anna@example.org", "--database",
                site.database,
            ] + mails.arguments("smtp"), in: site.folder)
        #expect(sent.exitCode == 3 && sent.errors.contains("user revoke"), "\(sent.errors)")
    }

    @Test func serverWithoutMailsSaysSo() async throws {
        let server = try await RunningServer(definition: "Conflicts")
        #expect(try await ask("a", at: server).error().code == "mailUnset")
        let keeper = try await server.operatorSession("karl", "keeper")
        for (path, body) in [
            ("invitations", #"{"group":"users","mail":"cleo@example.org"}"#),
            ("users/a/mailed-reset", nil),
        ] {
            let answer = try await server.admin(
                "POST", "environments/test/\(path)", body, as: keeper)
            #expect(try answer.error().code == "mailUnset")
        }
    }

    @Test(arguments: [
        (["--mail-server", "mail.example"], "is not the address of an SMTP server"),
        (["--mail-server", "smtp://mail.example:587"], "from which codes can be sent"),
        (
            [
                "--mail-server", "plain://mail.example:25", "--mail-sender", "a@example.org",
                "--mail-user", "u", "--mail-password-file", "FILE",
            ], "without TLS"
        ),
        (
            [
                "--mail-server", "smtp://mail.example:25", "--mail-sender", "a@example.org",
                "--mail-user", "u",
            ], "needs a password"
        ),
        (
            [
                "--mail-server", "smtp://mail.example:25", "--mail-sender", "a@example.org",
                "--mail-link", "https://app.example/",
            ], "has no place for a code"
        ),
    ]) func unsoundSettingsStopStart(_ arguments: [String], _ words: String) async throws {
        let site = try await Site(prepared: "Conflicts")
        let file = try site.folder.write("secret\n", to: "password")
        let finished = try await Tool.run(
            ["serve", site.definition, "--database", site.database, "--port", "0"]
                + arguments.map { $0 == "FILE" ? file : $0 }, in: site.folder)
        #expect(finished.exitCode == 2 && finished.errors.contains(words), "\(finished.errors)")
    }
}
