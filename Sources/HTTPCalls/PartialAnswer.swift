import CLibCurl

/// The part of an answer that has been received.
final class PartialAnswer {
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

    static func of(_ pointer: UnsafeMutableRawPointer?) -> PartialAnswer? {
        pointer.map { Unmanaged.fromOpaque($0).takeUnretainedValue() }
    }

    var answer: HTTPAnswer { HTTPAnswer(status: status, headers: headers, body: body) }

    /// Takes a complete header line. Returning another number than `count` ends the call.
    func takeHeader(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        let line = UnsafeRawBufferPointer(start: bytes, count: count)
        if line.allSatisfy({ $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }) {
            status = waggle_curl_status(curl)
            // Interim responses precede the final one.
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
