import CLibCurl

/// A handle of libcurl, used for one call at a time, with its connection.
final class CurlHandle {
    private let curl: UnsafeMutableRawPointer
    /// The buffer for libcurl's error message.
    private let errorBuffer: UnsafeMutableBufferPointer<CChar>
    /// The first error of setting an option, which prevents the call.
    private var refused = CURLE_OK

    /// Nil if memory is exhausted.
    init?() {
        guard LibCurl.isReady, let curl = curl_easy_init() else { return nil }
        self.curl = curl
        errorBuffer = .allocate(capacity: Int(CURL_ERROR_SIZE))
        errorBuffer.initialize(repeating: 0)
    }

    deinit {
        curl_easy_cleanup(curl)
        errorBuffer.deallocate()
    }

    func perform(
        _ call: HTTPCall, _ limits: HTTPLimits, until end: CallCancellation
    ) -> Result<HTTPAnswer, HTTPCallFailure> {
        guard let headers = HeaderList(of: call) else {
            return .failure(HTTPCallFailure(reason: "a header of the request has a line break"))
        }
        let incoming = PartialAnswer(on: curl, wanted: limits.answers)
        let code = withExtendedLifetime((incoming, end, headers)) {
            // Removes the options of this call; the connection stays.
            defer { curl_easy_reset(curl) }
            (errorBuffer[0], refused) = (0, CURLE_OK)
            set(limits)
            receive(into: incoming, until: end)
            set(CURLOPT_HTTPHEADER, headers.list)
            set(call)
            return refused == CURLE_OK ? curl_easy_perform(curl) : refused
        }
        // libcurl accepts a truncated head as an answer.
        guard incoming.isHeadWhole, code == CURLE_OK || limits.answers == .status else {
            return .failure(failure(code, incoming))
        }
        return .success(incoming.answer)
    }

    private func failure(_ code: CURLcode, _ incoming: PartialAnswer) -> HTTPCallFailure {
        if incoming.isTooLong { return HTTPCallFailure(reason: "the answer is too long") }
        if code == CURLE_OK { return HTTPCallFailure(reason: "the answer broke off") }
        if code == CURLE_ABORTED_BY_CALLBACK { return .isUnwanted }
        let reason = String(cString: curl_easy_strerror(code))
        let details = errorBuffer.baseAddress.map { String(cString: $0) } ?? ""
        return HTTPCallFailure(reason: reason, details: details.isEmpty ? reason : details)
    }
}

// MARK: - Options

extension CurlHandle {
    private func set(_ limits: HTTPLimits) {
        note(waggle_curl_allow_http_only(curl))
        note(waggle_curl_leave_lookups(curl))
        note(waggle_curl_trust_environment(curl))
        set(CURLOPT_USERAGENT, "Waggle")
        // Signals belong to the process.
        set(CURLOPT_NOSIGNAL, 1)
        set(CURLOPT_TIMEOUT_MS, (limits.totalSeconds ?? 0) * 1000)
        set(CURLOPT_CONNECTTIMEOUT_MS, limits.idleSeconds * 1000)
        set(CURLOPT_LOW_SPEED_LIMIT, 1)
        set(CURLOPT_LOW_SPEED_TIME, limits.idleSeconds)
        set(CURLOPT_ERRORBUFFER, UnsafeMutableRawPointer(errorBuffer.baseAddress))
        switch limits.answers {
        case .status:
            set(CURLOPT_FRESH_CONNECT, 1)
            set(CURLOPT_FORBID_REUSE, 1)
        case .whole:
            // Every content encoding that libcurl supports.
            set(CURLOPT_ACCEPT_ENCODING, "")
            set(CURLOPT_MAXCONNECTS, 1)
        }
    }

    private func receive(into incoming: PartialAnswer, until end: CallCancellation) {
        let answer = Unmanaged.passUnretained(incoming).toOpaque()
        set(CURLOPT_HEADERDATA, answer)
        note(
            waggle_curl_set_receiver(curl, CURLOPT_HEADERFUNCTION) { bytes, size, count, answer in
                PartialAnswer.of(answer)?.takeHeader(bytes, size * count) ?? 0
            })
        set(CURLOPT_WRITEDATA, answer)
        note(
            waggle_curl_set_receiver(curl, CURLOPT_WRITEFUNCTION) { bytes, size, count, answer in
                PartialAnswer.of(answer)?.takeBody(bytes, size * count) ?? 0
            })
        set(CURLOPT_NOPROGRESS, 0)
        set(CURLOPT_XFERINFODATA, Unmanaged.passUnretained(end).toOpaque())
        note(
            waggle_curl_set_watcher(curl) { end, _, _, _, _ in
                let end = end.map {
                    Unmanaged<CallCancellation>.fromOpaque($0).takeUnretainedValue()
                }
                return end?.isCancelled ?? true ? 1 : 0
            })
    }

    private func set(_ call: HTTPCall) {
        set(CURLOPT_URL, call.url)
        if call.body != nil || ["POST", "PUT", "PATCH"].contains(call.method) {
            let body = call.body ?? []
            // Without a buffer, libcurl would read from standard input.
            let bytes = body.isEmpty ? [0] : body
            note(
                waggle_curl_set_size(
                    curl, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count)))
            bytes.withUnsafeBytes { bytes in
                set(CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: bytes.baseAddress))
            }
            set(CURLOPT_POST, 1)
        }
        if call.method == "HEAD" { set(CURLOPT_NOBODY, 1) }
        set(CURLOPT_CUSTOMREQUEST, call.method)
    }

    private func set(_ option: CURLoption, _ number: Int) {
        note(waggle_curl_set_number(curl, option, number))
    }

    private func set(_ option: CURLoption, _ text: String) {
        note(waggle_curl_set_text(curl, option, text))
    }

    private func set(_ option: CURLoption, _ pointer: UnsafeMutableRawPointer?) {
        note(waggle_curl_set_pointer(curl, option, pointer))
    }

    /// Keeps the first error.
    private func note(_ code: CURLcode) {
        if refused == CURLE_OK { refused = code }
    }
}

/// The headers of a request as a list of libcurl.
private final class HeaderList {
    private(set) var list: UnsafeMutableRawPointer?

    /// Nil if a header contains a line break.
    init?(of call: HTTPCall) {
        // Keeps libcurl from sending `Expect: 100-continue` and waiting for the answer.
        var lines = ["Expect:"]
        if call.headers["Content-Type"] == nil { lines.append("Content-Type:") }
        for (name, value) in call.headers {
            guard !(name + value).utf8.contains(where: { $0 < 0x20 }) else { return nil }
            lines.append(value.isEmpty ? "\(name);" : "\(name): \(value)")
        }
        for line in lines {
            let start = list?.assumingMemoryBound(to: curl_slist.self)
            guard let longer = curl_slist_append(start, line) else { return nil }
            list = UnsafeMutableRawPointer(longer)
        }
    }

    deinit { curl_slist_free_all(list?.assumingMemoryBound(to: curl_slist.self)) }
}
