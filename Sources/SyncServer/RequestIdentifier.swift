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
