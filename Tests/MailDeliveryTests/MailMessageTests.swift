import Foundation
import SyncEngine
import Testing

@testable import MailDelivery

/// Headers and addresses of mails, whatever is put into them.
@Suite struct MailMessageTests {
    private func address(_ text: String) throws -> MailAddress {
        try #require(MailAddress(text))
    }

    private func message(_ subject: String, _ text: String) throws -> String {
        let mail = Mail(to: try address("a@example.org"), subject: subject, text: text)
        let bytes = mail.message(
            from: try address("waggle@example.org"), at: Instant(milliseconds: 1_800_000_000_000))
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        "Hello", "Füße 🐝", "a\r\nBcc: evil@example.org", "\u{0}\u{B}x", "",
        String(repeating: "long é ", count: 60),
    ]) func nothingBecomesHeader(_ subject: String) throws {
        let text = try message(subject, "the text\r\n.\r\nQUIT\n\(subject)")
        let parts = text.components(separatedBy: "\r\n\r\n")
        #expect(parts.count == 2)
        let names = parts[0].components(separatedBy: "\r\n").filter { !$0.hasPrefix(" ") }
            .compactMap { $0.split(separator: ":").first.map(String.init) }
        #expect(
            names == [
                "Date", "From", "To", "Message-ID", "Subject", "Auto-Submitted", "MIME-Version",
                "Content-Type", "Content-Transfer-Encoding",
            ])
        #expect(text.utf8.allSatisfy { $0 < 0x80 })
        #expect(text.components(separatedBy: "\r\n").allSatisfy { $0.utf8.count <= 90 })
        let body = try #require(Data(base64Encoded: parts[1], options: .ignoreUnknownCharacters))
        #expect(String(decoding: body, as: UTF8.self).contains("QUIT"))
    }

    @Test func dateIsOfStandard() throws {
        #expect(try message("a", "b").hasPrefix("Date: Fri, 15 Jan 2027 08:00:00 +0000\r\n"))
    }

    @Test(arguments: [
        "", "a", "@example.org", "a@", "a b@example.org", "a@example.org\r\nRCPT TO:<b@c>",
        "<a@example.org>", "a@example.org, b@example.org", "a@exa mple.org", "\"a\"@example.org",
        "é@example.org", "a@exämple.org", "-oX@example.org", "a@b@example.org",
        String(repeating: "a", count: 250) + "@example.org", "a@example.org;b",
    ]) func textsThatAreNoAddressesAreRefused(_ text: String) {
        #expect(MailAddress(text) == nil)
    }

    @Test(arguments: ["a@example.org", "a.b+c@mail.example.org", "a@[127.0.0.1]", "O'Neil@a-b.org"])
    func addressesAreTaken(_ text: String) {
        #expect(MailAddress(text)?.text == text)
    }

    @Test func credentialsHaveNoDescription() {
        #expect(!"\(MailCredentials(user: "canary", password: "canary"))".contains("canary"))
    }

    @Test func queueIsBounded() throws {
        let server = MailServer(
            host: "127.0.0.1", port: 1, security: .none, sender: try address("a@example.org"),
            credentials: nil)
        let desk = MailDesk(MailSender(server), texts: MailTexts(link: nil))
        let order = MailDesk.Order.reset(login: "a", environment: "test")
        for _ in 0..<MailDesk.maxCount { #expect(desk.add(order)) }
        #expect(!desk.add(order))
    }
}
