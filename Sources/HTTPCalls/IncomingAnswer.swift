import CLibCurl

/// As much of an answer as has come.
final class IncomingAnswer {
    private(set) var isHeadWhole = false
    private(set) var isTooLong = false
    private var headers: [String: String] = [:]
    private var status = 0
    private var body: [UInt8] = []
    private let curl: UnsafeMutableRawPointer
    private let wanted: HTTPLimits.Answers

    init(on curl: UnsafeMutableRawPointer, wanted: HTTPLimits.Answers) {
        self.curl = curl
        self.wanted = wanted
    }

    static func of(_ pointer: UnsafeMutableRawPointer?) -> IncomingAnswer? {
        pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    var answer: HTTPAnswer { HTTPAnswer(status: status, headers: headers, body: body) }

    /// A whole line. What is taken of it is what it has, or the call ends.
    func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            status = waggle_curl_status(curl)
            // The others announce the answer.
            isHeadWhole = status >= 200
            if !isHeadWhole { headers = [:] }
            return isHeadWhole && wanted == .status ? 0 : count
        }
        if wanted != .status { take(String(decoding: line, as: UTF8.self)) }
        return count
    }

    private func take(_ header: String) {
        guard let colon = header.firstIndex(of: ":") else { return }
        let name = header[..<colon].lowercased()
        headers[name] = headers[name] ?? trimmed(header[header.index(after: colon)...])
    }

    func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard case .whole(let maxBytes) = wanted, body.count + count <= maxBytes else {
            isTooLong = true
            return 0
        }
        body += UnsafeRawBufferPointer(start: bytes, count: count)
        return count
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
}
