package import Tracing

/// The position of a span in its trace, as the header `traceparent` tells it (W3C Trace Context,
/// version 00).
package struct TraceContext: Hashable, Sendable {
    /// 32 hexadecimal digits in lower case, not all of them zero.
    package let trace: String
    /// 16 hexadecimal digits in lower case, not all of them zero.
    package let span: String
    /// Whether the spans of the trace are recorded.
    package let isSampled: Bool

    package static let header = "traceparent"
    private static let maxHeaderBytes = 128

    /// Reads the header. Nil for an invalid one.
    package init?(header text: String) {
        guard text.utf8.count <= Self.maxHeaderBytes else { return nil }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        guard parts.count >= 4, parts[0] != "ff",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ isHexadecimal($0, count: $1) }),
            parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" }),
            let flags = UInt8(parts[3], radix: 16)
        else { return nil }
        self.init(trace: parts[1], span: parts[2], isSampled: flags & 1 == 1)
    }

    private init(trace: String, span: String, isSampled: Bool) {
        (self.trace, self.span, self.isSampled) = (trace, span, isSampled)
    }

    /// The first span of a new trace.
    static func first(isSampled: Bool) -> TraceContext {
        TraceContext(
            trace: randomDigits() + randomDigits(), span: randomDigits(), isSampled: isSampled)
    }

    /// Another span of the same trace.
    func child() -> TraceContext {
        TraceContext(trace: trace, span: randomDigits(), isSampled: isSampled)
    }

    var headerText: String { "00-\(trace)-\(span)-\(isSampled ? "01" : "00")" }
}

extension ServiceContext {
    /// The span that the current work belongs to.
    package var trace: TraceContext? {
        get { self[TraceContextKey.self] }
        set { self[TraceContextKey.self] = newValue }
    }
}

private enum TraceContextKey: ServiceContextKey {
    typealias Value = TraceContext
}

/// 16 hexadecimal digits, not all of them zero.
private func randomDigits() -> String {
    let digits = String(UInt64.random(in: 1 ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
}

private func isHexadecimal(_ text: String, count: Int) -> Bool {
    text.utf8.count == count
        && text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): true
            case _: false
            }
        }
}
