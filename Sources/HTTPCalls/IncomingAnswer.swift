import CLibCurl

/// As much of an answer as has come.
final class IncomingAnswer {
    private(set) var isHeadWhole = false
    private(set) var isTooLong = false
    private var headers: [String: String] = [:]
    private var status = 0
    private var body: [UInt8] = []
    private var thrownAway = 0
    private let curl: UnsafeMutableRawPointer
    private let wanted: HTTPLimits.Answers

    /// So much of a body is waited for that nobody wants: then the connection can be used again.
    private static let maxBytesThrownAway = 64 << 10

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
        let line = String(
            decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        if line.hasPrefix("HTTP/") {
            // What went before was of an answer that announces the answer.
            headers = [:]
        } else if let colon = line.firstIndex(of: ":") {
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...]
            headers[name] = headers[name] ?? trimmed(value)
        } else if line.allSatisfy(\.isNewline) {
            status = waggle_curl_status(curl)
            isHeadWhole = status >= 200
        }
        return count
    }

    func takeBody(_ bytes: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        switch wanted {
        case .status:
            thrownAway += count
            return thrownAway <= Self.maxBytesThrownAway ? count : 0
        case .whole(let maxBytes):
            guard body.count + count <= maxBytes else {
                isTooLong = true
                return 0
            }
            body += UnsafeRawBufferPointer(start: bytes, count: count)
            return count
        }
    }
}

private func trimmed(_ text: Substring) -> String {
    let start = text.drop(while: \.isWhitespace)
    return String(start.reversed().drop(while: \.isWhitespace).reversed())
}
