import CLibCurl
import HTTPCalls

/// A mail on its way to a server, by libcurl.
struct SMTPCall {
    let server: MailServer
    let recipient: MailAddress

    func send(_ message: [UInt8]) throws(MailFailure) {
        guard LibCurl.isReady, let curl = curl_easy_init() else {
            throw MailFailure(isTemporary: true, reason: "libcurl has no memory")
        }
        defer { curl_easy_cleanup(curl) }
        let letter = MailSource(message)
        let recipients = curl_slist_append(nil, "<\(recipient.text)>")
        defer { curl_slist_free_all(recipients) }
        let code = withExtendedLifetime(letter) { () -> CURLcode in
            let refused = options(curl, letter, recipients).first { $0 != CURLE_OK }
            return refused ?? curl_easy_perform(curl)
        }
        guard code != CURLE_OK else { return }
        let status = waggle_curl_status(curl)
        // The server has refused it for good, or the address, or the credentials.
        let isFinal = (500..<600).contains(status)
        let text = String(cString: curl_easy_strerror(code))
        throw MailFailure(
            isTemporary: !isFinal, reason: status > 0 ? "\(text) (status \(status))" : text)
    }

    private func options(
        _ curl: UnsafeMutableRawPointer, _ letter: MailSource,
        _ recipients: UnsafeMutablePointer<curl_slist>?
    ) -> [CURLcode] {
        func set(_ option: CURLoption, _ number: Int) -> CURLcode {
            waggle_curl_set_number(curl, option, number)
        }
        func set(_ option: CURLoption, _ text: String) -> CURLcode {
            waggle_curl_set_text(curl, option, text)
        }
        func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) -> CURLcode {
            waggle_curl_set_pointer(curl, option, pointer)
        }
        var codes = [
            waggle_curl_allow_mail_only(curl), waggle_curl_leave_lookups(curl),
            waggle_curl_trust_environment(curl), set(CURLOPT_URL, server.address),
            set(CURLOPT_NOSIGNAL, 1), set(CURLOPT_TIMEOUT, MailSender.timeoutSeconds),
            set(CURLOPT_MAIL_FROM, "<\(server.sender.text)>"),
            set(CURLOPT_MAIL_RCPT, recipients.map { UnsafeMutableRawPointer($0) }),
            set(CURLOPT_UPLOAD, 1),
            waggle_curl_set_size(
                curl, CURLOPT_INFILESIZE_LARGE, curl_off_t(letter.bytes.count)),
            set(CURLOPT_READDATA, Unmanaged.passUnretained(letter).toOpaque()),
            waggle_curl_set_receiver(curl, CURLOPT_READFUNCTION) { buffer, size, count, letter in
                MailSource.of(letter)?.read(into: buffer, size * count) ?? 0
            },
            waggle_curl_set_encryption(curl, server.security == .startTLS ? 1 : 0),
        ]
        if let credentials = server.credentials {
            codes.append(set(CURLOPT_USERNAME, credentials.user))
            codes.append(set(CURLOPT_PASSWORD, credentials.password))
        }
        return codes
    }
}

/// The bytes of a mail that libcurl reads piece by piece.
private final class MailSource {
    let bytes: [UInt8]
    private var next = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> MailSource? {
        pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    func read(into buffer: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let piece = bytes[next...].prefix(count)
        let target = UnsafeMutableRawBufferPointer(start: buffer, count: count)
        target.copyBytes(from: piece)
        next += piece.count
        return piece.count
    }
}
