import Foundation
import Secrets
import SyncEngine

/// A mail in plain text.
package struct Mail: Hashable, Sendable {
    package let recipient: MailAddress
    package let subject: String
    package let text: String

    package init(to recipient: MailAddress, subject: String, text: String) {
        self.recipient = recipient
        self.subject = subject
        self.text = text
    }
}

extension Mail {
    /// The mail with its headers, as servers take it (RFC 5322). Nothing of subject and text can
    /// become a header: both are encoded.
    func message(from sender: MailAddress, at now: Instant) -> [UInt8] {
        let headers = [
            "Date: \(now.headerText)", "From: <\(sender.text)>", "To: <\(recipient.text)>",
            "Message-ID: <\(BearerToken.make())@\(sender.domain)>",
            "Subject: \(encodedSubject)", "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
            "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
        ]
        let lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let body = Data(lines.joined(separator: "\r\n").utf8)
            .base64EncodedString(options: [
                .lineLength76Characters, .endLineWithCarriageReturn, .endLineWithLineFeed,
            ])
        return Array((headers.joined(separator: "\r\n") + "\r\n\r\n" + body + "\r\n").utf8)
    }

    /// Encoded words of at most 75 characters (RFC 2047), without control characters.
    private var encodedSubject: String {
        var words: [String] = []
        var word: [UInt8] = []
        func end() {
            if !word.isEmpty { words.append("=?UTF-8?B?\(Data(word).base64EncodedString())?=") }
            word = []
        }
        for scalar in subject.unicodeScalars where scalar.properties.generalCategory != .control {
            let bytes = Array(String(scalar).utf8)
            if word.count + bytes.count > Self.maxWordBytes { end() }
            word += bytes
        }
        end()
        return words.joined(separator: "\r\n ")
    }

    /// 60 characters of Base64.
    private static let maxWordBytes = 45
}

extension Instant {
    /// For people, such as `25 Nov 2026 20:00 UTC`.
    var text: String { formatted("dd MMM yyyy HH:mm 'UTC'") }

    /// As headers have it, such as `Wed, 25 Nov 2026 20:00:00 +0000`.
    fileprivate var headerText: String { formatted("EEE, dd MMM yyyy HH:mm:ss '+0000'") }

    private func formatted(_ format: String) -> String {
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(identifier: "UTC")
        formatter.dateFormat = format
        return formatter.string(from: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
}
