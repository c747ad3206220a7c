import Foundation
import JSON
import SyncProtocol

/// A server of SMTP that takes mails.
final class MailReceiver: Sendable {
    /// A mail as it was taken.
    struct Taken {
        let isSecure: Bool
        /// User and password; nil without credentials.
        let credentials: [String]?
        /// The lines of the envelope.
        let envelope: [String]
        let headers: String
        /// Its lines end with a line feed.
        let text: String

        /// The code, which stands on a line of its own.
        var code: String {
            String(text.matches(of: /\n    ([A-Za-z0-9_\-]{43})(?=\n)/).last?.1 ?? "")
        }
    }

    /// Trusted by a process with this in its environment.
    static let trust = ["SSL_CERT_FILE": folder + "/server.pem"]
    private static let folder =
        FileManager.default.currentDirectoryPath
        + "/Tests/EndToEndTests/Fixtures/mail"

    let port: Int
    private let process = Process()
    private let output = Pipe()

    /// Each mail is answered with the next of the replies, and with 250 after the last. `mode` is
    /// plain, starttls or tls.
    init(_ mode: String = "plain", replies: [String] = []) async throws {
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["python3", Self.folder + "/server.py", mode, Self.folder] + replies
        process.standardOutput = output
        try process.run()
        let file = output.fileHandleForReading
        let first = await offloaded { readLines(1, from: file) }
        port = Int(first.trimmingCharacters(in: .newlines)) ?? 0
    }

    deinit { process.terminate() }

    /// The arguments of a server or a tool that sends mails here.
    func arguments(_ scheme: String = "plain") -> [String] {
        [
            "--mail-server", "\(scheme)://127.0.0.1:\(port)", "--mail-sender",
            "waggle@example.org",
        ]
    }

    /// The next mail, taken or awaited. For one caller at a time.
    func next() async throws -> Taken {
        let file = output.fileHandleForReading
        let line = await offloaded { readLines(1, from: file) }
        guard case .object(let members) = try parseJSON(Array(line.utf8)),
            case .string(let data)? = members["data"], case .string(let from)? = members["from"],
            case .array(let recipients)? = members["to"]
        else { throw Unexpected(line) }
        let parts = data.split(separator: "\r\n\r\n", maxSplits: 1).map(String.init)
        let body = Data(
            base64Encoded: parts.dropFirst().joined(), options: .ignoreUnknownCharacters)
        var credentials: [String]?
        if case .array(let pair)? = members["auth"] { credentials = pair.compactMap(\.plainText) }
        return Taken(
            isSecure: members["tls"] == .boolean(true), credentials: credentials,
            envelope: [from] + recipients.compactMap(\.plainText), headers: parts.first ?? "",
            text: String(decoding: body ?? Data(), as: UTF8.self).replacing("\r\n", with: "\n"))
    }
}

extension JSONValue {
    fileprivate var plainText: String? {
        guard case .string(let text) = self else { return nil }
        return text
    }
}
