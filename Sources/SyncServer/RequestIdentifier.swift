import HTTPTypes

/// The id of a request. It is in every log line about the request and in the response, as
/// `X-Request-Id`, so that a report of a user leads to the lines.
struct RequestIdentifier: Hashable, Sendable {
    /// 1 to `maxBytes` letters, digits and `-._:+/=`.
    let text: String

    static let maxBytes = 128
    static let header = HTTPField.Name("X-Request-Id")

    /// The id that the client or a proxy chose, if it is valid; otherwise `fresh`.
    init(of headers: HTTPFields, or fresh: @autoclosure () -> String) {
        let given = Self.header.flatMap { headers[$0] }
        if let given, Self.isValid(given) {
            text = given
        } else {
            text = fresh()
        }
    }

    /// A new id without a request that could be read.
    static var fresh: String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    func add(to headers: inout HTTPFields) {
        if let header = Self.header { headers[header] = text }
    }

    private static func isValid(_ text: String) -> Bool {
        (1...maxBytes).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                    UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "/"),
                    UInt8(ascii: "="):
                    true
                case _: false
                }
            }
    }
}

/// The id of the trace that a request belongs to, from `traceparent` (W3C Trace Context): 32
/// hexadecimal digits, not all of them zero. Nil without a valid header.
func traceIdentifier(of headers: HTTPFields) -> String? {
    guard let name = HTTPField.Name("traceparent"), let text = headers[name],
        text.utf8.count <= 128
    else { return nil }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.count >= 4, parts[0].count == 2, parts[0] != "ff", parts[1].count == 32,
        parts[2].count == 16, parts[3].count == 2,
        parts.prefix(4).allSatisfy({ $0.utf8.allSatisfy(isHexadecimalDigit) }),
        parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
    else { return nil }
    return String(parts[1])
}

private func isHexadecimalDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
    case _: false
    }
}
